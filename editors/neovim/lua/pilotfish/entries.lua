-- Answers as places: what lists, pickers and jumps are made of.
local M = {}

--- Characters of a line of source that a list shows.
local LONGEST_LINE = 100

---@class pilotfish.Entry a place; lines and columns count from 1, columns in bytes
---@field filename string absolute
---@field path string relative to the root, to show
---@field lnum integer
---@field col? integer
---@field end_lnum? integer
---@field end_col? integer
---@field text string what is there, and why it is shown
---@field user_data? table

--- The loaded buffer of a file, nil where there is none.
---@param filename string absolute
---@return integer?
function M.buffer(filename)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_name(buffer) == filename then
      return buffer
    end
  end
end

--- The lines of a file as the server sees them: those of the buffer where it is open, saved or not.
---@param filename string absolute
---@return string[]
function M.lines(filename)
  local buffer = M.buffer(filename)
  if buffer then
    return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  end
  return vim.fn.filereadable(filename) == 1 and vim.fn.readfile(filename) or {}
end

---@alias pilotfish.ByteColumn fun(filename: string, place: {line: integer, character: integer}): integer

--- Return what gives the byte column, from 1, of a place whose column is in the units of a client. It reads each file
--- once, and none where the client counts bytes.
---@param client vim.lsp.Client
---@return pilotfish.ByteColumn
local function byte_columns(client)
  local encoding, texts = client.offset_encoding, {}
  return function(filename, place)
    if encoding == 'utf-8' then
      return place.character + 1
    end
    texts[filename] = texts[filename] or M.lines(filename)
    local text = texts[filename][place.line + 1] or ''
    return vim.str_byteindex(text, encoding, place.character, false) + 1
  end
end

---@param root string
---@param path string
---@return string
function M.absolute(root, path)
  return vim.fs.joinpath(root, path)
end

--- What a result is called: its definition, or the line that was found where it has none.
---@param hit table a SearchHit
---@param lnum integer
---@param texts table<string, string[]> lines of files that were read for others
---@return string
local function words_of(hit, lnum, texts)
  if hit.symbol_name ~= '' then
    local name = hit.parent ~= '' and ('%s.%s'):format(hit.parent, hit.symbol_name) or hit.symbol_name
    return vim.trim(('%s %s'):format(hit.symbol_type, name))
  end
  local filename = hit.absolute_path
  texts[filename] = texts[filename] or M.lines(filename)
  for line = lnum, hit.line_end do
    local text = vim.trim(texts[filename][line] or '')
    if text ~= '' then
      return vim.fn.strcharpart(text, 0, LONGEST_LINE)
    end
  end
  return ''
end

--- Results of a search, each at the line that has most of the question's words.
---@param hits table[] SearchHits of docs/operations.md
---@return pilotfish.Entry[]
function M.of_hits(hits)
  local texts = {}
  return vim.tbl_map(function(hit)
    local lnum = hit.match_line > 0 and hit.match_line or hit.line_start
    local why = hit.why:gsub('changed by ".*"', 'past commits')
    return {
      filename = hit.absolute_path,
      path = hit.path,
      lnum = lnum,
      end_lnum = lnum == hit.line_start and hit.line_end or nil,
      text = ('%s%s'):format(words_of(hit, lnum, texts), why ~= '' and ('  (%s)'):format(why) or ''),
      user_data = {
        score = hit.score,
        symbol = hit.symbol_name,
        kind = hit.symbol_type,
        first = hit.line_start,
        last = hit.line_end,
      },
    }
  end, hits)
end

---@param symbols table[] SymbolRecords
---@param client vim.lsp.Client
---@return pilotfish.Entry[]
function M.of_symbols(symbols, client)
  local byte_column = byte_columns(client)
  return vim.tbl_map(function(symbol)
    local place = symbol.name_span.start
    local name = symbol.container ~= '' and ('%s.%s'):format(symbol.container, symbol.name) or symbol.name
    local signature = symbol.signature ~= '' and ('%s  %s'):format(name, symbol.signature)
    return {
      filename = symbol.absolute_path,
      path = symbol.path,
      lnum = place.line + 1,
      col = byte_column(symbol.absolute_path, place),
      text = signature or ('%s %s'):format(symbol.kind, name),
      user_data = { symbol = name, kind = symbol.kind },
    }
  end, symbols)
end

---@param usages table[] Usages
---@param client vim.lsp.Client
---@return pilotfish.Entry[]
function M.of_usages(usages, client)
  local byte_column = byte_columns(client)
  return vim.tbl_map(function(usage)
    local first, last = usage.span.start, usage.span['end']
    local marks = { usage.role }
    if usage.container ~= '' then
      table.insert(marks, 'in ' .. usage.container)
    end
    if usage.certainty == 'name' then
      table.insert(marks, 'name only')
    end
    return {
      filename = usage.absolute_path,
      path = usage.path,
      lnum = first.line + 1,
      col = byte_column(usage.absolute_path, first),
      end_lnum = last.line + 1,
      end_col = byte_column(usage.absolute_path, last),
      text = ('%s  (%s)'):format(vim.trim(usage.text), table.concat(marks, ', ')),
      user_data = { role = usage.role, certainty = usage.certainty },
    }
  end, usages)
end

--- Go to a place in the current window, with the old one in the jump list.
---@param entry pilotfish.Entry|{filename: string, lnum: integer, col: integer?}
function M.open(entry)
  if vim.wo.winfixbuf then
    vim.cmd.split()
    vim.wo.winfixbuf = false
  end
  vim.cmd("normal! m'")
  local buffer = vim.fn.bufadd(entry.filename)
  vim.bo[buffer].buflisted = true
  vim.api.nvim_win_set_buf(0, buffer)
  local line = math.min(math.max(entry.lnum, 1), vim.api.nvim_buf_line_count(buffer))
  vim.api.nvim_win_set_cursor(0, { line, math.max((entry.col or 1) - 1, 0) })
  vim.cmd('normal! ' .. (entry.col and 'zv' or '^zv'))
end

return M
