-- The plugin from a first question to an index that is made, through all subcommands. Returns what is run.
local out, steps = steps.out, steps

local function not_indexed_yet()
  steps.wait('the client', steps.client)
  local statusline, seen = require('pilotfish').statusline, {}
  steps.wait('progress', function()
    return statusline():find('%d of %d')
  end)
  out.too_early = steps.say('Pilotfish symbols nothing_of_this_name')
  local answer
  steps.client():request('workspace/executeCommand', {
    command = 'pilotfish.control', arguments = { { action = 'wait' } },
  }, function(_, result)
    answer = result
  end)
  steps.wait('a quiet index', function()
    if statusline() ~= seen[#seen] then
      table.insert(seen, statusline())
    end
    return answer and statusline() == ''
  end)
  out.statuslines = seen
end

local function lists()
  local home = vim.api.nvim_get_current_win()
  out.search = steps.list('Pilotfish search how does the motor get cold')
  out.nameless = steps.list('Pilotfish search tests:auto path:notes.txt filled with glycol')
  out.filtered = steps.list('Pilotfish search lang:python kind:class path:engine.py motor')
  out.symbols = steps.list('Pilotfish symbols sEng')
  out.usages = steps.list('Pilotfish usages start_engine')
  out.by_name = steps.list('Pilotfish usages Engine.cool_down')
  vim.cmd.edit('engine.py')
  vim.fn.search('def cool_down(')
  out.similar = steps.list('Pilotfish similar')
  vim.fn.search('def cool_down(')
  out.similar_lines = steps.list('.,+2Pilotfish similar')
  vim.cmd.edit('main.py')
  vim.fn.cursor(5, 14)
  vim.cmd('Pilotfish definition')
  steps.wait('the definition', function()
    return vim.fn.expand('%:t') == 'engine.py'
  end)
  out.definition = steps.here()

  vim.g.pilotfish = { results = 'loclist', open_list = false }
  vim.cmd('Pilotfish usages start_engine')
  steps.wait('the location list', function()
    return #vim.fn.getloclist(home) > 0
  end)
  out.location_list = steps.places(vim.fn.getloclist(home))

  vim.g.pilotfish = { results = 'select' }
  local real = vim.ui.select
  vim.ui.select = function(items, options, on_choice)
    out.select = { prompt = options.prompt, lines = vim.tbl_map(options.format_item, items) }
    on_choice(items[2])
  end
  vim.cmd('Pilotfish usages start_engine')
  steps.wait('the choice', function()
    return out.select
  end)
  vim.ui.select = real
  out.chosen = steps.here()
  vim.g.pilotfish = { results = 'telescope' }
  out.without_the_picker = steps.list('Pilotfish usages start_engine')
  vim.g.pilotfish = nil

  out.no_match = steps.say('Pilotfish symbols nothing_of_this_name')
  out.no_results = steps.say('Pilotfish search kind:enum frobnicating the quux')
  out.failed = steps.say('Pilotfish search lang:klingon cool')
  out.level = steps.said[#steps.said].level
  out.unknown = steps.say('Pilotfish frobnicate')
end

local function pages()
  vim.cmd.edit('main.py')
  vim.fn.cursor(5, 14)
  local home = vim.api.nvim_get_current_win()
  out.trace = steps.page('Pilotfish trace main', 'trace')
  vim.fn.search('start_engine')
  steps.press('u')
  out.trace_use = steps.here()
  vim.cmd.drop('pilotfish://trace')
  vim.fn.search('start_engine')
  steps.press('<CR>')
  out.trace_definition = steps.here()
  out.trace_definition.is_home = vim.api.nvim_get_current_win() == home
  vim.cmd.edit('main.py')
  vim.fn.cursor(5, 3) -- `return`, which is no name of the repository: the definition around it is meant
  out.trace_around = steps.page('Pilotfish trace direction:callees', 'trace')
  vim.cmd.close()
  out.way = steps.page('Pilotfish trace main to:Engine', 'trace')
  vim.cmd.close()

  out.map = steps.page('vertical Pilotfish map max:400 path:engine.py', 'map')
  out.map_width = vim.api.nvim_win_get_width(0)
  vim.fn.search('cool_down')
  steps.press('<CR>')
  out.map_jump = steps.here()
  vim.cmd.only()
  out.architecture = steps.page('Pilotfish architecture', 'architecture')
  vim.fn.search('engine.py')
  steps.press('<CR>')
  out.architecture_jump = steps.here()
  vim.cmd.only()
  steps.page('Pilotfish status', 'status')
  vim.cmd.close()
  out.status = steps.page('Pilotfish', 'status') -- what it does without a subcommand
  vim.cmd.close()
  out.explain = steps.page('Pilotfish explain start_engine', 'explain')
  vim.cmd.close()

  out.windows_of_pages = {}
  for _, line in ipairs({ 'trace main', 'status', 'explain start_engine', 'map' }) do
    local is_apart = line == 'map'
    steps.page((is_apart and 'vertical ' or '') .. 'Pilotfish ' .. line, line:match('^%l+'))
    table.insert(out.windows_of_pages, #vim.api.nvim_tabpage_list_wins(0))
    out[line:match('^%l+') .. '_keys'] = vim.wo.winbar
  end
  vim.api.nvim_win_close(0, false)
  vim.cmd('silent! wincmd p | only')
  vim.cmd.edit('main.py')

  local clipboard
  vim.g.clipboard = {
    name = 'test',
    copy = { ['+'] = function(lines) clipboard = lines end, ['*'] = function() end },
    paste = { ['+'] = function() return { clipboard or {}, 'V' } end, ['*'] = function() return {} end },
  }
  out.context = steps.page('Pilotfish! context let the motor cool down max:600', 'context')
  out.context_filetype = vim.bo.filetype
  steps.wait('the clipboard', function()
    return clipboard
  end)
  out.clipboard = table.concat(clipboard, '\n')
  vim.fn.search('def cool_down(')
  steps.press('<CR>')
  out.context_jump = steps.here()
  vim.cmd.only()
end

local function unsaved()
  vim.cmd.edit('engine.py')
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'def not_saved_yet():', '    return "é", start_engine(2)', '' })
  out.unsaved = steps.list('Pilotfish usages start_engine')
  out.unsaved_search = steps.list('Pilotfish search not_saved_yet')
  vim.cmd('silent edit!')
end

local function completions()
  out.complete = {}
  for _, line in ipairs({
    '', 'st', 'search ', 'search lang:p', 'search path:generated/part_12', 'search kind:enum', 'usages start_', 'why ma',
    'architecture f', 'trace main to:start', 'trace direction:', 'log ',
  }) do
    out.complete[line] = vim.fn.getcompletion('Pilotfish ' .. line, 'cmdline')
  end
end

local function rename(from, to)
  assert(vim.uv.fs_rename(from, to))
end

local function explorers()
  local here = vim.fn.getcwd()
  local function all_of(run)
    steps.sent = {}
    run()
    steps.wait('the event', function()
      return #steps.sent > 0
    end)
    return steps.sent
  end
  out.explorers = {
    oil = all_of(function()
      rename('moved.py', 'by_oil.py')
      vim.api.nvim_exec_autocmds('User', {
        pattern = 'OilActionsPost',
        data = {
          actions = {
            { type = 'move', src_url = 'oil://' .. here .. '/moved.py', dest_url = 'oil://' .. here .. '/by_oil.py' },
            { type = 'delete', url = 'oil://' .. here .. '/never_there.py' },
            { type = 'create', url = 'oil://' .. here .. '/new/' },
          },
        },
      })
    end),
    mini_files = all_of(function()
      rename('by_oil.py', 'by_mini.py')
      vim.api.nvim_exec_autocmds('User', {
        pattern = 'MiniFilesActionRename',
        data = { action = 'rename', from = here .. '/by_oil.py', to = here .. '/by_mini.py' },
      })
    end),
    other = all_of(function()
      require('pilotfish').file_deleted(here .. '/never_there.py')
    end),
  }
  -- Of what lies elsewhere nothing is said.
  steps.sent = {}
  require('pilotfish').file_created('/elsewhere/file.py')
  out.explorers.elsewhere = #steps.sent

  vim.cmd.edit('.')
  steps.wait('netrw', function()
    return vim.bo.filetype == 'netrw'
  end)
  -- netrw asks in a way that only keys typed meanwhile answer.
  local function press(key, answer)
    vim.defer_fn(function()
      vim.api.nvim_input(answer .. '<CR>')
    end, 100)
    vim.fn.feedkeys(key, 'x')
  end
  out.explorers.netrw = all_of(function()
    vim.fn.search('by_mini.py', 'w')
    press('R', '<C-u>' .. here .. '/by_netrw.py')
  end)
  out.explorers.netrw_folder = all_of(function()
    press('d', 'folder')
  end)
  vim.cmd.edit('main.py')
  steps.wait('the new name', function()
    local found = steps.ask('findSymbols', { query = 'is_moved_about' }).symbols
    return #found == 1 and found[1].path == 'by_netrw.py'
  end)
end

local function health()
  steps.wait('the primary server', function()
    return steps.client('primary')
  end)
  vim.cmd('checkhealth pilotfish')
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.cmd.bwipeout()
  return lines
end

local function control()
  out.why = steps.say('Pilotfish why engine.py')
  out.why_not = steps.say('Pilotfish why .git/config')
  out.sync = steps.say('Pilotfish sync')
  out.pause = steps.say('Pilotfish pause')
  vim.fn.writefile({ 'def while_paused(): pass' }, 'later.py')
  out.paused = steps.say('Pilotfish symbols while_paused')
  out.cancel = steps.say('Pilotfish cancel')
  out.resume = steps.say('Pilotfish resume')
  out.rebuild = steps.say('Pilotfish rebuild')
  steps.ask('control', { action = 'wait' })
  vim.cmd('Pilotfish log')
  steps.wait('the log', function()
    return vim.fn.expand('%:t') == 'engine.log'
  end)
  vim.cmd.bwipeout()
  vim.lsp.log.error('a line, so that there is a log')
  vim.cmd('Pilotfish log lsp')
  out.log = vim.fn.expand('%:t')
  vim.cmd.bwipeout()
  vim.cmd.edit('main.py')
  out.health_before = health()
  -- What it advises is followed; a restart takes it up.
  vim.lsp.config('pilotfish', { init_options = { lsp = { position_encoding = 'utf-8' } } })
  local before = steps.client().id
  out.restart = steps.say('Pilotfish restart')
  steps.wait('a new client', function()
    return steps.client() and steps.client().id ~= before and vim.lsp.buf_is_attached(0, steps.client().id)
  end)
  out.after_restart = steps.list('Pilotfish usages start_engine')
end

local function neighbours()
  vim.fn.setqflist({})
  vim.lsp.buf.workspace_symbol('Engine')
  steps.wait("the primary server's list", function()
    return #vim.fn.getqflist() > 0
  end)
  out.primary_symbols = #vim.fn.getqflist()
  vim.cmd('silent! cclose')
  local capabilities = steps.client().server_capabilities
  out.offered = vim.tbl_filter(function(name)
    return capabilities[name] ~= nil and capabilities[name] ~= false
  end, {
    'workspaceSymbolProvider', 'definitionProvider', 'referencesProvider', 'documentSymbolProvider', 'hoverProvider',
    'documentHighlightProvider', 'completionProvider', 'renameProvider',
  })
  out.health = health()
end

local function help()
  local doc = vim.env.PF_PLUGIN .. '/doc'
  vim.cmd.helptags(doc)
  out.tags = vim.tbl_map(function(line)
    return line:match('^%S+')
  end, vim.fn.readfile(doc .. '/tags'))
  vim.cmd.help('pilotfish-commands')
  out.help = vim.fn.expand('%:t')
end

return function()
  for _, part in ipairs({
    not_indexed_yet, lists, pages, unsaved, completions, explorers, control, neighbours, help,
  }) do
    part()
  end
  out.subcommands = require('pilotfish.commands').names()
  out.said = steps.said
end
