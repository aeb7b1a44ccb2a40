-- The plugin's settings: `vim.g.pilotfish`, or what `require('pilotfish').setup()` was given. Settings of the server
-- are not here but in `vim.lsp.config('pilotfish', { settings = { pilotfish = … } })`.
local M = {}

---@class pilotfish.Settings
---@field enable boolean start the server for files below a root marker
---@field results 'quickfix'|'loclist'|'select'|'telescope'|'fzf-lua'|'snacks' where lists of places are shown
---@field open_list boolean open the window of the quickfix or location list
---@field max_results integer places in a list, at most
---@field context_register string a register that `context` also writes to, such as '+'; '' is none
---@field file_operations boolean tell the server what file explorers rename, create and delete
---@field debounce_ms integer how long a picker waits for the next key stroke before it asks, in milliseconds

---@type pilotfish.Settings
M.defaults = {
  enable = true,
  results = 'quickfix',
  open_list = true,
  max_results = 20,
  context_register = '',
  file_operations = true,
  debounce_ms = 120,
}

local RESULTS = { 'quickfix', 'loclist', 'select', 'telescope', 'fzf-lua', 'snacks' }

---@param given table<string, any>
---@return string[] problems one sentence each
function M.problems(given)
  local problems = {}
  for key, value in vim.spairs(given) do
    local default = M.defaults[key]
    if default == nil then
      table.insert(problems, ('no such setting: %s; there are %s'):format(key, table.concat(M.names(), ', ')))
    elseif type(value) ~= type(default) then
      table.insert(problems, ('%s is a %s, not a %s'):format(key, type(default), type(value)))
    elseif key == 'results' and not vim.list_contains(RESULTS, value) then
      table.insert(problems, ('results is one of %s, not %s'):format(table.concat(RESULTS, ', '), value))
    end
  end
  return problems
end

---@return string[]
function M.names()
  local names = vim.tbl_keys(M.defaults)
  table.sort(names)
  return names
end

--- The settings that hold now; a wrong value is passed over for its default, and `:checkhealth pilotfish` names it.
---@return pilotfish.Settings
function M.get()
  local settings = vim.deepcopy(M.defaults)
  local given = type(vim.g.pilotfish) == 'table' and vim.g.pilotfish or {}
  for key, value in pairs(given) do
    if #M.problems({ [key] = value }) == 0 then
      settings[key] = value
    end
  end
  return settings
end

--- Where the program is not on the PATH and the plugin lies in a clone with an environment of its own, take that one.
function M.find_program()
  local config = vim.lsp.config.pilotfish
  local program = config and type(config.cmd) == 'table' and config.cmd[1] or nil
  if program ~= 'pilotfish' or vim.fn.executable(program) == 1 then
    return
  end
  local here = vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)) or ''
  local clone = vim.fs.dirname(here):gsub('/editors/neovim/lua/pilotfish$', '')
  for _, inside in ipairs({ '.venv/bin/pilotfish', '.venv/Scripts/pilotfish.exe' }) do
    local candidate = vim.fs.joinpath(clone, inside)
    if vim.fn.executable(candidate) == 1 then
      vim.lsp.config('pilotfish', { cmd = vim.list_extend({ candidate }, vim.list_slice(config.cmd, 2)) })
      return
    end
  end
end

return M
