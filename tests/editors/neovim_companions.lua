-- The plugin with other people's plugins: pickers and file explorers, as many as there are.
local out, steps = steps.out, steps

-- What a picker must do: show results while a question is typed, preview text that is not saved, and go there.
local QUESTION = 'how does the motor get cold'

local pickers = {}

function pickers.telescope()
  local state = require('telescope.actions.state')
  local function opened(line)
    vim.cmd(line)
    steps.wait('the prompt', function()
      return vim.bo.filetype == 'TelescopePrompt'
    end)
    local picker = state.get_current_picker(vim.api.nvim_get_current_buf())
    steps.wait('results', function()
      return picker.manager and picker.manager:num_results() > 0
    end)
    return picker
  end
  local picker = opened('Pilotfish! search ' .. QUESTION)
  local found = { results = picker.manager:num_results(), first = picker:get_selection().display }
  steps.wait('the preview', function()
    local shown = picker.previewer and picker.previewer.state
    found.preview = shown and shown.bufnr and vim.api.nvim_buf_get_lines(shown.bufnr, 0, 1, false)[1]
    return found.preview and found.preview ~= ''
  end)
  require('telescope.actions').select_default(vim.api.nvim_get_current_buf())
  found.at = steps.here().name
  picker = opened('Pilotfish usages start_engine')
  found.usages = picker.manager:num_results()
  require('telescope.actions').close(vim.api.nvim_get_current_buf())
  picker = opened('Telescope pilotfish query=start_engine')
  found.own_command = picker.manager:num_results() > 0
  require('telescope.actions').close(vim.api.nvim_get_current_buf())
  return found
end

function pickers.snacks()
  local function opened(line)
    local picker
    vim.cmd(line)
    steps.wait('results', function()
      picker = Snacks.picker.get()[1]
      return picker and picker:count() > 0 and picker:current()
    end)
    return picker
  end
  local picker = opened('Pilotfish! search ' .. QUESTION)
  local found = { results = picker:count(), first = picker:current().text }
  steps.wait('the preview', function()
    local window = picker.preview and picker.preview.win and picker.preview.win.win
    found.preview = window and vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, 1, false)[1]
    return found.preview and found.preview ~= ''
  end)
  picker:action('confirm')
  steps.wait('the place', function()
    return vim.bo.buftype == ''
  end)
  found.at = steps.here().name
  picker = opened('Pilotfish usages start_engine')
  found.usages = picker:count()
  picker:close()
  picker = opened('lua Snacks.picker.pilotfish({ search = "start_engine" })')
  found.own_command = picker:count() > 0
  picker:close()
  return found
end

pickers['fzf-lua'] = function()
  local function opened(line, pattern)
    vim.cmd(line)
    local shown
    steps.wait('results', function()
      shown = vim.bo.buftype == 'terminal' and table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') or ''
      return shown:find(pattern)
    end)
    return shown
  end
  local shown = opened('Pilotfish! search ' .. QUESTION, 'engine.py:%d+')
  local found = { results = 1, first = shown:match('engine.py:[^\n]*') }
  steps.wait('the preview', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, 1, false)
      if vim.api.nvim_win_get_config(window).relative ~= '' and lines[1] and lines[1]:find('not saved') then
        found.preview = lines[1]
      end
    end
    return found.preview
  end)
  vim.api.nvim_chan_send(vim.bo.channel, '\r')
  steps.wait('the place', function()
    return vim.bo.buftype == ''
  end)
  found.at = steps.here().name
  local usages = opened('Pilotfish usages start_engine', 'main.py:5')
  found.usages = select(2, usages:gsub('main.py:%d', ''))
  local function close()
    vim.api.nvim_chan_send(vim.bo.channel, '\27')
    steps.wait('the end of fzf', function()
      return vim.bo.buftype == ''
    end)
  end
  close()
  found.own_command = opened('FzfLua pilotfish query=start_engine', 'engine.py:%d') ~= nil
  close()
  return found
end

local explorers = {}

