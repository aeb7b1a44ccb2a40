-- The way to the server: which of its clients is meant, questions to it, and telling apart what an empty answer means.
local wording = require('pilotfish.wording')

local M = {}

local INITIALIZE_MS = 20000

---@class pilotfish.Answer what every answer carries, see docs/operations.md
---@field outcome 'found'|'no_match'|'not_indexed'
---@field hint? string
---@field index {phase: string, files: integer, pending: integer}

---@alias pilotfish.OnAnswer fun(answer: pilotfish.Answer|table, client: vim.lsp.Client)

--- Break a text between words into lines of at most so many columns; words that are longer are broken too.
---@param text string
---@param columns integer
---@return string[]
local function broken(text, columns)
  local width, lines, line = vim.fn.strdisplaywidth, {}, ''
  for word in text:gmatch('%s*%S+') do
    if line ~= '' and width(line .. word) > columns then
      table.insert(lines, line)
      line, word = '', '  ' .. vim.trim(word)
    end
    line = line .. word
    while width(line) > columns do
      local kept = vim.fn.strcharpart(line, 0, columns)
      while width(kept) > columns do
        kept = vim.fn.strcharpart(kept, 0, vim.fn.strchars(kept) - 1)
      end
      table.insert(lines, kept)
      line = '  ' .. line:sub(#kept + 1)
    end
  end
  return vim.list_extend(lines, { line })
end

--- Where `vim.notify` is Neovim's own, which writes to the message line; a plugin's may have room for more.
---@return boolean
local function is_on_the_message_line()
  return debug.getinfo(vim.notify, 'S').source:find('vim/_editor.lua', 1, true) ~= nil
end

--- Say one line; never a window. What does not fit is cut, and whole in `:messages`.
---@param text string
---@param level? integer one of vim.log.levels
function M.say(text, level)
  level = level or vim.log.levels.INFO
  local line = 'Pilotfish: ' .. text:gsub('%s*\n%s*', ' ')
  if vim.fn.strdisplaywidth(line) <= vim.v.echospace or not is_on_the_message_line() then
    return vim.notify(line, level)
  end
  local highlight = ({ [vim.log.levels.WARN] = 'WarningMsg', [vim.log.levels.ERROR] = 'ErrorMsg' })[level]
  local lines = broken(line, math.max(vim.v.echospace, 20) - 1)
  for _, each in ipairs(lines) do
    vim.api.nvim_echo({ { each, highlight } }, true, {})
    vim.cmd.redraw() -- else a second line asks for Enter
  end
  vim.api.nvim_echo({ { lines[1] .. '…', highlight } }, false, {})
end

---@param text string
function M.fail(text)
  M.say(text, vim.log.levels.ERROR)
end

--- Call back once a condition holds, or with false when it does not within a time.
---@param condition fun(): any
---@param patience_ms integer
---@param on_end fun(is_true: boolean)
function M.when(condition, patience_ms, on_end)
  local step_ms = 20
  if condition() then
    on_end(true)
  elseif patience_ms <= 0 then
    on_end(false)
  else
    vim.defer_fn(function()
      M.when(condition, patience_ms - step_ms, on_end)
    end, step_ms)
  end
end

---@param root string?
---@param path string
---@return boolean
local function holds(root, path)
  return root ~= nil and vim.fs.relpath(root, path) ~= nil
end

---@param bufnr integer
---@return string '' where the buffer is no file
local function file_of(bufnr)
  return vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) or ''
end

--- The client that answers for a buffer: the one that is attached, else the one whose root is nearest around its file
--- or the working folder, else the only one.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.of(bufnr)
  bufnr = bufnr or vim.api.nvim_get_current_buf()
  local attached = vim.lsp.get_clients({ name = 'pilotfish', bufnr = bufnr })[1]
  if attached then
    return attached
  end
  local drawn_by = vim.b[bufnr].pilotfish_client and vim.lsp.get_client_by_id(vim.b[bufnr].pilotfish_client)
  if drawn_by then
    return drawn_by
  end
  local all = vim.lsp.get_clients({ name = 'pilotfish' })
  for _, path in ipairs({ file_of(bufnr), vim.fn.getcwd() }) do
    local around = vim.tbl_filter(function(client)
      return path ~= '' and holds(client.root_dir, path)
    end, all)
    table.sort(around, function(a, b)
      return #a.root_dir > #b.root_dir
    end)
    if around[1] then
      return around[1]
    end
  end
  return #all == 1 and all[1] or nil
end

