-- `:Pilotfish`: its subcommands, what each asks the server, and how the answer is shown.
local client = require('pilotfish.client')
local cursor = require('pilotfish.cursor')
local entries = require('pilotfish.entries')
local lists = require('pilotfish.lists')
local page = require('pilotfish.page')
local query = require('pilotfish.query')
local render = require('pilotfish.render')
local settings = require('pilotfish.settings')

local M = {}

---@class pilotfish.Call
---@field text string the arguments, as typed
---@field range? {first: integer, last: integer} lines that were given
---@field bang boolean
---@field modifiers table
---@field window integer where it was typed
---@field file string of that window, '' where it has none
---@field line integer of the cursor

---@class pilotfish.Subcommand
---@field run fun(call: pilotfish.Call)
---@field takes? 'question'|'name'|'path'|'area'|string[] what completion offers

---@param call pilotfish.Call
---@param prompt string
---@param on_text fun(text: string)
local function with_text(call, prompt, on_text)
  if call.text ~= '' then
    return on_text(call.text)
  end
  vim.ui.input({ prompt = prompt }, function(text)
    if text and vim.trim(text) ~= '' then
      on_text(vim.trim(text))
    end
  end)
end

---@type table<integer, string> by client id
local roots = {}

--- Call back with the folder that an answer's relative paths are meant in: the server may index more than the folder
--- that the editor opened.
---@param asked vim.lsp.Client
---@param on_root fun(root: string)
local function with_root(asked, on_root)
  if roots[asked.id] then
    return on_root(roots[asked.id])
  end
  local opened = asked.root_dir or vim.fn.getcwd()
  client.ask(asked, 'status', {}, function(status)
    roots[asked.id] = status.root ~= '' and status.root or nil
    on_root(roots[asked.id] or opened)
  end, function()
    on_root(opened)
  end)
end

---@param call pilotfish.Call
---@param command string
---@param parameters table
---@param subject string
---@param name string of the page
---@param lines_of fun(answer: table, root: string): pilotfish.Line[]
---@param more? {filetype?: string, keys?: string, on_answer?: fun(answer: table)}
local function show_page(call, command, parameters, subject, name, lines_of, more)
  more = more or {}
  client.question(command, parameters, function(answer, asked)
    if not client.is_found(answer, asked, subject) then
      return
    end
    with_root(asked, function(root)
      page.show({
        name = name,
        lines = lines_of(answer, root),
        root = root,
        client_id = asked.id,
        keys = more.keys,
        filetype = more.filetype,
        again = function()
          show_page(call, command, parameters, subject, name, lines_of, more)
        end,
      }, call.modifiers)
      if more.on_answer then
        more.on_answer(answer)
      end
    end)
  end)
end

---@param call pilotfish.Call
---@param command string
---@param parameters table
---@param subject string
---@param title string
---@param places_of fun(answer: table, asked: vim.lsp.Client): pilotfish.Entry[]
---@param note_of? fun(answer: table): string what the title says of the answer
local function show_places(call, command, parameters, subject, title, places_of, note_of)
  client.question(command, parameters, function(answer, asked)
    if client.is_found(answer, asked, subject) then
      local so_far = answer.index.phase ~= 'ready' and (' (%s)'):format(client.index_words(asked, answer.index)) or ''
      lists.show(places_of(answer, asked), title .. (note_of and note_of(answer) or '') .. so_far, call.window)
    end
  end)
end

---@param answer table with SearchHits
---@return pilotfish.Entry[]
local function hits_of(answer)
  return entries.of_hits(answer.results)
end

---@param parameters table
---@return table
local function of_hits(parameters)
  local more = { absolute_paths = true, snippet_chars = 0, max_results = settings.get().max_results }
  return vim.tbl_extend('force', more, parameters)
end

---@param call pilotfish.Call
local function search(call)
  local picker = lists.picker()
  if picker and (call.text == '' or call.bang) then
    return picker.live(call.text)
  end
  with_text(call, 'Search by meaning: ', function(text)
    local words, parameters = query.parse(text, 'search')
    parameters.query = words
    show_places(call, 'searchCode', of_hits(parameters), ("'%s'"):format(words), 'search ' .. text, hits_of)
  end)
end

