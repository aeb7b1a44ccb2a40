-- What is typed behind a subcommand: words, and filters among them (`lang:go path:server/ retry with backoff`).
local M = {}

---@class pilotfish.Filter
---@field parameter string of the operation
---@field values? string[] what there is to choose from
---@field of? 'number'|'list' how it is sent; else as text

local KINDS = {
  'class', 'constant', 'constructor', 'enum', 'enum member', 'field', 'function', 'interface', 'method', 'module',
  'namespace', 'property', 'struct', 'type parameter', 'variable',
}

local LANGUAGE = { parameter = 'language' }
local PATH = { parameter = 'file_filter' }
local KIND = { parameter = 'kind', values = KINDS }
local TESTS = { parameter = 'tests', values = { 'auto', 'include', 'exclude', 'only' } }
local BY = { parameter = 'search_type', values = { 'hybrid', 'semantic', 'symbol', 'text' } }
local RESULTS = { parameter = 'max_results', of = 'number' }
local TOKENS = { parameter = 'max_tokens', of = 'number' }

--- The filters of each subcommand, by their prefix.
---@type table<string, table<string, pilotfish.Filter>>
M.filters = {
  search = { lang = LANGUAGE, path = PATH, kind = KIND, tests = TESTS, by = BY, max = RESULTS },
  similar = { lang = LANGUAGE, path = PATH, kind = KIND, tests = TESTS, max = RESULTS },
  symbols = { path = PATH, kind = KIND, max = RESULTS },
  usages = { max = RESULTS },
  explain = { max = TOKENS },
  context = { lang = LANGUAGE, path = PATH, tests = TESTS, max = TOKENS },
  map = { path = { parameter = 'files', of = 'list' }, max = TOKENS },
  architecture = { max = TOKENS },
  trace = {
    to = { parameter = 'to' },
    direction = { parameter = 'direction', values = { 'callees', 'callers', 'both' } },
    depth = { parameter = 'max_depth', of = 'number' },
    max = TOKENS,
  },
}

---@param parameters table
---@param prefix string
---@param filter pilotfish.Filter
---@param value string
local function set(parameters, prefix, filter, value)
  if filter.of == 'list' then
    parameters[filter.parameter] = vim.list_extend(parameters[filter.parameter] or {}, { value })
  elseif filter.of == 'number' then
    parameters[filter.parameter] = tonumber(value) or value
  elseif prefix == 'kind' then
    parameters.kind = value:gsub('[-_]', ' ') -- kinds of two words are written in one: kind:enum-member
  else
    parameters[filter.parameter] = value
  end
end

--- Take a subcommand's filters out of what was typed; other words with a colon stay (`std::vector`).
---@param text string
---@param subcommand string
---@return string words
---@return table<string, any> parameters
function M.parse(text, subcommand)
  local words, parameters = {}, {}
  for word in text:gmatch('%S+') do
    local prefix, value = word:match('^(%l+):([^:].*)$')
    local filter = prefix and (M.filters[subcommand] or {})[prefix]
    if filter then
      set(parameters, prefix, filter, value)
    else
      table.insert(words, word)
    end
  end
  if next(parameters) == nil then
    return vim.trim(text), parameters -- as it is: spaces in a quoted text count
  end
  return table.concat(words, ' '), parameters
end

return M
