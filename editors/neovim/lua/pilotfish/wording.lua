-- The server's advice in the words of `:Pilotfish`: it names operations and their parameters, a person types
-- subcommands and filters.
local query = require('pilotfish.query')

local M = {}

local SUBCOMMANDS = {
  search_code = 'search',
  find_similar = 'similar',
  find_symbols = 'symbols',
  find_usages = 'usages',
  get_definition = 'definition',
  explain_code = 'explain',
  trace_execution = 'trace',
  repo_map = 'map',
  get_architecture = 'architecture',
  build_context = 'context',
  get_repo_status = 'status',
  sync_repository = 'sync',
}

---@type table<string, string> prefixes by parameter
local PREFIXES = { page = 'max:', focus_area = '' }
for _, filters in pairs(query.filters) do
  for prefix, filter in pairs(filters) do
    PREFIXES[filter.parameter] = prefix .. ':'
  end
end

---@param advice string
---@return string
function M.spelled(advice)
  return (advice
    :gsub('([%a_]+)=(%w+)', function(parameter, value)
      if parameter == 'page' then
        return 'a larger max:'
      end
      return PREFIXES[parameter] and PREFIXES[parameter] .. value or nil
    end)
    :gsub('without ([%a_]+)', function(parameter)
      return PREFIXES[parameter] and 'without ' .. PREFIXES[parameter] or nil
    end)
    :gsub('%f[%w_][%l]+_[%l_]+%f[^%w_]', function(name)
      return SUBCOMMANDS[name] and ':Pilotfish ' .. SUBCOMMANDS[name] or PREFIXES[name]
    end))
end

--- The advice of an answer without results, to follow on "no match for …", and without saying that once more.
---@param advice string
---@return string
function M.following(advice)
  for _, said in ipairs({ '^No definition is called .-([;:.] )', '^%S+ has no %S-([;:.] )' }) do
    local shorter, count = advice:gsub(said, '%1', 1)
    if count > 0 then
      return M.spelled(shorter)
    end
  end
  return advice ~= '' and '. ' .. M.spelled(advice) or ''
end

return M
