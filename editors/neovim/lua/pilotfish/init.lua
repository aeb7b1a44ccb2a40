-- What other parts of a configuration call: settings, the statusline, and the events of file explorers that the plugin
-- does not know.
local M = {}

--- Take settings; the same as setting `vim.g.pilotfish` before the plugin is loaded.
---@param settings? pilotfish.Settings|table<string, any>
function M.setup(settings)
  vim.g.pilotfish = vim.tbl_extend('force', vim.g.pilotfish or {}, settings or {})
  local problems = require('pilotfish.settings').problems(vim.g.pilotfish)
  if #problems > 0 then
    vim.notify('Pilotfish: ' .. table.concat(problems, '; '), vim.log.levels.WARN)
  end
end

--- What the server of the current buffer is doing, for a statusline: '' when it is quiet or not there.
---@return string
function M.statusline()
  return require('pilotfish.progress').statusline()
end

--- Run a subcommand of `:Pilotfish`, for mappings: `require('pilotfish').run('search', 'where is the cookie signed')`.
---@param name string
---@param arguments? string
function M.run(name, arguments)
  vim.cmd.Pilotfish({ args = { name, arguments } })
end

--- Tell the server that a file or folder was renamed or moved.
---@param from string absolute path
---@param to string absolute path
function M.file_renamed(from, to)
  require('pilotfish.files').renamed(from, to)
end

--- Tell the server that a file or folder was created.
---@param path string absolute path
function M.file_created(path)
  require('pilotfish.files').created(path)
end

--- Tell the server that a file or folder was deleted.
---@param path string absolute path
function M.file_deleted(path)
  require('pilotfish.files').deleted(path)
end

return M