---@param call pilotfish.Call
local function similar(call)
  local function ask(parameters, subject)
    show_places(call, 'findSimilar', of_hits(parameters), subject, subject, hits_of)
  end
  local name, filters = query.parse(call.text, 'similar')
  if name ~= '' then
    filters.symbol_name = name
    return ask(filters, 'code like ' .. name)
  elseif call.file == '' then
    return client.fail('similar needs a name here, since this buffer is no file: :Pilotfish similar NAME')
  end
  filters.file_path = call.file
  if call.range then
    filters.line_start, filters.line_end = call.range.first, call.range.last
    return ask(filters, ('code like lines %d-%d'):format(call.range.first, call.range.last))
  end
  client.with(function(asked)
    cursor.definition(asked, call.file, call.line, function(definition)
      if not definition then
        return client.say('no definition is around the cursor; name one, or give lines: :%Pilotfish similar')
      end
      filters.line_start, filters.line_end = definition.line_start, definition.line_end
      ask(filters, 'code like ' .. definition.name)
    end)
  end)
end

--- The name that was given, else the one under the cursor.
---@param call pilotfish.Call
---@param subcommand string
---@param on_name fun(name: string, parameters: table)
local function with_name(call, subcommand, on_name)
  local name, parameters = query.parse(call.text, subcommand)
  name = name ~= '' and name or cursor.word()
  if name == '' then
    return client.fail(('%s needs a name: there is none under the cursor'):format(subcommand))
  end
  on_name(name, parameters)
end

--- How many of the uses are known to mean the definition, and how many only hold its name.
---@param answer table FindUsagesResult
---@return string
local function certainty_words(answer)
  local by_name = answer.total - answer.bound
  local others = answer.others > 0 and (', %d of others left out'):format(answer.others) or ''
  if by_name > 0 then
    local more = answer.at_least and ' and more' or ''
    return (': %d bound to it, %d%s by name only%s'):format(answer.bound, by_name, more, others)
  end
  return others
end

---@param call pilotfish.Call
local function usages(call)
  with_name(call, 'usages', function(name, parameters)
    parameters.symbol_name, parameters.absolute_paths = name, true
    show_places(call, 'findUsages', parameters, 'uses of ' .. name, 'uses of ' .. name, function(answer, asked)
      return entries.of_usages(answer.usages, asked)
    end, certainty_words)
  end)
end

---@param call pilotfish.Call
local function symbols(call)
  with_name(call, 'symbols', function(name, parameters)
    parameters.query, parameters.absolute_paths = name, true
    show_places(call, 'findSymbols', parameters, name, 'symbols ' .. name, function(answer, asked)
      return entries.of_symbols(answer.symbols, asked)
    end)
  end)
end

---@param call pilotfish.Call
local function definition(call)
  with_name(call, 'definition', function(name)
    client.question('getDefinition', { symbol_name = name, absolute_paths = true }, function(answer, asked)
      if not client.is_found(answer, asked, name) then
        return
      end
      local places = entries.of_symbols(answer.definitions, asked)
      if #places > 1 then
        return lists.show(places, 'definitions of ' .. name, call.window)
      end
      entries.open(places[1])
    end)
  end)
end

---@param call pilotfish.Call
local function explain(call)
  if call.text == '' and call.range then
    local lines = ('lines %d-%d'):format(call.range.first, call.range.last)
    local parameters = { file_path = call.file, line_start = call.range.first, line_end = call.range.last }
    return show_page(call, 'explainCode', parameters, lines, 'explain', render.explanation)
  end
  with_name(call, 'explain', function(name, parameters)
    parameters.symbol_name = name
    show_page(call, 'explainCode', parameters, name, 'explain', render.explanation)
  end)
end

---@param call pilotfish.Call
local function trace(call)
  local name, parameters = query.parse(call.text, 'trace')
  local function show(from)
    parameters.entry_point = from
    local subject = parameters.to and ('%s to %s'):format(from, parameters.to) or from
    show_page(call, 'traceExecution', parameters, 'calls of ' .. subject, 'trace', render.trace, {
      keys = '<CR> definition   u call',
    })
  end
  if name ~= '' then
    return show(name)
  end
  -- The name under the cursor, where the repository defines it, else the definition around it.
  local word = cursor.word()
  client.with(function(asked)
    local function show_around()
      cursor.definition(asked, call.file, call.line, function(around)
        if around then
          show(around.name)
        else
          client.fail('trace needs a name: there is no definition at the cursor')
        end
      end)
    end
    if word == '' then
      return show_around()
    end
    client.ask(asked, 'getDefinition', { symbol_name = word, max_results = 1 }, function(answer)
      if #answer.definitions > 0 or call.file == '' then
        show(word)
      else
        show_around()
      end
    end)
  end)
end

---@param call pilotfish.Call
local function map(call)
  local task, parameters = query.parse(call.text, 'map')
  parameters.task = task
  show_page(call, 'repoMap', parameters, 'the map', 'map', render.map)
end

---@param call pilotfish.Call
local function architecture(call)
  local area, parameters = query.parse(call.text, 'architecture')
  parameters.focus_area, parameters.format = area ~= '' and area or 'full', 'text'
  show_page(call, 'getArchitecture', parameters, 'the architecture', 'architecture', render.architecture)
