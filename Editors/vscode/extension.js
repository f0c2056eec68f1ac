"use strict";

// Starts `tca-replay dap` for VS Code. Everything else is in package.json and in the adapter itself.

const path = require("path");
const vscode = require("vscode");

const type = "tca-replay";

/**
 * The executable for a session: that of its configuration, else the one in the settings.
 *
 * @param {import("vscode").DebugSession} session
 * @returns {string}
 */
function executable(session) {
  const folder = session.workspaceFolder;
  const settings = vscode.workspace.getConfiguration(type, folder);
  const named = session.configuration.executable || settings.get("executable") || type;
  // A name alone is looked for on the path, as in a shell.
  const isName = path.basename(named) === named;
  return isName || path.isAbsolute(named) || !folder ? named : path.join(folder.uri.fsPath, named);
}

/** @type {import("vscode").DebugAdapterDescriptorFactory} */
const adapters = {
  createDebugAdapterDescriptor(session) {
    const folder = session.workspaceFolder;
    const options = folder ? { cwd: folder.uri.fsPath } : undefined;
    return new vscode.DebugAdapterExecutable(executable(session), ["dap"], options);
  },
};

/** @type {import("vscode").DebugConfigurationProvider} */
const configurations = {
  resolveDebugConfiguration(_folder, configuration) {
    // F5 without a launch.json: the log in the editor.
    const file = vscode.window.activeTextEditor?.document.uri.fsPath;
    if (!configuration.type && !configuration.request && file?.endsWith(".jsonl")) {
      return { type, request: "launch", name: "Debug log", log: file };
    }
    return configuration;
  },
};

/** @param {import("vscode").ExtensionContext} context */
function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory(type, adapters),
    vscode.debug.registerDebugConfigurationProvider(type, configurations),
    vscode.commands.registerCommand("tca-replay.debugLog", (uri) => {
      const file = (uri ?? vscode.window.activeTextEditor?.document.uri)?.fsPath;
      if (!file) return undefined;
      const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
      return vscode.debug.startDebugging(folder, {
        type,
        request: "launch",
        name: path.basename(file),
        log: file,
      });
    }),
  );
}

module.exports = { activate, deactivate() {} };
