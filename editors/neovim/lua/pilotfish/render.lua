-- Answers as the lines of a page.
local M = {}

---@param number integer
---@return string with commas between thousands
local function grouped(number)
  local text = tostring(math.floor(number)):reverse():gsub('(%d%d%d)', '%1,'):reverse()
  return (text:gsub('^,', ''))
end

---@param number integer
---@param noun string
---@return string
local function count(number, noun)
  return ('%s %s%s'):format(grouped(number), noun, number == 1 and '' or 's')
end

---@param bytes number
---@return string
local function size(bytes)
  for _, unit in ipairs({ 'bytes', 'KiB', 'MiB' }) do
    if bytes < 1024 then
      return unit == 'bytes' and count(bytes, 'byte') or ('%.1f %s'):format(bytes, unit)
    end
    bytes = bytes / 1024
  end
  return ('%.1f GiB'):format(bytes)
end

---@param place string `path:line`
---@return {path: string, lnum: integer}?
local function target_of(place)
  local path, line = place:match('^(.*):(%d+)$')
  return path and { path = path, lnum = tonumber(line) } or nil
end

---@param step table a TraceStep
---@return pilotfish.Line
local function trace_line(step)
  local is_callee = step.direction ~= 'callers'
  local marks = { is_callee and ('line %d'):format(step.line) or ('%s:%d'):format(step.path, step.line) }
  if (step.count or 1) > 1 then
    table.insert(marks, count(step.count, 'time'))
  end
  if (step.ambiguous or 0) > 0 then
    table.insert(marks, ('1 of %d it may be'):format(step.ambiguous))
  end
  local flags = { { 'cycle', step.cycle }, { 'followed elsewhere', step.repeated }, { 'cut', step.cut } }
  for _, flag in ipairs(flags) do
    if flag[2] then
      table.insert(marks, flag[1])
    end
  end
  local reached = is_callee and step.callee or step.caller
  return {
    text = ('%s%s  %s  (%s)'):format(('  '):rep(step.depth), reached, step.defined_at, table.concat(marks, ', ')),
    target = target_of(step.defined_at),
    used_at = { path = step.path, lnum = step.line },
  }
end

---@param answer table TraceExecutionResult
---@return pilotfish.Line[]
function M.trace(answer)
  local lines = {
    {
      text = ('%s %s  %s'):format(answer.entry, answer.entry_kind, answer.entry_at),
      target = target_of(answer.entry_at),
      highlight = 'Title',
    },
  }
  local direction
  for _, step in ipairs(answer.steps) do
    local towards = step.direction or 'callees'
    if towards ~= direction then
      direction = towards
      table.insert(lines, { text = towards == 'callees' and 'calls' or 'called by', highlight = 'Comment' })
    end
    table.insert(lines, trace_line(step))
  end
  if answer.hint ~= '' then
    table.insert(lines, { text = require('pilotfish.wording').spelled(answer.hint), highlight = 'Comment' })
  end
  return lines
end

--- The map's text, whose files and definitions stand in the order of `files`.
---@param answer table RepoMapResult in the format `tree`
---@return pilotfish.Line[]
function M.map(answer)
  local lines, file, shown = {}, 0, 0
  for _, text in ipairs(vim.split(vim.trim(answer.text), '\n')) do
    local line = { text = text }
    local following = answer.files[file + 1]
    if following and not text:find('^%s') and text:sub(-1) == ':' then
      file, shown = file + 1, 0
      line.target, line.highlight = { path = following.path, lnum = 1 }, 'Directory'
    elseif text:find('^%s') and answer.files[file] then
      shown = shown + 1
      local symbol = answer.files[file].symbols[shown]
      line.target = symbol and { path = answer.files[file].path, lnum = symbol.line }
    end
    table.insert(lines, line)
  end
  local cost = ('%s of %s tokens (%s)'):format(grouped(answer.tokens), grouped(answer.max_tokens), answer.counter)
  table.insert(lines, 1, { text = cost, highlight = 'Comment' })
  if #answer.unknown_files > 0 then
    local unknown = 'not in the index: ' .. table.concat(answer.unknown_files, ', ')
    table.insert(lines, { text = unknown, highlight = 'WarningMsg' })
  end
  return lines
end

