-- Shows places where the settings say: in the quickfix or location list, by `vim.ui.select`, or in a picker.
local entries = require('pilotfish.entries')
local settings = require('pilotfish.settings')

local M = {}

--- Modules of pickers by the setting's value.
M.pickers = { telescope = 'telescope', ['fzf-lua'] = 'fzf_lua', snacks = 'snacks' }

--- The picker that the settings name, nil where they name none or it is not installed.
---@return table?
function M.picker()
  local module = M.pickers[settings.get().results]
  local picker = module and require('pilotfish.pickers.' .. module)
  return picker and picker.is_installed() and picker or nil
end

---@param places pilotfish.Entry[]
---@param title string
local function select(places, title)
  vim.ui.select(places, {
    prompt = title,
    kind = 'pilotfish',
    format_item = function(place)
      return ('%s:%d  %s'):format(place.path, place.lnum, place.text)
    end,
  }, function(choice)
    if choice then
      entries.open(choice)
    end
  end)
end

---@param place pilotfish.Entry
---@return vim.quickfix.entry
local function list_item(place)
  return {
    filename = place.filename,
    lnum = place.lnum,
    col = place.col,
    end_lnum = place.end_lnum,
    end_col = place.end_col,
    text = place.text,
    user_data = place.user_data,
  }
end

--- Show places; what was shown before stays in the list's history (`:colder`).
---@param places pilotfish.Entry[]
---@param title string
---@param window? integer whose location list is meant
function M.show(places, title, window)
  local chosen = settings.get()
  local picker = M.picker()
  if picker then
    return picker.pick(places, title)
  elseif chosen.results == 'select' then
    return select(places, title)
  end
  local what = { title = 'Pilotfish: ' .. title, items = vim.tbl_map(list_item, places), nr = '$' }
  window = window and vim.api.nvim_win_is_valid(window) and window or 0
  local is_location_list = chosen.results == 'loclist'
  if is_location_list then
    vim.fn.setloclist(window, {}, ' ', what)
  else
    vim.fn.setqflist({}, ' ', what)
  end
  if chosen.open_list then
    vim.api.nvim_win_call(window, function()
      vim.cmd(is_location_list and 'lopen' or 'botright copen')
    end)
    local wanted = { winid = true }
    local opened = is_location_list and vim.fn.getloclist(window, wanted) or vim.fn.getqflist(wanted)
    if opened.winid and opened.winid > 0 then
      vim.api.nvim_set_current_win(opened.winid)
    end
  end
end

return M
