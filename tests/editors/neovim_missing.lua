-- The plugin where the program is not installed.
local out, steps = steps.out, steps

return function()
  out.search = steps.say('Pilotfish search how does the motor get cold')
  out.level = steps.said[#steps.said].level
  out.said = #steps.said
  out.statusline = require('pilotfish').statusline()
  out.completion = vim.fn.getcompletion('Pilotfish usages start', 'cmdline')
  vim.cmd('checkhealth pilotfish')
  out.health = vim.api.nvim_buf_get_lines(0, 0, -1, false)
end