end

---@param call pilotfish.Call
local function status(call)
  client.question('status', {}, function(answer, asked)
    page.show({
      name = 'status',
      lines = render.status(answer),
      root = answer.root ~= '' and answer.root or asked.root_dir or '',
      client_id = asked.id,
      again = function()
        status(call)
      end,
    }, call.modifiers)
  end)
end

---@param call pilotfish.Call
local function context(call)
  with_text(call, 'Context for the task: ', function(text)
    local words, parameters = query.parse(text, 'context')
    parameters.task = words
    show_page(call, 'buildContext', parameters, ("'%s'"):format(words), 'context', render.context, {
      filetype = 'markdown',
      on_answer = function(answer)
        local register = call.bang and '+' or settings.get().context_register
        if register ~= '' then
          vim.fn.setreg(register, answer.text, 'V')
          client.say(('%d tokens for the task are in the register %s'):format(answer.tokens, register))
        end
      end,
    })
  end)
end

---@param call pilotfish.Call
local function why(call)
  local path = call.text ~= '' and call.text or call.file
  if path == '' then
    return client.fail('why needs a path, since this buffer is no file: :Pilotfish why PATH')
  end
  client.question('why', { path = path }, function(answer)
    client.say(render.why(answer))
  end)
end

---@param call pilotfish.Call
local function log(call)
  local function open(path)
    if vim.fn.filereadable(path) == 0 then
      return client.fail('there is no log yet: ' .. path)
    end
    vim.cmd.split({ vim.fn.fnameescape(path), mods = call.modifiers })
    vim.bo.autoread = true
    vim.bo.readonly = true
    vim.bo.modifiable = false
    vim.cmd('normal! G')
  end
  if call.text == 'lsp' then
    return open(vim.lsp.log.get_filename())
  end
  client.question('status', {}, function(answer)
    if answer.log_path == '' then
      return client.fail('no engine answers, so there is no log of one; :Pilotfish log lsp has that of the server')
    end
    open(answer.log_path)
  end)
end

---@param action 'rebuild'|'pause'|'resume'|'cancel'
---@return fun(call: pilotfish.Call)
local function control(action)
  return function()
    client.question('control', { action = action }, function(answer)
      client.say(answer.message)
    end)
  end
end

local function sync()
  client.question('sync', {}, function(answer)
    client.say(('read again: %d added, %d changed, %d removed, %d moved'):format(
      answer.added, answer.changed, answer.removed, answer.moved
    ))
  end)
end

---@type table<string, pilotfish.Subcommand>
M.subcommands = {
  search = { run = search, takes = 'question' },
  similar = { run = similar, takes = 'name' },
  symbols = { run = symbols, takes = 'name' },
  definition = { run = definition, takes = 'name' },
  usages = { run = usages, takes = 'name' },
  explain = { run = explain, takes = 'name' },
  trace = { run = trace, takes = 'name' },
  map = { run = map, takes = 'question' },
  architecture = { run = architecture, takes = 'area' },
  context = { run = context, takes = 'question' },
  status = { run = status },
  why = { run = why, takes = 'path' },
  log = { run = log, takes = { 'lsp' } },
  sync = { run = sync },
  rebuild = { run = control('rebuild') },
  pause = { run = control('pause') },
  resume = { run = control('resume') },
  cancel = { run = control('cancel') },
  restart = {
    run = function()
      require('pilotfish.restart').run()
    end,
  },
}

---@return string[]
function M.names()
  local names = vim.tbl_keys(M.subcommands)
  table.sort(names)
  return names
end

--- Run what was typed.
---@param typed vim.api.keyset.create_user_command.command_args
function M.run(typed)
  local name, text = vim.trim(typed.args):match('^(%S*)%s*(.*)$')
  name = name ~= '' and name or 'status'
  local subcommand = M.subcommands[name]
  if not subcommand then
    return client.fail(('no such subcommand: %s; there are %s'):format(name, table.concat(M.names(), ', ')))
  end
  subcommand.run({
    text = text,
    range = typed.range > 0 and { first = typed.line1, last = typed.line2 } or nil,
    bang = typed.bang,
    modifiers = typed.smods,
    window = vim.api.nvim_get_current_win(),
    file = cursor.file(),
    line = vim.api.nvim_win_get_cursor(0)[1],
  })
end

--- Complete a command line.
---@param lead string
---@param line string
---@param position integer
---@return string[]
function M.complete(lead, line, position)
  return require('pilotfish.completion').complete(lead, line:sub(1, position), M.subcommands)
end

return M
