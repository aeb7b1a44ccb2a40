-- What each server is doing, as it says by progress and by its status: for the statusline, and for empty answers.
local M = {}

---@class pilotfish.State
---@field stretches table<string, {title: string, message: string?, percentage: integer?}> work under way, by token
---@field health? {health: 'ok'|'warning'|'error', quiescent: boolean, message: string?}

---@type table<integer, pilotfish.State> by client id
local states = {}

local is_drawn = true

---@param client_id integer
---@return pilotfish.State
local function state_of(client_id)
  states[client_id] = states[client_id] or { stretches = {} }
  return states[client_id]
end

--- Draw statuslines again, at most ten times a second.
local function redraw()
  if is_drawn then
    is_drawn = false
    vim.defer_fn(function()
      is_drawn = true
      vim.cmd.redrawstatus({ bang = true, mods = { silent = true } })
    end, 100)
  end
end

--- Take the data of an LspProgress event.
---@param data {client_id: integer, params: {token: string|integer, value: table}}
function M.take(data)
  local client = vim.lsp.get_client_by_id(data.client_id)
  if not client or client.name ~= 'pilotfish' then
    return
  end
  local stretches, token, value = state_of(data.client_id).stretches, tostring(data.params.token), data.params.value
  if value.kind == 'end' then
    stretches[token] = nil
  else
    local before = stretches[token] or {}
    stretches[token] = {
      title = value.title or before.title or '',
      message = value.message or before.message,
      percentage = value.percentage or before.percentage,
    }
  end
  redraw()
end

--- Take `experimental/serverStatus`.
---@param client_id integer
---@param health {health: string, quiescent: boolean, message: string?}
function M.take_health(client_id, health)
  state_of(client_id).health = health
  redraw()
end

---@param client_id integer
---@return {health: string, quiescent: boolean, message: string?}?
function M.health(client_id)
  return states[client_id] and states[client_id].health
end

--- The count of files of the work under way ('120 of 400 files'), nil where there is none.
---@param client_id integer
---@return string?
function M.counted(client_id)
  for _, stretch in vim.spairs(states[client_id] and states[client_id].stretches or {}) do
    if stretch.title:find('^Indexing') or stretch.title:find('^Updating') then
      return stretch.message
    end
  end
end

---@param stretch {title: string, message: string?, percentage: integer?}
---@return string
local function words(stretch)
  local doing = stretch.title:gsub('^Indexing.*', 'indexing'):gsub('^Updating.*', 'updating'):gsub('^%u', string.lower)
  if stretch.message and stretch.message ~= '' then
    return ('%s %s'):format(doing, stretch.message)
  end
  return doing
end

--- What the server of the current buffer is doing; '' when it is quiet or not there.
---@return string
function M.statusline()
  local buffer = vim.api.nvim_win_get_buf(vim.g.statusline_winid or 0)
  local client = require('pilotfish.client').of(buffer)
  local state = client and states[client.id]
  if not client or not state then
    return ''
  end
  if state.health and state.health.health == 'error' then
    return 'Pilotfish: failed'
  end
  local first = vim.iter(vim.spairs(state.stretches)):next()
  if first then
    return 'Pilotfish: ' .. words(state.stretches[first])
  end
  if state.health and state.health.health == 'warning' then
    return 'Pilotfish: warning'
  end
  return ''
end

return M
