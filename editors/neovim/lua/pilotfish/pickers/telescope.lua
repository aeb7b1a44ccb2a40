-- Results in telescope. Its previewers read the disk; this one shows the buffer where a file is open.
local entries = require('pilotfish.entries')
local live = require('pilotfish.live')

local M = {}

---@return boolean
function M.is_installed()
  return (pcall(require, 'telescope.pickers'))
end

---@param place pilotfish.Entry
---@return table
local function entry_of(place)
  local display = ('%s:%d  %s'):format(place.path, place.lnum, place.text)
  return {
    value = place,
    display = display,
    ordinal = display,
    filename = place.filename,
    lnum = place.lnum,
    col = place.col or 1,
    text = place.text,
  }
end

local function previewer()
  local namespace = vim.api.nvim_create_namespace('pilotfish.preview')
  return require('telescope.previewers').new_buffer_previewer({
    title = 'Pilotfish',
    get_buffer_by_name = function(_, entry)
      return entry.filename
    end,
    define_preview = function(self, entry)
      local buffer, place = self.state.bufnr, entry.value
      local lines = entries.lines(place.filename)
      vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
      require('telescope.previewers.utils').highlighter(buffer, vim.filetype.match({ filename = place.filename }) or '')
      vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
      local first = math.min(place.lnum, math.max(#lines, 1))
      local last = math.min(place.end_lnum or first, #lines)
      for line = first, last do
        vim.api.nvim_buf_set_extmark(buffer, namespace, line - 1, 0, { line_hl_group = 'TelescopePreviewLine' })
      end
      vim.schedule(function()
        if vim.api.nvim_win_is_valid(self.state.winid) and vim.api.nvim_win_get_buf(self.state.winid) == buffer then
          vim.api.nvim_win_set_cursor(self.state.winid, { first, 0 })
          vim.api.nvim_win_call(self.state.winid, function()
            vim.cmd('normal! zz')
          end)
        end
      end)
    end,
  })
end

---@param title string
---@param finder table
---@param sorter table
---@param options? table of telescope
---@return table picker
local function new_picker(title, finder, sorter, options)
  return require('telescope.pickers').new(options or {}, {
    prompt_title = title,
    finder = finder,
    sorter = sorter,
    previewer = previewer(),
  })
end

--- Show places that are there already.
---@param places pilotfish.Entry[]
---@param title string
---@param options? table of telescope
function M.pick(places, title, options)
  local finder = require('telescope.finders').new_table({ results = places, entry_maker = entry_of })
  new_picker('Pilotfish: ' .. title, finder, require('telescope.config').values.generic_sorter({}), options):find()
end

--- Search while typing.
---@param text? string
---@param options? table of telescope
function M.live(text, options)
  live.open(function(source)
    local picker
    local finder = setmetatable({
      close = function()
        source:give_up()
      end,
    }, {
      __call = function(_, prompt, process_result, process_complete)
        source:ask(prompt, function(places, note)
          for number, place in ipairs(places) do
            local entry = entry_of(place)
            entry.index = number
            if process_result(entry) then
              return
            end
          end
          process_complete()
          if picker.prompt_border then
            picker.prompt_border:change_title('Pilotfish' .. (note ~= '' and ': ' .. note or ''))
          end
        end)
      end,
    })
    options = vim.tbl_extend('keep', options or {}, { default_text = text ~= '' and text or nil })
    -- The order is the server's.
    picker = new_picker('Pilotfish', finder, require('telescope.sorters').empty(), options)
    picker:find()
  end)
end

return M
