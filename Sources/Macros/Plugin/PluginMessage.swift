/// An answer to the compiler.
enum PluginMessage: Encodable {
  case getCapabilityResult(capability: Capability)
  case expandMacroResult(Expansion)

  /// The version of the protocol whose messages this plugin speaks.
  static let protocolVersion = 7

  struct Capability: Encodable {
    let protocolVersion: Int
  }

  struct Expansion: Encodable {
    /// Nil if the expansion failed, which a diagnostic then explains.
    let expandedSource: String?
    let diagnostics: [Diagnostic]

    private enum CodingKeys: CodingKey {
      case expandedSource
      case diagnostics
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      // The compiler wants the member to be there, null or not.
      try container.encode(expandedSource, forKey: .expandedSource)
      try container.encode(diagnostics, forKey: .diagnostics)
    }
  }

  private enum CodingKeys: CodingKey {
    case getCapabilityResult
    case expandMacroResult
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .getCapabilityResult(let capability):
      try container.encode(["capability": capability], forKey: .getCapabilityResult)
    case .expandMacroResult(let expansion):
      try container.encode(expansion, forKey: .expandMacroResult)
    }
  }
}

extension PluginMessage {
  struct Diagnostic: Encodable {
    let message: String
    let severity: String
    let position: Position
    let highlights: [Range]
    let notes: [Note]
    let fixIts: [FixIt]
  }

  struct Position: Encodable {
    let fileName: String
    let offset: Int
  }

  struct Range: Encodable {
    let fileName: String
    let startOffset: Int
    let endOffset: Int
  }

  struct Note: Encodable {
    let position: Position
    let message: String
  }

  struct FixIt: Encodable {
    let message: String
    let changes: [Change]

    struct Change: Encodable {
      let range: Range
      let newText: String
    }
  }
}
