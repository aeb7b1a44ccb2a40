-- Pilotfish beside your language servers, for Neovim 0.11 or newer. The plugin around this file enables it; alone it
-- goes into `lsp/` of your configuration, with  vim.lsp.enable('pilotfish')  in init.lua.
--
-- There are no filetypes: it serves all of them. It starts only where a root is found, not for every file in /tmp.
--
-- `workspace_symbol` is off because Neovim 0.11 shows only the last server's answer, which would hide your primary
-- server's list; `:Pilotfish symbols` asks Pilotfish instead. Definition, references, outline and highlights are off
-- unless you turn them on, so that no list holds an answer twice.
---@type vim.lsp.Config
return {
  cmd = { 'pilotfish', 'serve' },
  root_markers = { { 'pilotfish.toml', '.git', '.jj', '.hg' } },
  workspace_required = true,
  capabilities = { experimental = { serverStatusNotification = true } },
  init_options = {
    features = { workspace_symbol = false },
  },
  handlers = {
    -- The plugin's statusline shows this; without the plugin the server's log has it too.
    ['experimental/serverStatus'] = function(_, status, context)
      local has_plugin, progress = pcall(require, 'pilotfish.progress')
      if has_plugin then
        progress.take_health(context.client_id, status)
      end
      return vim.NIL
    end,
  },
}
