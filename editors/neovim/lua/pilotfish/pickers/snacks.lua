-- Results in snacks.picker.
local entries = require('pilotfish.entries')
local live = require('pilotfish.live')

local M = {}

---@return boolean
function M.is_installed()
  return (pcall(require, 'snacks.picker'))
end

---@param place pilotfish.Entry
---@param number integer
---@return table
local function item_of(place, number)
  return {
    text = ('%s:%d %s'):format(place.path, place.lnum, place.text),
    file = place.filename,
    buf = entries.buffer(place.filename), -- its preview then shows what is not saved
    pos = { place.lnum, math.max((place.col or 1) - 1, 0) },
    end_pos = place.end_lnum and { place.end_lnum, 0 } or nil,
    line = place.text,
    idx = number,
    score = 1000 - number,
  }
end

---@param places pilotfish.Entry[]
---@return table[]
local function items_of(places)
  local items = {}
  for number, place in ipairs(places) do
    items[number] = item_of(place, number)
  end
  return items
end

--- Show places that are there already.
---@param places pilotfish.Entry[]
---@param title string
function M.pick(places, title)
  require('snacks.picker').pick({
    source = 'pilotfish_places', -- `pilotfish` is the search
    title = 'Pilotfish: ' .. title,
    items = items_of(places),
    format = 'file',
  })
end

--- Ask for what is typed, and wait.
---@param context table of a finder of snacks
---@return any
local function find(_, context)
  local typed = context.filter.search
  if typed == '' then
    return {}
  end
  return function(add)
    local running = require('snacks.picker.util.async').running()
    local found ---@type table[]?
    local asked ---@type pilotfish.Live?
    running:on('abort', vim.schedule_wrap(function()
      if asked then
        asked:give_up()
      end
    end))
    vim.schedule(function()
      live.open(function(source)
        asked = source
        source:ask(typed, function(places, note)
          found = items_of(places)
          context.picker.title = 'Pilotfish' .. (note ~= '' and ': ' .. note or '')
          running:resume()
        end)
      end, context.filter.current_buf)
    end)
    while not found do
      running:suspend()
    end
    for _, item in ipairs(found) do
      add(item)
    end
  end
end

--- A source for `picker.sources` of snacks: results while a question is typed.
---@return table
function M.source()
  return { title = 'Pilotfish', finder = find, format = 'file', live = true, supports_live = true }
end

--- Search while typing.
---@param text? string
function M.live(text)
  local more = { source = 'pilotfish', search = text ~= '' and text or nil }
  require('snacks.picker').pick(vim.tbl_extend('error', M.source(), more))
end

return M
