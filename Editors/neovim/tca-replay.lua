-- Debugs action logs with nvim-dap: copy this into your configuration, or load it with
--   dofile("…/Editors/neovim/tca-replay.lua")
-- Then open a log and start ':lua require("dap").continue()'.

local dap = require("dap")

dap.adapters["tca-replay"] = {
  type = "executable",
  -- The host of your app has the same commands, and can be given here as well.
  command = vim.g.tca_replay_executable or "tca-replay",
  args = { "dap" },
}

-- The log in the current buffer, or one that is asked for.
local function log()
  local file = vim.fn.expand("%:p")
  if file:match("%.jsonl$") then
    return file
  end
  return vim.fn.input("Log: ", vim.fn.getcwd() .. "/", "file")
end

-- The socket at which the timeline of a running app listens.
local function socket()
  return vim.fn.input("Socket: ", "/tmp/app.sock", "file")
end

local configurations = {
  {
    type = "tca-replay",
    request = "launch",
    name = "Debug log",
    log = log,
    sourceFolders = { "${workspaceFolder}" },
  },
  {
    type = "tca-replay",
    request = "launch",
    name = "Debug log from its end",
    log = log,
    at = "end",
    sourceFolders = { "${workspaceFolder}" },
  },
  {
    type = "tca-replay",
    request = "attach",
    name = "Step the running app",
    socket = socket,
    sourceFolders = { "${workspaceFolder}" },
  },
}

-- Neovim's own types for files that end in '.jsonl' differ from version to version.
for _, filetype in ipairs({ "swift", "json", "jsonl" }) do
  dap.configurations[filetype] = vim.list_extend(dap.configurations[filetype] or {}, configurations)
end

-- Versions before 0.8 have no type for such files, and 'vim.filetype.add' has no effect there.
local function set_type(buffer)
  if vim.api.nvim_buf_get_name(buffer):match("%.jsonl$") and vim.bo[buffer].filetype == "" then
    vim.bo[buffer].filetype = "jsonl"
  end
end

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = vim.api.nvim_create_augroup("tca-replay", { clear = true }),
  pattern = "*.jsonl",
  callback = function(event)
    set_type(event.buf)
  end,
})

-- A log may have been opened before this file was read.
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  if vim.api.nvim_buf_is_loaded(buffer) then
    set_type(buffer)
  end
end