--- The first file or folder of the root that a line names.
---@param text string
---@param root string
---@param bases string[] folders that names may be shortened by
---@return {path: string, lnum: integer}?
local function named_place(text, root, bases)
  for word in text:gmatch('[^%s,;()]+') do
    local name = word:gsub(':$', ''):gsub('/%*$', ''):gsub('^/', '')
    for _, base in ipairs(name:find('[%w_]') and bases or {}) do
      local path = vim.fs.joinpath(base, name):gsub('^/', '')
      if vim.uv.fs_stat(vim.fs.joinpath(root, path)) then
        return { path = path, lnum = 1 }
      end
    end
  end
end

---@param answer table GetArchitectureResult in the format `text`
---@param root string
---@return pilotfish.Line[]
function M.architecture(answer, root)
  local base = (answer.text:match('named as seen from (%S+)\n') or ''):gsub('/$', '')
  local lines, module = {}, base
  for number, text in ipairs(vim.split(vim.trim(answer.text), '\n')) do
    local is_heading = text ~= '' and not text:find('^%s')
    local line = { text = text, highlight = number > 1 and is_heading and 'Title' or nil }
    if not is_heading then
      -- A module's files are named as seen from its folder.
      local files = text:match('^    files (.*)$')
      line.target = named_place(files or text:gsub('^    uses ', ''), root, files and { module } or { base, '' })
      module = not text:find('^    ') and line.target and line.target.path or module
    end
    table.insert(lines, line)
  end
  if answer.truncated then
    local more = 'There is more: :Pilotfish architecture FOLDER looks into a part.'
    table.insert(lines, { text = more, highlight = 'Comment' })
  end
  return lines
end

--- The source to read for a task. Lines of source lead to themselves.
---@param answer table BuildContextResult
---@return pilotfish.Line[]
function M.context(answer)
  local lines, path, next_line = {}, nil, nil
  for _, text in ipairs(vim.split(answer.text, '\n')) do
    local line = { text = text }
    local first = text:match('^Lines? (%d+)')
    if text:find('^## ') and not next_line then
      path = text:sub(4)
      line.target = { path = path, lnum = 1 }
    elseif first and path then
      line.target = { path = path, lnum = tonumber(first) }
      next_line = tonumber(first) - 1
    elseif text:find('^```') then
      next_line = text ~= '```' and next_line or nil
    elseif next_line and path then
      next_line = next_line + 1
      line.target = { path = path, lnum = next_line }
    end
    table.insert(lines, line)
  end
  return lines
end

---@param answer table StatusResult
---@return string
local function vectors(answer)
  local index, semantic = answer.index, answer.semantic
  if semantic.phase == 'off' then
    return 'off'
  end
  local pending = semantic.pending > 0 and (', %s pending'):format(count(semantic.pending, 'file')) or ''
  local text = ('%s, %s of %s%s, by %s'):format(
    semantic.phase, grouped(index.embedded), count(index.chunks, 'passage'), pending, semantic.model
  )
  return semantic.message ~= '' and ('%s: %s'):format(text, semantic.message) or text
end