--- Start a server for the buffer's file or else the working folder, where none runs yet.
---@param bufnr integer
---@return integer? client_id
---@return string? problem
local function start(bufnr)
  local config = vim.lsp.config.pilotfish
  if not config then
    return nil, 'there is no configuration; put lsp/pilotfish.lua on the runtimepath'
  end
  local program = type(config.cmd) == 'table' and config.cmd[1] or nil
  if program and vim.fn.executable(program) == 0 then
    return nil, ("there is no program '%s'; install it, or name it: :help pilotfish-install"):format(program)
  end
  local file, folder = file_of(bufnr), vim.fn.getcwd()
  local root = type(config.root_dir) == 'string' and config.root_dir or nil
  for _, path in ipairs({ file, vim.fs.joinpath(folder, '.') }) do
    for _, marker in ipairs(path ~= '' and config.root_markers or {}) do
      root = root or vim.fs.root(path, marker)
    end
  end
  if not root then
    return nil, ('%s lies in no repository; an empty pilotfish.toml marks a root'):format(folder)
  end
  local start_config = vim.tbl_extend('force', vim.deepcopy(config), { name = 'pilotfish', root_dir = root })
  return vim.lsp.start(start_config, { attach = false, silent = true }), nil
end

--- Call back with the client of a buffer once it is ready for questions; start one where there is none.
---@param on_client fun(client: vim.lsp.Client)
---@param on_failure? fun(text: string)
---@param bufnr? integer the current one by default
function M.with(on_client, on_failure, bufnr)
  on_failure = on_failure or M.fail
  bufnr = bufnr or vim.api.nvim_get_current_buf()
  local client = M.of(bufnr)
  if client and client.initialized then
    return on_client(client)
  end
  local id, problem = client and client.id or nil, nil
  if not id then
    id, problem = start(bufnr)
  end
  if not id then
    return on_failure(problem or 'the server does not start; :Pilotfish log lsp tells why')
  end
  local function is_gone()
    local started = vim.lsp.get_client_by_id(id)
    return started == nil or started:is_stopped()
  end
  M.when(function()
    return is_gone() or vim.lsp.get_client_by_id(id).initialized
  end, INITIALIZE_MS, function(is_true)
    if is_true and not is_gone() then
      on_client(assert(vim.lsp.get_client_by_id(id)))
    else
      on_failure('the server does not start; :Pilotfish log lsp tells why')
    end
  end)
end

--- Ask one client; the answer or the failure comes later, unless the question is cancelled.
---@param client vim.lsp.Client
---@param command string without `pilotfish.`
---@param parameters table<string, any>
---@param on_answer fun(answer: table, client: vim.lsp.Client)
---@param on_failure? fun(text: string)
---@return fun() cancel
function M.ask(client, command, parameters, on_answer, on_failure)
  local is_over = false
  local question = {
    command = 'pilotfish.' .. command,
    arguments = { next(parameters) and parameters or vim.empty_dict() },
  }
  local sent, id = client:request('workspace/executeCommand', question, function(failure, answer)
    if is_over then
      return
    end
    is_over = true
    if failure then
      (on_failure or M.fail)(('%s failed: %s'):format(command, wording.spelled(failure.message)))
    else
      on_answer(answer, client)
    end
  end)
  if not sent then
    is_over = true;
    (on_failure or M.fail)('the server is gone; :Pilotfish restart starts it again')
  end
  return function()
    if not is_over then
      is_over = true
      if id then
        client:cancel_request(id)
      end
    end
  end
end

---@type fun()?
local cancel_last

--- Ask the client of the current buffer on behalf of a command. Of two questions one after the other, only the later
--- one is answered.
---@param command string
---@param parameters table<string, any>
---@param on_answer pilotfish.OnAnswer
function M.question(command, parameters, on_answer)
  if cancel_last then
    cancel_last()
    cancel_last = nil
  end
  local is_cancelled = false
  cancel_last = function()
    is_cancelled = true
  end
  M.with(function(client)
    if not is_cancelled then
      cancel_last = M.ask(client, command, parameters, on_answer)
    end
  end)
end

--- How far the index is, in words: 'indexing, 120 of 400 files'.
---@param client vim.lsp.Client
---@param index {phase: string, files: integer, pending: integer}
---@return string
function M.index_words(client, index)
  if index.phase == 'paused' then
    return 'indexing is paused; :Pilotfish resume goes on'
  elseif index.phase == 'off' then
    return 'the index is switched off by the settings (index.enabled)'
  end
  local counted = require('pilotfish.progress').counted(client.id)
  if counted then
    return 'indexing, ' .. counted
  elseif index.pending > 0 then
    return ('indexing, %d files are pending'):format(index.pending)
  end
  return 'indexing has begun'
end

--- Say why an answer is empty; true where it is not.
---@param answer pilotfish.Answer
---@param client vim.lsp.Client
---@param subject string what was asked for
---@return boolean
function M.is_found(answer, client, subject)
  if answer.outcome == 'not_indexed' then
    M.say(('%s is not indexed yet: %s'):format(subject, M.index_words(client, answer.index)), vim.log.levels.WARN)
    return false
  elseif answer.outcome == 'no_match' then
    M.say(('no match for %s%s'):format(subject, wording.following(answer.hint or '')))
    return false
  end
  return true
end

return M
