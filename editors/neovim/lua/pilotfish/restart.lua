-- Stops the server of the current buffer and starts it again for the same buffers. The engine, which other editors and
-- agents may use, goes on.
local client = require('pilotfish.client')

local M = {}

local PATIENCE_MS = 5000

---@param config vim.lsp.ClientConfig
---@param buffers integer[]
local function start(config, buffers)
  local attached = false
  for _, buffer in ipairs(buffers) do
    if vim.api.nvim_buf_is_valid(buffer) then
      attached = vim.lsp.start(config, { bufnr = buffer }) ~= nil or attached
    end
  end
  if not attached then
    vim.lsp.start(config, { attach = false })
  end
  client.say('started again')
end

function M.run()
  local running = client.of()
  if not running then
    return client.with(function()
      client.say('started')
    end)
  end
  local buffers = vim.tbl_keys(running.attached_buffers)
  -- What the settings say now, and the root as it was.
  local config = vim.tbl_extend('force', vim.deepcopy(vim.lsp.config.pilotfish or running.config), {
    name = 'pilotfish',
    root_dir = running.root_dir,
  })
  running:stop()
  client.when(function()
    return running:is_stopped()
  end, PATIENCE_MS, function(is_stopped)
    if not is_stopped then
      running:stop(true)
    end
    start(config, buffers)
  end)
end

return M
