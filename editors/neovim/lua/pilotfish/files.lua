-- Tells the servers what file explorers rename, create and delete. Neovim itself sends nothing of the kind. The server
-- watches the tree too, so this is a hint: it says which file became which, at once and where watching does not work.
-- What an explorer tells the servers by itself (oil and mini.files can) is not told again.
local M = {}

local MOST_ENTRIES = 5000

---@param method string
---@param files table[]
---@param paths string[]
local function tell(method, files, paths)
  if not require('pilotfish.settings').get().file_operations then
    return
  end
  for _, client in ipairs(vim.lsp.get_clients({ name = 'pilotfish' })) do
    local operations = vim.tbl_get(client.server_capabilities or {}, 'workspace', 'fileOperations')
    local is_inside = vim.iter(paths):any(function(path)
      return client.root_dir ~= nil and vim.fs.relpath(client.root_dir, path) ~= nil
    end)
    if operations and is_inside then
      client:notify(method, { files = files })
    end
  end
end

---@param path string
---@return string
local function plain(path)
  return (vim.fs.normalize(path):gsub('(.)/$', '%1'))
end

---@param from string absolute path of a file or folder
---@param to string absolute path
function M.renamed(from, to)
  from, to = plain(from), plain(to)
  local pair = { oldUri = vim.uri_from_fname(from), newUri = vim.uri_from_fname(to) }
  tell('workspace/didRenameFiles', { pair }, { from, to })
end

---@param path string absolute
function M.created(path)
  tell('workspace/didCreateFiles', { { uri = vim.uri_from_fname(plain(path)) } }, { plain(path) })
end

---@param path string absolute
function M.deleted(path)
  tell('workspace/didDeleteFiles', { { uri = vim.uri_from_fname(plain(path)) } }, { plain(path) })
end

---@param url string? of oil, such as `oil:///home/me/file`
---@return string?
local function oil_path(url)
  local path = url and url:match('^oil://(/.*)$')
  -- On Windows oil writes /C/folder.
  return path and vim.fn.has('win32') == 1 and path:gsub('^/(%a)/', '%1:/') or path
end

---@param event {data: {err: string?, actions: table[]}}
local function from_oil(event)
  local is_there, config = pcall(require, 'oil.config')
  if is_there and vim.tbl_get(config, 'lsp_file_methods', 'enabled') then
    return
  end
  for _, action in ipairs(event.data and not event.data.err and event.data.actions or {}) do
    local at, from, to = oil_path(action.url), oil_path(action.src_url), oil_path(action.dest_url)
    if action.type == 'move' and from and to then
      M.renamed(from, to)
    elseif action.type == 'copy' and to then
      M.created(to)
    elseif action.type == 'create' and at then
      M.created(at)
    elseif action.type == 'delete' and at then
      M.deleted(at)
    end
  end
end

---@param event {data: {action: string, from: string?, to: string?}}
local function from_mini_files(event)
  local action, from, to = event.data.action, event.data.from, event.data.to
  local patience = vim.tbl_get(_G, 'MiniFiles', 'config', 'options', 'lsp_timeout')
  if patience and patience ~= 0 and vim.list_contains({ 'rename', 'create', 'delete' }, action) then
    return
  end
  if (action == 'rename' or action == 'move') and from and to then
    M.renamed(from, to)
  elseif (action == 'create' or action == 'copy') and to then
    M.created(to)
  elseif action == 'delete' and from then
    M.deleted(from)
  end
end

local hears_neo_tree = false

local function subscribe_to_neo_tree()
  local is_there, events = pcall(require, 'neo-tree.events')
  if hears_neo_tree or not is_there then
    return
  end
  hears_neo_tree = true
  local function on(event, handler)
    events.subscribe({ event = event, id = 'pilotfish.' .. event, handler = handler })
  end
  on(events.FILE_RENAMED, function(moved)
    M.renamed(moved.source, moved.destination)
  end)
  on(events.FILE_MOVED, function(moved)
    M.renamed(moved.source, moved.destination)
  end)
  on(events.FILE_ADDED, M.created)
  on(events.FILE_DELETED, M.deleted)
end

--- What netrw has shown of each folder: names by the file's identity.
---@type table<string, table<string, string>>
local listings = {}

---@param folder string
---@return table<string, string>?
local function listing(folder)
  local names, entries = {}, 0
  for name in vim.fs.dir(folder) do
    local stat = vim.uv.fs_lstat(vim.fs.joinpath(folder, name))
    entries = entries + 1
    if entries > MOST_ENTRIES then
      return nil
    elseif stat then
      names[('%d:%d'):format(stat.dev, stat.ino)] = name
    end
  end
  return names
end

--- netrw has no events of its own, but lists a folder anew after each of its operations: what differs from the list
--- before is what happened. The same file under another name was renamed.
---@param folder string
local function from_netrw(folder)
  local before, now = listings[folder], listing(folder)
  listings[folder] = now
  if not before or not now then
    return
  end
  for identity, name in pairs(now) do
    local path = vim.fs.joinpath(folder, name)
    if not before[identity] then
      M.created(path)
    elseif before[identity] ~= name then
      M.renamed(vim.fs.joinpath(folder, before[identity]), path)
    end
  end
  for identity, name in pairs(before) do
    if not now[identity] then
      M.deleted(vim.fs.joinpath(folder, name))
    end
  end
end

--- Listen to the explorers; called when a server is attached for the first time.
function M.listen()
  local group = vim.api.nvim_create_augroup('pilotfish.files', {})
  local function on(event, pattern, handler)
    vim.api.nvim_create_autocmd(event, { group = group, pattern = pattern, callback = handler })
  end
  on('User', 'OilActionsPost', from_oil)
  for _, action in ipairs({ 'Create', 'Delete', 'Rename', 'Copy', 'Move' }) do
    on('User', 'MiniFilesAction' .. action, from_mini_files)
  end
  on('FileType', 'neo-tree', subscribe_to_neo_tree)
  if package.loaded['neo-tree.events'] then
    subscribe_to_neo_tree()
  end
  on('FileType', 'netrw', function(event)
    local folder = vim.b[event.buf].netrw_curdir
    if folder and vim.fn.isdirectory(folder) == 1 then
      from_netrw(plain(folder))
    end
  end)
end

return M
