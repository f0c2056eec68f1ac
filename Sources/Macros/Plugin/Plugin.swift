import Foundation

/// The program that the compiler starts to expand macros.
struct Plugin {
  static func run() throws {
    let stream = MessageStream(input: .standardInput, output: .standardOutput)
    while let message = try stream.next() {
      try stream.send(answer(to: message))
    }
  }

  static func answer(to message: HostMessage) -> PluginMessage {
    switch message {
    case .getCapability, .unknown:
      .getCapabilityResult(capability: .init(protocolVersion: PluginMessage.protocolVersion))
    case .expandAttachedMacro(let expansion):
      .expandMacroResult(expand(expansion))
    case .expandFreestandingMacro(let expansion):
      .expandMacroResult(
        failure(.unknownMacro(expansion.macro.typeName), in: expansion.syntax.text)
      )
    }
  }

  private static func expand(_ message: HostMessage.AttachedExpansion) -> PluginMessage.Expansion {
    let source = message.declSyntax.text
    guard let macro = MacroTable.macros[message.macro.typeName] else {
      return failure(.unknownMacro(message.macro.typeName), in: message.attributeSyntax.text)
    }
    guard let role = MacroRole(rawValue: message.macroRole) else {
      return failure(.unknownRole(message.macroRole), in: message.attributeSyntax.text)
    }
    do throws(ScanError) {
      let context = MacroContext(try MacroRequest(message, role: role))
      let expansions = macro.expand(in: context)
      return .init(
        expandedSource: context.hasErrors ? nil : role.join(expansions, for: context.declaration),
        diagnostics: context.diagnostics.map(\.message)
      )
    } catch {
      return failure(.unreadable(error.reason), in: source, at: error.position)
    }
  }

  private static func failure(
    _ message: DiagnosticMessage,
    in source: SourceText,
    at position: Int? = nil
  ) -> PluginMessage.Expansion {
    let start = position ?? source.firstTokenPosition
    let diagnostic = Diagnostic(message, at: start..<start, in: source)
    return .init(expandedSource: nil, diagnostics: [diagnostic.message])
  }
}

extension SourceText {
  /// The position of the first token after whitespace and comments.
  var firstTokenPosition: Int {
    (try? Lexer.tokens(of: self))?.first?.range.lowerBound ?? 0
  }
}

/// Messages on a pair of files: the length as eight little-endian bytes, followed by JSON.
struct MessageStream {
  let input: FileHandle
  let output: FileHandle

  /// Waits for the next message.
  ///
  /// Returns `nil` if the compiler has ended the session.
  func next() throws -> HostMessage? {
    guard let header = try read(count: 8) else { return nil }
    let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    // The compiler ends the session with an empty message.
    guard count > 0, let payload = try read(count: count) else { return nil }
    return try JSONDecoder().decode(HostMessage.self, from: payload)
  }

  func send(_ message: PluginMessage) throws {
    let payload = try JSONEncoder().encode(message)
    var data = Data()
    for shift in stride(from: 0, to: 64, by: 8) {
      data.append(UInt8(truncatingIfNeeded: payload.count >> shift))
    }
    try output.write(contentsOf: data + payload)
  }

  private func read(count: Int) throws -> Data? {
    var data = Data()
    while data.count < count {
      guard let part = try input.read(upToCount: count - data.count), !part.isEmpty else {
        return nil
      }
      data.append(part)
    }
    return data
  }
}
