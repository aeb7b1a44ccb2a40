-- What may follow on a `:Pilotfish` command line: subcommands, filters and their values, names, paths.
local client = require('pilotfish.client')
local query = require('pilotfish.query')

local M = {}

local PATIENCE_MS = 600
local MOST_NAMES = 60

---@param command string
---@param parameters table
---@return table?
local function answer_of(command, parameters)
  local asked = client.of()
  if not asked or not asked.initialized then
    return nil
  end
  local question = { command = 'pilotfish.' .. command, arguments = { parameters } }
  local reply = asked:request_sync('workspace/executeCommand', question, PATIENCE_MS, 0)
  return reply and reply.result or nil
end

---@param choices string[]
---@param lead string
---@return string[]
local function beginning_with(choices, lead)
  return vim.tbl_filter(function(choice)
    return vim.startswith(choice, lead)
  end, choices)
end

--- Names of definitions, best first. The server also finds parts of names and abbreviations, the command line puts them
--- in the place of what was typed.
---@param lead string
---@return string[]
local function names(lead)
  if lead == '' then
    local word = require('pilotfish.cursor').word()
    return word ~= '' and { word } or {}
  end
  local found, seen = {}, {}
  local answer = answer_of('findSymbols', { query = lead, max_results = MOST_NAMES })
  for _, symbol in ipairs(answer and answer.symbols or {}) do
    local is_qualified = lead:find('.', 1, true) and symbol.container ~= ''
    local name = is_qualified and ('%s.%s'):format(symbol.container, symbol.name) or symbol.name
    if not seen[name] and not name:find('%s') then
      seen[name] = true
      table.insert(found, name)
    end
  end
  return found
end

--- Paths below the root, relative to it.
---@param lead string
---@return string[]
local function paths(lead)
  local asked = client.of()
  local root = asked and asked.root_dir or vim.fn.getcwd()
  local found = {}
  for _, path in ipairs(vim.fn.getcompletion(vim.fs.joinpath(root, lead), 'file')) do
    local relative = vim.fs.relpath(root, (path:gsub('/$', '')))
    if relative and relative ~= '.git' then
      table.insert(found, relative .. (path:sub(-1) == '/' and '/' or ''))
    end
  end
  return found
end

---@return string[]
local function languages()
  local answer = answer_of('status', vim.empty_dict())
  return vim.tbl_map(function(each)
    return each.language
  end, answer and answer.languages or {})
end

---@param prefix string
---@param filter pilotfish.Filter
---@param lead string what stands behind the prefix
---@return string[]
local function values(prefix, filter, lead)
  local found = {}
  if prefix == 'path' then
    found = paths(lead)
  elseif prefix == 'lang' then
    found = beginning_with(languages(), lead)
  elseif prefix == 'to' then
    found = names(lead)
  elseif filter.values then
    local in_one_word = vim.tbl_map(function(value)
      return (value:gsub(' ', '-'))
    end, filter.values)
    found = beginning_with(in_one_word, lead)
  end
  return vim.tbl_map(function(value)
    return ('%s:%s'):format(prefix, value)
  end, found)
end

---@param lead string the word that is being typed
---@param line string up to the cursor
---@param subcommands table<string, pilotfish.Subcommand>
---@return string[]
function M.complete(lead, line, subcommands)
  local before = line:sub(1, #line - #lead)
  local typed = vim.split(vim.trim(before:gsub('^.-Pilotfish!?', '', 1)), '%s+', { trimempty = true })
  if #typed == 0 then
    local all = vim.tbl_keys(subcommands)
    table.sort(all)
    return beginning_with(all, lead)
  end
  local subcommand = subcommands[typed[1]]
  if not subcommand or not subcommand.takes then
    return {}
  end
  local filters = query.filters[typed[1]] or {}
  local prefix, rest = lead:match('^(%l+):(.*)$')
  if prefix and filters[prefix] then
    return values(prefix, filters[prefix], rest)
  end
  local found = {}
  for each in vim.spairs(filters) do
    table.insert(found, each .. ':')
  end
  found = beginning_with(found, lead)
  if type(subcommand.takes) == 'table' then
    vim.list_extend(found, beginning_with(subcommand.takes --[=[@as string[]]=], lead))
  elseif subcommand.takes == 'path' then
    vim.list_extend(found, paths(lead))
  elseif subcommand.takes == 'area' then
    vim.list_extend(found, beginning_with({ 'full', 'backend', 'frontend' }, lead))
    vim.list_extend(found, paths(lead))
  elseif subcommand.takes == 'name' or #lead >= 2 then
    -- A question is not made of names, but may hold one: from two letters on.
    vim.list_extend(found, names(lead))
  end
  return found
end

return M