---@param answer table StatusResult
---@return string[][]
local function facts(answer)
  local index, connection = answer.index, answer.connection or {}
  local pending = index.pending > 0 and (', %s pending'):format(count(index.pending, 'file')) or ''
  local reason = answer.root_reason ~= '' and (' (%s)'):format(answer.root_reason) or ''
  return {
    { 'root', answer.root .. reason },
    { 'state', ('%s%s, generation %d'):format(index.phase, pending, index.generation) },
    { 'files', ('%s (%s of source)'):format(grouped(index.files), size(answer.source_bytes)) },
    { 'open', count(answer.unsaved_documents, 'document') },
    { 'symbols', ('%s, %s'):format(grouped(answer.symbols), count(answer.references, 'reference')) },
    { 'vectors', vectors(answer) },
    { 'head', type(answer.head) == 'string' and answer.head or 'no git commit' },
    { 'index', ('%s (%s)'):format(answer.index_folder, size(answer.index_bytes)) },
    { 'watcher', answer.watcher ~= '' and answer.watcher or 'none' },
    { 'engine', ('process %d, version %s'):format(answer.engine_pid, answer.version) },
    { 'memory', ('%s, of engine and %s'):format(size(answer.memory_bytes), count(#answer.worker_pids, 'worker')) },
    { 'clients', table.concat(answer.sessions, ', ') },
    { 'encoding', connection.position_encoding or '' },
    { 'log', answer.log_path },
  }
end

---@param answer table StatusResult
---@return pilotfish.Line[]
function M.status(answer)
  local lines = {}
  local function heading(text)
    table.insert(lines, { text = '' })
    table.insert(lines, { text = text, highlight = 'Title' })
  end
  for _, warning in ipairs(answer.warnings) do
    table.insert(lines, { text = 'warning: ' .. warning, highlight = 'WarningMsg' })
  end
  for _, fact in ipairs(facts(answer)) do
    local line = { text = ('%-9s %s'):format(fact[1], fact[2]) }
    if fact[1] == 'log' and fact[2] ~= '' then
      line.target = { path = fact[2], lnum = 1 }
    end
    table.insert(lines, line)
  end
  heading('languages')
  for _, each in ipairs(answer.languages) do
    local errors = each.with_errors > 0 and (', %d with syntax errors'):format(each.with_errors) or ''
    local text = ('  %-12s %s, %s%s'):format(
      each.language, count(each.files, 'file'), count(each.symbols, 'symbol'), errors
    )
    table.insert(lines, { text = text })
  end
  if #answer.skipped > 0 then
    heading('listed without an outline')
    for _, each in ipairs(answer.skipped) do
      table.insert(lines, { text = ('  %6s  %s'):format(grouped(each.files), each.reason) })
    end
  end
  if #answer.most_used > 0 then
    heading('most used')
    for _, each in ipairs(answer.most_used) do
      local text = ('  %6s  %s %s  %s:%d'):format(grouped(each.uses or 0), each.kind, each.name, each.path, each.line)
      table.insert(lines, { text = text, target = { path = each.path, lnum = each.line } })
    end
  end
  return lines
end

---@param heading string
---@param related table[] RelatedCode
---@return pilotfish.Line[]
local function related_lines(heading, related)
  local lines = #related > 0 and { { text = '' }, { text = heading, highlight = 'Title' } } or {}
  for _, each in ipairs(related) do
    local times = each.count > 1 and ('  %d times'):format(each.count) or ''
    table.insert(lines, {
      text = ('  %s %s %s  %s:%d%s'):format(each.relation, each.kind, each.name, each.path, each.line, times),
      target = { path = each.path, lnum = each.line },
    })
  end
  return lines
end

---@param answer table ExplainCodeResult
---@return pilotfish.Line[]
function M.explanation(answer)
  local name = answer.container ~= '' and ('%s.%s'):format(answer.container, answer.name) or answer.name
  local lines = {
    {
      text = ('%s %s  %s:%d'):format(answer.kind, name, answer.path, answer.line_start),
      target = { path = answer.path, lnum = answer.line_start },
      highlight = 'Title',
    },
  }
  for _, text in ipairs(answer.documentation ~= '' and vim.split(answer.documentation, '\n') or {}) do
    table.insert(lines, { text = text, highlight = 'Comment' })
  end
  table.insert(lines, { text = '' })
  for number, text in ipairs(vim.split(answer.source, '\n')) do
    table.insert(lines, { text = text, target = { path = answer.path, lnum = answer.line_start + number - 1 } })
  end
  for _, part in ipairs({
    { 'inherits and overrides', answer.ancestry },
    { 'uses', answer.uses },
    { 'used by', answer.used_by },
    { 'tests', answer.tests },
    { 'members', answer.members },
  }) do
    vim.list_extend(lines, related_lines(part[1], part[2]))
  end
  if #answer.history > 0 then
    vim.list_extend(lines, { { text = '' }, { text = 'past commits', highlight = 'Title' } })
    for _, commit in ipairs(answer.history) do
      table.insert(lines, { text = ('  %s %s %s'):format(commit.commit, commit.date, commit.subject) })
    end
  end
  return lines
end

--- One line about a path.
---@param answer table WhyResult
---@return string
function M.why(answer)
  local verdict = 'not indexed'
  if answer.files > 0 then
    verdict = ('folder, %s indexed'):format(count(answer.files, 'file'))
  elseif answer.indexed then
    local language = type(answer.language) == 'string' and answer.language or 'no language'
    verdict = ('indexed (%s, %s)'):format(language, count(answer.symbols, 'symbol'))
  elseif answer.listed then
    verdict = 'listed, without an outline'
  end
  local rule = vim.tbl_filter(function(part)
    return part ~= ''
  end, { answer.rule, answer.detail })
  local path = answer.path ~= '' and answer.path or '.'
  return ('%s: %s%s'):format(path, verdict, #rule > 0 and ': ' .. table.concat(rule, ': ') or '')
end

return M
