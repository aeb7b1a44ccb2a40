-- Pilotfish beside your language servers. Put this file into `lsp/` of your Neovim configuration (0.11 or newer) and
-- enable it:  vim.lsp.enable('pilotfish')
--
-- `workspace_symbol` is off here because Neovim 0.11 shows only the last server's answer, which would hide your primary
-- server's list. Ask Pilotfish by its own command instead:
--   vim.lsp.get_clients({ name = 'pilotfish' })[1]:exec_cmd({ title = '', command = 'pilotfish.findSymbols',
--     arguments = { { query = 'name' } } }, nil, function(_, result) vim.print(result.symbols) end)
---@type vim.lsp.Config
return {
  cmd = { 'pilotfish', 'serve' },
  root_markers = { '.git', 'pilotfish.toml' },
  init_options = {
    features = { workspace_symbol = false },
  },
}
