-- Two servers on one repository: a primary (jedi-language-server) and the shipped Pilotfish configuration.
-- PF_RESULT names the file for the results, PF_CONFIG a folder with nothing but the shipped
-- `lsp/pilotfish.lua`, PF_BIN the folder with the servers' programs.
local out = {}
local bin = vim.env.PF_BIN
vim.opt.swapfile = false
vim.opt.runtimepath:prepend(vim.env.PF_CONFIG)
vim.lsp.config('primary', { cmd = { bin .. '/jedi-language-server' }, filetypes = { 'python' }, root_markers = { '.git' } })
vim.lsp.config('pilotfish', { cmd = { bin .. '/pilotfish', 'serve' } })
vim.lsp.enable({ 'primary', 'pilotfish' })

local function client(name)
  return vim.lsp.get_clients({ name = name })[1]
end

local function until_true(what, predicate)
  if not vim.wait(30000, predicate, 50) then
    error('timed out waiting for ' .. what)
  end
end

local function ask(name, method, params)
  local reply = client(name):request_sync(method, params, 15000, 0)
  return reply and reply.result or nil
end

local function find(query)
  return ask('pilotfish', 'workspace/executeCommand', { command = 'pilotfish.findSymbols', arguments = { { query = query } } })
end

local function shape(symbols)
  return vim.tbl_map(function(each)
    return { name = each.name, path = each.path, line = each.line, kind = each.kind }
  end, symbols or {})
end

local function cursor_to(pattern)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search(pattern, 'cW') > 0, 'no ' .. pattern)
end

local function primary_symbols()
  local names = {}
  vim.fn.setqflist({})
  vim.lsp.buf.workspace_symbol('Engine')
  until_true('the primary list', function() return #vim.fn.getqflist() > 0 end)
  for _, item in ipairs(vim.fn.getqflist()) do table.insert(names, item.text) end
  vim.cmd('silent! cclose')
  return names
end

local function run()
  until_true('both clients', function()
    return client('primary') and client('pilotfish') and client('primary').initialized and client('pilotfish').initialized
  end)
  out.encodings = { primary = client('primary').offset_encoding, pilotfish = client('pilotfish').offset_encoding }
  local before = find('start_engine')
  until_true('the index', function()
    before = find('start_engine')
    return before and #before.symbols > 0
  end)
  out.found = shape(before.symbols)
  out.primary_symbols = primary_symbols()

  -- An unsaved edit is in our answers at once.
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'def unsaved_and_seen():', '    return 1', '' })
  local unsaved = nil
  until_true('the unsaved definition', function()
    unsaved = find('unsaved_and_seen')
    return unsaved and #unsaved.symbols > 0
  end)
  out.unsaved = shape(unsaved.symbols)

  -- Hover: both servers are asked by the editor's own function and shown in one float.
  cursor_to([[start_engine(]])
  vim.lsp.buf.hover()
  local float = nil
  until_true('the hover float', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then float = window end
    end
    return float ~= nil
  end)
  out.hover = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false), '\n')
  vim.api.nvim_win_close(float, true)
  local position = vim.lsp.util.make_position_params(0, 'utf-16')
  local ours = ask('pilotfish', 'textDocument/hover', position)
  out.our_hover = ours and ours.contents.value or nil
  cursor_to([[\<return\>]])
  out.keyword_hover = ask('pilotfish', 'textDocument/hover', vim.lsp.util.make_position_params(0, 'utf-16')) ~= nil

  -- A rename of the file: Neovim sends nothing but a didSave of the new name.
  vim.cmd('silent write')
  vim.lsp.util.rename('engine.py', 'motor.py')
  vim.cmd('silent! wall')
  local moved = nil
  until_true('the new name', function()
    moved = find('start_engine')
    return moved and #moved.symbols == 1 and moved.symbols[1].path == 'motor.py'
  end)
  out.renamed = shape(moved.symbols)
  out.messages = vim.fn.execute('messages')
end

function _G.pilotfish_test()
  local ok, message = xpcall(run, debug.traceback)
  out.ok = ok
  out.error = not ok and message or nil
  local file = assert(io.open(vim.env.PF_RESULT, 'w'))
  file:write(vim.json.encode(out))
  file:close()
  vim.cmd('qa!')
end
