-- Defines `:Pilotfish` and enables the server; everything else is loaded when it is first used.
if vim.g.loaded_pilotfish then
  return
end
vim.g.loaded_pilotfish = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify_once('Pilotfish needs Neovim 0.11 or newer', vim.log.levels.WARN)
  return
end

vim.api.nvim_create_user_command('Pilotfish', function(typed)
  require('pilotfish.commands').run(typed)
end, {
  nargs = '*',
  range = true,
  bang = true,
  desc = 'Search the workspace by meaning, follow calls, draw its map …',
  complete = function(lead, line, position)
    return require('pilotfish.commands').complete(lead, line, position)
  end,
})

local group = vim.api.nvim_create_augroup('pilotfish', {})
vim.api.nvim_create_autocmd('LspProgress', {
  group = group,
  callback = function(event)
    require('pilotfish.progress').take(event.data)
  end,
})
vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'pilotfish' then
      require('pilotfish.files').listen()
      return true
    end
  end,
})

local settings = require('pilotfish.settings')
if settings.get().enable then
  settings.find_program()
  vim.lsp.enable('pilotfish')
end
