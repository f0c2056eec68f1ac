/// A message from the compiler.
///
/// It is an object with one member, whose name is the kind of the message.
enum HostMessage: Decodable {
  case getCapability
  case expandAttachedMacro(AttachedExpansion)
  case expandFreestandingMacro(FreestandingExpansion)
  /// A message of a kind that this plugin doesn't support.
  case unknown(String)

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first else {
      self = .unknown("")
      return
    }
    switch key.stringValue {
    case "getCapability": self = .getCapability
    case "expandAttachedMacro":
      self = .expandAttachedMacro(try container.decode(AttachedExpansion.self, forKey: key))
    case "expandFreestandingMacro":
      self = .expandFreestandingMacro(try container.decode(FreestandingExpansion.self, forKey: key))
    default: self = .unknown(key.stringValue)
    }
  }
}

extension HostMessage {
  struct AttachedExpansion: Decodable {
    let macro: MacroReference
    let macroRole: String
    let attributeSyntax: Syntax
    let declSyntax: Syntax
    let parentDeclSyntax: Syntax?
    let extendedTypeSyntax: Syntax?
    /// A structure that inherits the protocols to which the type doesn't conform yet.
    let conformanceListSyntax: Syntax?
    /// The enclosing declarations without their members, innermost first.
    let lexicalContext: [Syntax]?
  }

  struct FreestandingExpansion: Decodable {
    let macro: MacroReference
    let syntax: Syntax
  }

  struct MacroReference: Decodable {
    let moduleName: String
    let typeName: String
    /// The name in the spelling of the attribute, which may end with spaces.
    let name: String
  }

  struct Syntax: Decodable {
    let kind: String
    let source: String
    let location: Location
  }

  struct Location: Decodable {
    let fileName: String
    /// The byte offset at which the source starts.
    ///
    /// The source includes leading whitespace and comments.
    let offset: Int
  }
}

extension HostMessage.Syntax {
  var text: SourceText {
    SourceText(source, fileName: location.fileName, offset: location.offset)
  }
}

/// A response to the compiler.
enum PluginMessage: Encodable {
  case getCapabilityResult(capability: Capability)
  case expandMacroResult(Expansion)

  /// The version of the compiler's plugin protocol that this plugin implements.
  static let protocolVersion = 7

  struct Capability: Encodable {
    let protocolVersion: Int
  }

  struct Expansion: Encodable {
    /// The generated code, or `nil` if the expansion failed and a diagnostic explains why.
    let expandedSource: String?
    let diagnostics: [Diagnostic]

    private enum CodingKeys: CodingKey {
      case expandedSource
      case diagnostics
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      // The compiler requires the member, even if it is null.
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
