-- Results in snacks.picker.
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
    buf = live.buffer(place.filename), -- its preview then shows what is not saved
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
    source = 'pilotfish',
    title = 'Pilotfish: ' .. title,
    items = items_of(places),
    format = 'file',
  })
end

--- A finder of snacks: asks for what is typed and waits.
---@param source pilotfish.Live
---@return fun(options: table, context: table): any
local function finder(source)
  return function(_, context)
    local typed = context.filter.search
    if typed == '' then
      return {}
    end
    return function(add)
      local running = require('snacks.picker.util.async').running()
      local found ---@type table[]?
      running:on('abort', function()
        source:give_up()
      end)
      vim.schedule(function()
        source:ask(typed, function(places, note)
          found = items_of(places)
          if context.picker and note ~= '' then
            context.picker.title = 'Pilotfish: ' .. note
          end
          running:resume()
        end)
      end)
      while not found do
        running:suspend()
      end
      for _, item in ipairs(found) do
        add(item)
      end
    end
  end
end

--- Search while typing.
---@param text? string
function M.live(text)
  live.open(function(source)
    require('snacks.picker').pick({
      source = 'pilotfish',
      title = 'Pilotfish',
      finder = finder(source),
      format = 'file',
      live = true,
      supports_live = true,
      search = text ~= '' and text or nil,
    })
  end)
end

return M
