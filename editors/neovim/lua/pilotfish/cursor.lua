-- What a command without arguments means: the name under the cursor, or the definition around it.
local client = require('pilotfish.client')

local M = {}

---@class pilotfish.Definition
---@field name string `Class.method`
---@field line_start integer
---@field line_end integer

--- The name under the cursor, '' where there is none.
---@return string
function M.word()
  local word = vim.fn.expand('<cword>')
  return word:find('^[%a_\128-\255]') and word or ''
end

--- The file of the current buffer, '' where it has none.
---@return string
function M.file()
  return vim.bo.buftype == '' and vim.api.nvim_buf_get_name(0) or ''
end

--- Call back with the innermost definition around a line of the current file, nil where there is none.
---@param asked vim.lsp.Client
---@param file string absolute
---@param line integer from 1
---@param on_definition fun(definition: pilotfish.Definition?)
function M.definition(asked, file, line, on_definition)
  client.ask(asked, 'outline', { files = { file } }, function(answer)
    local found ---@type pilotfish.Definition?
    for _, symbol in ipairs(answer.files[1] and answer.files[1].symbols or {}) do
      local span = type(symbol.span) == 'table' and symbol.span or symbol.name_span
      -- A definition that ends with its last line ends at the start of the next.
      local last = span['end'].line + (span['end'].character > 0 and 1 or 0)
      if span.start.line < line and line <= last then
        local name = symbol.container ~= '' and ('%s.%s'):format(symbol.container, symbol.name) or symbol.name
        found = { name = name, line_start = span.start.line + 1, line_end = last }
      end
    end
    on_definition(found)
  end)
end

return M
