-- `:Telescope pilotfish`, after `require('telescope').load_extension('pilotfish')`.
local function search(options)
  options = options or {}
  require('pilotfish.pickers.telescope').live(options.query, options)
end

return require('telescope').register_extension({ exports = { pilotfish = search, search = search } })
