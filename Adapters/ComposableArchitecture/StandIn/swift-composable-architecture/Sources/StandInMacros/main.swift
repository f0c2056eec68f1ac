import Foundation

// The macros of TCACore, with the other module's name in the generated code.
let stream = MessageStream(input: .standardInput, output: .standardOutput)
while let message = try stream.next() {
  var answer = Plugin.answer(to: message)
  if case .expandMacroResult(let expansion) = answer {
    let source = expansion.expandedSource?
      .replacingOccurrences(of: ", ActionLog.LogValue", with: "")
      .replacingOccurrences(of: "TCACore.", with: "ComposableArchitecture.")
    answer = .expandMacroResult(.init(expandedSource: source, diagnostics: expansion.diagnostics))
  }
  try stream.send(answer)
}
