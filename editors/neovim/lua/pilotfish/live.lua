-- Search while a question is typed, for all pickers: waits for a pause, cancels what is overtaken, and says why there
-- is nothing.
local client = require('pilotfish.client')
local entries = require('pilotfish.entries')
local query = require('pilotfish.query')
local settings = require('pilotfish.settings')

local M = {}

---@class pilotfish.Live
---@field private asked vim.lsp.Client
---@field private cancel fun()?
---@field private turn integer
local Live = {}
Live.__index = Live

--- The note says why there are no places, or not all yet.
---@alias pilotfish.OnPlaces fun(places: pilotfish.Entry[], note: string)

--- Call back with a source of results, which asks the client of a buffer.
---@param on_source fun(source: pilotfish.Live)
---@param bufnr? integer the one that is current now by default
function M.open(on_source, bufnr)
  client.with(function(asked)
    on_source(setmetatable({ asked = asked, turn = 0 }, Live))
  end, nil, bufnr)
end

---@param asked vim.lsp.Client
---@param answer pilotfish.Answer
---@return string
local function note_of(asked, answer)
  if answer.outcome == 'no_match' then
    return 'no match'
  elseif answer.index.phase ~= 'ready' then
    return client.index_words(asked, answer.index)
  end
  return ''
end

--- Ask for what was typed. Of several questions in a row only the last is answered; the others are given up.
---@param text string
---@param on_places pilotfish.OnPlaces
function Live:ask(text, on_places)
  self:give_up()
  self.turn = self.turn + 1
  local turn = self.turn
  local words, parameters = query.parse(text, 'search')
  if words == '' then
    return on_places({}, '')
  end
  parameters.query, parameters.absolute_paths, parameters.snippet_chars = words, true, 0
  parameters.max_results = settings.get().max_results
  vim.defer_fn(function()
    if turn ~= self.turn then
      return
    end
    self.cancel = client.ask(self.asked, 'searchCode', parameters, function(answer)
      on_places(entries.of_hits(answer.results), note_of(self.asked, answer))
    end, function(failure)
      on_places({}, failure)
    end)
  end, settings.get().debounce_ms)
end

--- Give up the question that is under way.
function Live:give_up()
  self.turn = self.turn + 1
  if self.cancel then
    self.cancel()
    self.cancel = nil
  end
end

return M
