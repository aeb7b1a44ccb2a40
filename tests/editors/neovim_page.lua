-- Runs the snippets that the test put into the folder PF_SNIPPETS, and looks at what they did.
local out, steps = steps.out, steps

local function run(source)
  for _, file in ipairs(vim.fn.glob(('%s/%s-*.lua'):format(vim.env.PF_SNIPPETS, source), true, true)) do
    dofile(file)
  end
end

return function()
  run('help')
  run('readme')
  run('page')
  local settings = require('pilotfish.settings')
  out.settings, out.defaults, out.problems = settings.get(), settings.defaults, settings.problems(vim.g.pilotfish)
  out.mappings = vim.tbl_map(function(mapping)
    return mapping.desc or ''
  end, vim.api.nvim_get_keymap('n'))
  steps.wait('the client', steps.client)
  vim.cmd('Pilotfish restart')
  steps.wait('the configuration', function()
    return steps.client() and steps.client().offset_encoding == 'utf-8'
  end)
  out.features, out.server_settings = steps.client().config.init_options.features, steps.client().settings
  out.statusline = vim.api.nvim_eval_statusline(vim.o.statusline, {}).str
  steps.ask('control', { action = 'wait', semantic = true })
  out.search = steps.list('Pilotfish search how does the motor get cold')
end
