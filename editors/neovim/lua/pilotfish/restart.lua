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
  local timer, waited = assert(vim.uv.new_timer()), 0
  timer:start(20, 20, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    waited = waited + 20
    if running:is_stopped() or waited > PATIENCE_MS then
      timer:close()
      running:stop(true)
      start(config, buffers)
    end
  end))
end

return M
