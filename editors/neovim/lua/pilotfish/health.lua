-- `:checkhealth pilotfish`.
local settings = require('pilotfish.settings')

local M = {}

local PATIENCE_MS = 8000

local health = vim.health

---@return string? program
local function check_program()
  local config = vim.lsp.config.pilotfish
  if not config then
    health.error('no configuration named pilotfish', 'put this plugin, or lsp/pilotfish.lua, on the runtimepath')
    return nil
  end
  if type(config.cmd) ~= 'table' then
    health.info('the server is started by a function')
    return nil
  end
  local program = vim.fn.exepath(config.cmd[1])
  if program == '' then
    health.error(("there is no program '%s'"):format(config.cmd[1]), {
      'install the server, see :help pilotfish-install',
      "or name it: vim.lsp.config('pilotfish', { cmd = { '/path/to/pilotfish', 'serve' } })",
    })
    return nil
  end
  local done = vim.system({ program, '--version' }, { text = true, timeout = PATIENCE_MS }):wait()
  if done.code ~= 0 then
    health.error(('%s does not run: %s'):format(program, vim.trim(done.stderr or '')), 'run it in a shell')
    return nil
  end
  health.ok(('%s (%s)'):format(vim.trim(done.stdout), program))
  return program
end

local function check_settings()
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  else
    health.error('Neovim 0.11 or newer is needed')
  end
  local problems = settings.problems(type(vim.g.pilotfish) == 'table' and vim.g.pilotfish or {})
  for _, problem in ipairs(problems) do
    health.warn('vim.g.pilotfish: ' .. problem)
  end
  if #problems == 0 then
    health.ok('settings')
  end
  if not vim.lsp.is_enabled('pilotfish') then
    health.warn('the server is not enabled', "vim.lsp.enable('pilotfish')")
  end
  local lists = require('pilotfish.lists')
  local chosen = settings.get().results
  if lists.pickers[chosen] and not lists.picker() then
    health.warn(('results = %s, which is not installed; the quickfix list is used'):format(chosen))
  end
end

---@param client vim.lsp.Client
---@param status table
local function check_index(client, status)
  local index = status.index
  for _, warning in ipairs(status.warnings) do
    health.warn(warning)
  end
  if status.engine_pid == 0 then
    local reported = require('pilotfish.progress').health(client.id)
    return health.error('no engine answers' .. (reported and reported.message and ': ' .. reported.message or ''), {
      ':Pilotfish log and `pilotfish doctor` in a shell tell why',
    })
  end
  local wire = vim.tbl_get(status, 'connection', 'wire_version') or '?'
  health.ok(('engine: process %d, version %s, wire %s'):format(status.engine_pid, status.version, wire))
  health.ok('root: ' .. status.root)
  local server = client.server_info and client.server_info.version
  if server and server ~= status.version then
    local advice = 'end the other programs that use this engine, then :Pilotfish restart'
    health.warn(('the server is %s, the engine %s'):format(server, status.version), advice)
  end
  local words = ('index: %s, %d files, %d symbols'):format(index.phase, index.files, status.symbols)
  if index.phase == 'ready' then
    health.ok(words)
  elseif index.phase == 'paused' or index.phase == 'off' then
    health.warn(words, index.phase == 'paused' and ':Pilotfish resume' or 'index.enabled = true in the settings')
  else
    health.info(('%s; %s'):format(words, require('pilotfish.client').index_words(client, index)))
  end
  local semantic = status.semantic
  if semantic.phase == 'failed' then
    health.warn('vectors: ' .. semantic.message)
  else
    health.ok(('vectors: %s, %d of %d passages'):format(semantic.phase, index.embedded, index.chunks))
  end
end

--- What two servers of a buffer would both answer, in lists that Neovim does not merge.
local ANSWERED_ONCE = {
  ['workspace/symbol'] = 'workspace_symbol',
  ['textDocument/definition'] = 'definition',
  ['textDocument/references'] = 'references',
  ['textDocument/documentSymbol'] = 'document_symbol',
  ['textDocument/documentHighlight'] = 'document_highlight',
}

---@param client vim.lsp.Client
local function check_neighbours(client)
  local neighbours, encodings, doubled = {}, {}, {}
  for buffer in pairs(client.attached_buffers) do
    for _, other in ipairs(vim.lsp.get_clients({ bufnr = buffer })) do
      if other.name ~= 'pilotfish' then
        neighbours[other.name] = true
        if other.offset_encoding ~= client.offset_encoding then
          encodings[other.name] = other.offset_encoding
        end
        for method, feature in pairs(ANSWERED_ONCE) do
          if client:supports_method(method, buffer) and other:supports_method(method, buffer) then
            doubled[('%s (%s)'):format(feature, other.name)] = true
          end
        end
      end
    end
  end
  health.info('beside it: ' .. (next(neighbours) and table.concat(vim.tbl_keys(neighbours), ', ') or 'no other server'))
  if next(encodings) then
    for name, encoding in vim.spairs(encodings) do
      local mixed = '%s counts columns in %s, Pilotfish in %s, which Neovim warns of'
      health.warn(mixed:format(name, encoding, client.offset_encoding), {
        ("vim.lsp.config('pilotfish', { init_options = { lsp = { position_encoding = '%s' } } })"):format(encoding),
      })
    end
  else
    health.ok('position encoding: ' .. client.offset_encoding)
  end
  if next(doubled) then
    for what in vim.spairs(doubled) do
      health.warn('answered twice: ' .. what, 'turn it off under init_options.features, or for the other server')
    end
  else
    health.ok('nothing is answered twice')
  end
end

local function check_companions()
  for _, each in ipairs({ { 'telescope', 'telescope' }, { 'fzf-lua', 'fzf_lua' }, { 'snacks', 'snacks' } }) do
    local is_there = require('pilotfish.pickers.' .. each[2]).is_installed()
    health.info(('%s: %s'):format(each[1], is_there and 'installed' or 'not installed'))
  end
end

function M.check()
  health.start('pilotfish: program and settings')
  local program = check_program()
  check_settings()
  local clients = vim.lsp.get_clients({ name = 'pilotfish' })
  if #clients == 0 then
    health.start('pilotfish: server')
    if program then
      health.info('no server runs: none of the open files lies below a root (.git, pilotfish.toml …)')
    end
  end
  local roots = {}
  for _, client in ipairs(clients) do
    health.start('pilotfish: server of ' .. (client.root_dir or 'no folder'))
    if client.root_dir and roots[client.root_dir] then
      health.warn('a second server runs for this folder', 'start it once only')
    end
    roots[client.root_dir or ''] = true
    local question = { command = 'pilotfish.status', arguments = { vim.empty_dict() } }
    local reply = client:request_sync('workspace/executeCommand', question, PATIENCE_MS, 0)
    if reply and reply.result then
      check_index(client, reply.result)
    else
      local failure = reply and reply.err and reply.err.message or 'no answer'
      health.error('the server does not answer: ' .. failure, ':Pilotfish restart')
    end
    check_neighbours(client)
  end
  health.start('pilotfish: pickers')
  check_companions()
end

return M
