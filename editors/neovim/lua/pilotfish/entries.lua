-- Answers as places: what lists, pickers and jumps are made of.
local M = {}

---@class pilotfish.Entry a place; lines and columns count from 1, columns in bytes
---@field filename string absolute
---@field path string relative to the root, to show
---@field lnum integer
---@field col? integer
---@field end_lnum? integer
---@field end_col? integer
---@field text string what is there, and why it is shown
---@field user_data? table

--- The byte column of a column in the units of the client. The line is the buffer's where it is open, since that is
--- what the server saw.
---@param filename string
---@param line integer from 0
---@param character integer from 0
---@param encoding string
---@return integer from 1
local function byte_column(filename, line, character, encoding)
  local buffer = vim.fn.bufnr(vim.fn.fnameescape(filename))
  local text
  if buffer > 0 and vim.api.nvim_buf_is_loaded(buffer) then
    text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
  else
    text = vim.fn.readfile(filename, '', line + 1)[line + 1]
  end
  local is_within, column = pcall(vim.str_byteindex, text or '', encoding, character, false)
  return (is_within and column or character) + 1
end

---@param root string
---@param path string
---@return string
function M.absolute(root, path)
  return vim.fs.joinpath(root, path)
end

---@param hit table a SearchHit of docs/operations.md
---@return pilotfish.Entry
function M.of_hit(hit)
  local name = hit.parent ~= '' and ('%s.%s'):format(hit.parent, hit.symbol_name) or hit.symbol_name
  local what = vim.trim(('%s %s'):format(hit.symbol_type, name))
  return {
    filename = hit.absolute_path,
    path = hit.path,
    lnum = hit.line_start,
    end_lnum = hit.line_end,
    text = hit.why ~= '' and ('%s  (%s)'):format(what, hit.why) or what,
    user_data = { score = hit.score, symbol = name, kind = hit.symbol_type },
  }
end

---@param symbol table a SymbolRecord
---@param client vim.lsp.Client
---@return pilotfish.Entry
function M.of_symbol(symbol, client)
  local span = symbol.name_span
  local name = symbol.container ~= '' and ('%s.%s'):format(symbol.container, symbol.name) or symbol.name
  local column = byte_column(symbol.absolute_path, span.start.line, span.start.character, client.offset_encoding)
  return {
    filename = symbol.absolute_path,
    path = symbol.path,
    lnum = span.start.line + 1,
    col = column,
    text = symbol.signature ~= '' and ('%s  %s'):format(name, symbol.signature) or ('%s %s'):format(symbol.kind, name),
    user_data = { symbol = name, kind = symbol.kind },
  }
end

---@param usage table a Usage
---@param client vim.lsp.Client
---@return pilotfish.Entry
function M.of_usage(usage, client)
  local span = usage.span
  local column = byte_column(usage.absolute_path, span.start.line, span.start.character, client.offset_encoding)
  local within = usage.container ~= '' and (', in %s'):format(usage.container) or ''
  return {
    filename = usage.absolute_path,
    path = usage.path,
    lnum = span.start.line + 1,
    col = column,
    end_lnum = span['end'].line + 1,
    end_col = column + span['end'].character - span.start.character,
    text = ('%s  (%s%s)'):format(vim.trim(usage.text), usage.role, within),
    user_data = { role = usage.role },
  }
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
