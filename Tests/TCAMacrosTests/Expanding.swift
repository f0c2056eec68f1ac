import Foundation
import Testing

/// One expansion by the plugin, requested in the form of the compiler.
struct Expanding {
  let source: String
  let expansion: PluginMessage.Expansion

  /// Expands the macro of the first attribute in the source.
  ///
  /// The source can also be a member of a type whose attribute is expanded.
  init(
    _ macro: String,
    _ role: String,
    _ source: String,
    conformances: [String] = [],
    context: [String] = [],
    parent: String? = nil
  ) throws {
    self.source = source
    let file = "File.swift"
    let attribute = try #require(
      try Scanner.declaration(in: SourceText(parent ?? source)).attributes.first
    )
    func syntax(_ text: String, at offset: Int = 0, kind: String = "declaration") -> [String: Any] {
      ["kind": kind, "source": text, "location": ["fileName": file, "offset": offset]]
    }
    var message: [String: Any] = [
      "macro": ["moduleName": "TCAMacros", "typeName": macro, "name": attribute.name + " "],
      "macroRole": role,
      "discriminator": "$s",
      "attributeSyntax": syntax(
        attribute.snippet.text,
        at: attribute.snippet.range.lowerBound,
        kind: "attribute"
      ),
      "declSyntax": syntax(source),
      "extendedTypeSyntax": syntax("Outer.Inner", kind: "type"),
      "lexicalContext": context.map { syntax($0) },
    ]
    if let parent { message["parentDeclSyntax"] = syntax(parent) }
    if !conformances.isEmpty {
      message["conformanceListSyntax"] = syntax(
        "struct Placeholder: \(conformances.joined(separator: ", ")) {}"
      )
    }
    let data = try JSONSerialization.data(withJSONObject: ["expandAttachedMacro": message])
    let decoded = try JSONDecoder().decode(HostMessage.self, from: data)
    guard case .expandMacroResult(let expansion) = Plugin.answer(to: decoded) else {
      throw Failure.noExpansion
    }
    self.expansion = expansion
  }

  enum Failure: Error { case noExpansion }

  /// The diagnostics in the format of a compiler: `line:column: severity: message`.
  var diagnostics: [String] {
    expansion.diagnostics.map { diagnostic in
      let before = source.utf8.prefix(diagnostic.position.offset)
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
      return "\(line):\(column): \(diagnostic.severity): \(diagnostic.message)"
    }
  }

  /// The source after the first fix-it.
  var fixed: String? {
    guard let fixIt = expansion.diagnostics.first?.fixIts.first else { return nil }
    var bytes = Array(source.utf8)
    for change in fixIt.changes.sorted(by: { $0.range.startOffset > $1.range.startOffset }) {
      bytes.replaceSubrange(
        change.range.startOffset..<change.range.endOffset,
        with: change.newText.utf8
      )
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
