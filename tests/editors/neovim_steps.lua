-- Starts the shipped plugin and a primary server, and gives the driving file what it needs to wait and to look.
-- PF_PLUGIN is the plugin's folder, PF_BIN that of the primary's program, PF_SCRIPT the driving file (which returns a
-- function), PF_RESULT the file for what it finds, PF_COMPANIONS a folder with other plugins, if any.
steps = { out = {}, said = {}, sent = {} }

local bin = vim.env.PF_BIN
vim.opt.swapfile = false
vim.o.columns, vim.o.lines = 160, 50
vim.opt.runtimepath:append(vim.env.PF_PLUGIN)
for name, kind in vim.fs.dir(vim.env.PF_COMPANIONS or '') do
  if kind == 'directory' then
    vim.opt.runtimepath:append(vim.fs.joinpath(vim.env.PF_COMPANIONS, name))
  end
end
vim.lsp.config('primary', {
  cmd = { bin .. '/jedi-language-server' },
  filetypes = { 'python' },
  root_markers = { '.git' },
})
vim.lsp.enable('primary')

-- What is said is looked at, not shown.
vim.notify = function(text, level)
  table.insert(steps.said, { text = text, level = level })
end

vim.api.nvim_create_autocmd('LspNotify', {
  callback = function(event)
    local method = event.data.method
    if method:find('Files$') and vim.lsp.get_client_by_id(event.data.client_id).name == 'pilotfish' then
      for _, file in ipairs(event.data.params.files) do
        local from, to = file.oldUri or file.uri, file.newUri
        table.insert(steps.sent, {
          method:match('[^/]*$'), vim.fs.basename(from), to and vim.fs.basename(to) or nil,
        })
      end
    end
  end,
})

-- For what must come; how long it takes is not measured here.
function steps.wait(what, predicate)
  if not vim.wait(40000, predicate, 20) then
    error(('timed out waiting for %s\nsaid: %s\nmessages: %s'):format(
      what, vim.inspect(steps.said), vim.fn.execute('messages')
    ))
  end
end

function steps.client(name)
  local client = vim.lsp.get_clients({ name = name or 'pilotfish' })[1]
  return client and client.initialized and client or nil
end

function steps.ask(command, parameters)
  local question = { command = 'pilotfish.' .. command, arguments = { parameters } }
  local reply = assert(steps.client():request_sync('workspace/executeCommand', question, 30000, 0))
  return assert(reply.result, vim.inspect(reply))
end

-- Runs a command line and waits for what it says.
function steps.say(line)
  local before = #steps.said
  vim.cmd(line)
  steps.wait(line, function()
    return #steps.said > before
  end)
  return steps.said[#steps.said].text
end

-- Runs a command line and waits for a new quickfix list.
function steps.list(line)
  local before = vim.fn.getqflist({ id = 0 }).id
  vim.cmd(line)
  steps.wait(line, function()
    return vim.fn.getqflist({ id = 0 }).id ~= before
  end)
  local list = vim.fn.getqflist({ title = true, items = true })
  vim.cmd('silent! cclose')
  return { title = list.title, places = steps.places(list.items) }
end

function steps.places(items)
  return vim.tbl_map(function(item)
    local name = vim.fs.basename(vim.api.nvim_buf_get_name(item.bufnr))
    return { name = name, line = item.lnum, column = item.col, text = item.text }
  end, items)
end

-- Runs a command line and waits for its page, whose window is then the current one.
function steps.page(line, name)
  local buffer = vim.fn.bufnr('^pilotfish://' .. name .. '$')
  if buffer > 0 then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  vim.cmd(line)
  steps.wait(line, function()
    return vim.api.nvim_buf_get_name(0) == 'pilotfish://' .. name
  end)
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

function steps.press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'xt', false)
end

function steps.here()
  return { name = vim.fn.expand('%:t'), line = vim.fn.line('.') }
end

local function run()
  local ok, message = xpcall(dofile(vim.env.PF_SCRIPT), debug.traceback)
  steps.out.ok, steps.out.error = ok, not ok and message or nil
  steps.out.messages = vim.fn.execute('messages')
  local file = assert(io.open(vim.env.PF_RESULT, 'w'))
  file:write(vim.json.encode(steps.out))
  file:close()
  vim.cmd('qa!')
end

vim.api.nvim_create_autocmd('VimEnter', { callback = vim.schedule_wrap(run) })
