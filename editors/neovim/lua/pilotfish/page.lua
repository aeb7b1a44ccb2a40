-- Pages to read: scratch buffers with lines that lead to places.
local entries = require('pilotfish.entries')

local M = {}

---@class pilotfish.Line
---@field text string
---@field target? {path: string, lnum: integer} where <CR> goes; the path may be absolute or relative to the root
---@field used_at? {path: string, lnum: integer} where `u` goes
---@field highlight? string a highlight group for all of it

---@class pilotfish.Page
---@field name string such as 'map'
---@field lines pilotfish.Line[]
---@field root string
---@field client_id integer
---@field keys? string what its keys do, beyond those of all pages
---@field filetype? string
---@field again? fun() draws it anew

---@type table<integer, pilotfish.Page> by buffer
local pages = {}
local namespace = vim.api.nvim_create_namespace('pilotfish')

---@param target {path: string, lnum: integer}?
---@param root string
local function go(target, root)
  if not target then
    return require('pilotfish.client').say('nothing to go to on this line')
  end
  local filename = target.path:find('^/') and target.path or entries.absolute(root, target.path)
  if vim.fn.filereadable(filename) == 0 and vim.fn.isdirectory(filename) == 0 then
    return require('pilotfish.client').say(target.path .. ' is not there any more; R draws the page anew')
  end
  -- Into the window that the page was opened from, where it is still there.
  local before = vim.fn.win_getid(vim.fn.winnr('#'))
  if before ~= 0 and before ~= vim.api.nvim_get_current_win() and vim.bo[vim.fn.winbufnr(before)].buftype == '' then
    vim.api.nvim_set_current_win(before)
  else
    vim.cmd('aboveleft split')
  end
  if vim.fn.isdirectory(filename) == 1 then
    return vim.cmd.edit(vim.fn.fnameescape(filename))
  end
  entries.open({ filename = filename, lnum = target.lnum })
end

---@param buffer integer
local function map_keys(buffer)
  local function key(lhs, description, action)
    vim.keymap.set('n', lhs, action, { buffer = buffer, desc = description, nowait = true })
  end
  local function current()
    local page = pages[buffer]
    return page.lines[vim.api.nvim_win_get_cursor(0)[1]] or {}, page
  end
  key('<CR>', 'Go to the place of this line', function()
    local line, page = current()
    go(line.target, page.root)
  end)
  key('u', 'Go to where it is used', function()
    local line, page = current()
    go(line.used_at or line.target, page.root)
  end)
  key('R', 'Draw the page anew', function()
    local _, page = current()
    if page.again then
      page.again()
    end
  end)
  key('q', 'Close the page', function()
    vim.api.nvim_win_close(0, false)
  end)
end

--- The window of this tab that shows a page, where a command does not ask for one of its own.
---@param modifiers table?
---@return integer? window
local function window_of_pages(modifiers)
  modifiers = modifiers or {}
  if modifiers.vertical or (modifiers.tab or -1) >= 0 or (modifiers.split or '') ~= '' then
    return nil
  end
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if pages[vim.api.nvim_win_get_buf(window)] then
      return window
    end
  end
end

---@param window integer
---@param page pilotfish.Page
local function dress(window, page)
  local options = vim.wo[window][0]
  options.number, options.relativenumber, options.wrap, options.spell = false, false, false, false
  options.winbar = ('%%#Comment#%s'):format((page.keys or '<CR> go there') .. '   R again   q close')
end

--- Show a page: one of the same name is drawn anew where it stands, else it takes the window of the last page in this
--- tab, unless the command says where (`:vertical`, `:tab`).
---@param page pilotfish.Page
---@param modifiers? table those of the command (`:vertical`, `:tab`)
---@return integer buffer
function M.show(page, modifiers)
  local name = 'pilotfish://' .. page.name
  local buffer = vim.fn.bufnr('^' .. name .. '$')
  if buffer < 0 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, name)
    vim.bo[buffer].bufhidden = 'wipe'
    vim.bo[buffer].swapfile = false
    map_keys(buffer)
    vim.api.nvim_create_autocmd('BufWipeout', {
      buffer = buffer,
      callback = function()
        pages[buffer] = nil
      end,
    })
  end
  pages[buffer] = page
  vim.b[buffer].pilotfish_client = page.client_id
  local texts = vim.tbl_map(function(line)
    return (line.text:gsub('\n', ' '))
  end, page.lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, texts)
  vim.bo[buffer].modifiable = false
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  for number, line in ipairs(page.lines) do
    if line.highlight then
      vim.api.nvim_buf_set_extmark(buffer, namespace, number - 1, 0, {
        end_row = number - 1,
        end_col = #texts[number],
        hl_group = line.highlight,
      })
    end
  end
  local window = vim.fn.win_findbuf(buffer)[1] or window_of_pages(modifiers)
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd.split({ mods = modifiers })
  end
  vim.api.nvim_win_set_buf(0, buffer)
  dress(0, page)
  if vim.bo[buffer].filetype == '' then
    vim.bo[buffer].filetype = page.filetype or 'pilotfish'
  end
  return buffer
end

return M
