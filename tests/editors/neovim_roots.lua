-- Opens a file in each folder of the repository, and looks at the root of the server that serves it, if any.
local out, steps = steps.out, steps

return function()
  out.roots = {}
  for _, file in ipairs(vim.fn.glob('*/deep/part.py', true, true)) do
    vim.cmd.edit(file)
    local name = file:match('^[^/]+')
    local function root()
      local client = vim.lsp.get_clients({ name = 'pilotfish', bufnr = 0 })[1]
      return client and vim.fs.basename(client.root_dir)
    end
    if name ~= 'none' then
      steps.wait('the server of ' .. name, root)
    end
    out.roots[name] = root() or 'no server'
  end
  vim.cmd.edit('none/deep/part.py')
  out.said = steps.say('Pilotfish status')
end