local function sent_after(run)
  steps.sent = {}
  run()
  steps.wait('the event', function()
    return #steps.sent > 0
  end)
  vim.wait(100) -- what would be sent twice
  return steps.sent
end

local function write(name)
  vim.fn.writefile({ 'def moved_about(): pass' }, name)
end

explorers['oil.nvim'] = function()
  -- Both ways: told by oil itself, and by us where oil is told not to.
  local function rename(setup, from, to)
    write(from)
    require('oil').setup(vim.tbl_extend('error', setup, { skip_confirm_for_simple_edits = true }))
    vim.cmd.edit(vim.fn.getcwd())
    steps.wait('oil', function()
      return vim.bo.filetype == 'oil' and vim.bo.modifiable and vim.fn.search(from, 'w') > 0
    end)
    vim.cmd(('silent s/%s/%s/'):format(from, to))
    local sent = sent_after(function()
      require('oil').save({ confirm = false })
    end)
    vim.cmd.bdelete()
    return sent
  end
  return {
    by_itself = rename({}, 'oil_a.py', 'oil_b.py'),
    by_us = rename({ lsp_file_methods = { enabled = false } }, 'oil_b.py', 'oil_c.py'),
  }
end

explorers['mini.files'] = function()
  local function rename(patience, from, to)
    write(from)
    require('mini.files').setup({ options = { lsp_timeout = patience } })
    MiniFiles.open(vim.fn.getcwd(), false)
    steps.wait('mini.files', function()
      return vim.bo.filetype == 'minifiles' and vim.fn.search(from, 'w') > 0
    end)
    vim.cmd(('silent s/%s/%s/'):format(from, to))
    -- The main loop would tell of the listing, and of the change to it.
    vim.cmd('doautocmd TextChanged')
    vim.cmd('doautocmd TextChanged')
    local sent = sent_after(function()
      local confirm = vim.fn.confirm
      vim.fn.confirm = function()
        return 1
      end
      MiniFiles.synchronize()
      vim.fn.confirm = confirm
    end)
    MiniFiles.close()
    return sent
  end
  return { by_itself = rename(1000, 'mini_a.py', 'mini_b.py'), by_us = rename(0, 'mini_c.py', 'mini_d.py') }
end

explorers['neo-tree.nvim'] = function()
  require('neo-tree').setup({})
  write('neo_a.py')
  vim.cmd('Neotree show')
  steps.wait('neo-tree', function()
    return vim.iter(vim.api.nvim_list_bufs()):any(function(buffer)
      return vim.bo[buffer].filetype == 'neo-tree'
    end)
  end)
  local inputs = require('neo-tree.ui.inputs')
  inputs.input = function(_, _, on_name)
    on_name('neo_b.py')
  end
  local actions = require('neo-tree.sources.filesystem.lib.fs_actions')
  local here = vim.fn.getcwd()
  local found = {
    by_us = sent_after(function()
      actions.rename_node(here .. '/neo_a.py', function() end)
    end),
    deleted = sent_after(function()
      actions.delete_node(here .. '/neo_b.py', function() end, true)
    end),
  }
  vim.cmd('Neotree close')
  return found
end

return function()
  steps.wait('the client', steps.client)
  steps.ask('control', { action = 'wait' })
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# not saved' })
  out.found, out.failures = {}, {}
  if vim.env.PF_PICKERS then
    dofile(vim.env.PF_PICKERS)
  end
  for results, run in vim.spairs(pickers) do
    vim.g.pilotfish = { results = results }
    if require('pilotfish.lists').picker() then
      local ok, found = xpcall(run, debug.traceback)
      out[ok and 'found' or 'failures'][results] = found
    end
  end
  vim.g.pilotfish = nil
  vim.cmd('silent edit!')
  for name, run in vim.spairs(explorers) do
    if vim.uv.fs_stat(vim.fs.joinpath(vim.env.PF_COMPANIONS, name)) then
      vim.cmd.tabnew()
      local ok, found = xpcall(run, debug.traceback)
      out[ok and 'found' or 'failures'][name] = found
    end
  end
end
