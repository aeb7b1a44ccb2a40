-- Results in fzf-lua.
local entries = require('pilotfish.entries')
local live = require('pilotfish.live')

local M = {}

---@return boolean
function M.is_installed()
  return (pcall(require, 'fzf-lua'))
end

--- A line that fzf-lua's actions and preview read: `[buffer]` in front makes the preview show an open file's buffer.
---@param place pilotfish.Entry
---@return string
local function line_of(place)
  local buffer = entries.buffer(place.filename)
  local open = buffer and ('[%d]%s'):format(buffer, require('fzf-lua.utils').nbsp) or ''
  return ('%s%s:%d:%d:%s'):format(open, place.path, place.lnum, place.col or 1, (place.text:gsub('\n', ' ')))
end

---@param title string
---@param cwd string?
---@return table
local function options(title, cwd)
  return {
    prompt = 'Pilotfish> ',
    winopts = { title = (' Pilotfish: %s '):format(title), title_pos = 'center' },
    cwd = cwd,
    previewer = 'builtin',
    actions = require('fzf-lua.config').globals.actions.files,
    fzf_opts = { ['--multi'] = true, ['--no-sort'] = true },
  }
end

---@param place pilotfish.Entry?
---@return string?
local function root_of(place)
  return place and place.filename:sub(1, #place.filename - #place.path - 1) or nil
end

--- Show places that are there already.
---@param places pilotfish.Entry[]
---@param title string
function M.pick(places, title)
  require('fzf-lua').fzf_exec(vim.tbl_map(line_of, places), options(title, root_of(places[1])))
end

--- Search while typing. As an extension of fzf-lua it takes options, `query` among them.
---@param given? string|table
function M.live(given)
  given = type(given) == 'string' and { query = given } or given or {}
  live.open(function(source)
    local chosen = vim.tbl_extend('force', options('search', source.asked.root_dir), given)
    chosen.exec_empty_query = false
    require('fzf-lua').fzf_live(function(typed)
      return function(write)
        source:ask(type(typed) == 'table' and typed[1] or typed or '', function(places, note)
          for _, place in ipairs(places) do
            local path = vim.fs.relpath(chosen.cwd or '/', place.filename) or place.filename
            write(line_of(vim.tbl_extend('force', place, { path = path })))
          end
          if #places == 0 and note ~= '' then
            write('… ' .. note)
          end
          write(nil)
        end)
      end
    end, chosen)
  end)
end

return M
