extension Scanner {
  /// Reads the attributes and modifiers before a declaration, in any order.
  mutating func attributesAndModifiers() throws(ScanError) -> ([Attribute], [Modifier]) {
    var attributes: [Attribute] = []
    var modifiers: [Modifier] = []
    while let token = current {
      if token.is("@") {
        attributes.append(try attribute())
      } else if token.isWord("#if"), guardsAttributesOnly {
        attributes += try conditionalAttributes()
      } else if isAtModifier {
        modifiers.append(try modifier())
      } else {
        break
      }
    }
    return (attributes, modifiers)
  }

  mutating func attribute() throws(ScanError) -> Attribute {
    let first = index
    try expect("@")
    var name = try identifier().text
    // Qualified names: `@module::name` and `@module.name`.
    while isAt("."), peek()?.kind == .identifier {
      index += 1
      name += "." + (try identifier().text)
    }
    if isAt("<"), current?.hasSpaceBefore == false { _ = try genericArguments() }
    var arguments: [Attribute.Argument]?
    if isAt("("), current?.hasSpaceBefore == false || name == "available" {
      arguments = try attributeArguments()
    }
    return Attribute(name: name, arguments: arguments, snippet: snippet(from: first))
  }

  private mutating func attributeArguments() throws(ScanError) -> [Attribute.Argument] {
    let end = try indexAfterBrackets()
    try expect("(")
    var arguments: [Attribute.Argument] = []
    while index < end - 1 {
      var label: String?
      if let token = current, token.kind == .identifier, peek()?.is(":") == true {
        label = token.name
        index += 2
      }
      let first = index
      while index < end - 1, !isAt(",") {
        if isAt("(") || isAt("[") || isAt("{") { try skipBrackets() } else { index += 1 }
      }
      arguments.append(Attribute.Argument(label: label, value: snippet(from: first)))
      _ = accept(",")
    }
    index = end
    return arguments
  }

  private func indexAfterBrackets() throws(ScanError) -> Int {
    var copy = self
    try copy.skipBrackets()
    return copy.index
  }

  private mutating func modifier() throws(ScanError) -> Modifier {
    let first = index
    let name = try identifier().text
    var detail: String?
    if isAt("("), current?.hasSpaceBefore == false {
      let start = index
      try skipBrackets()
      detail = String(snippet(from: start).text.dropFirst().dropLast())
    }
    return Modifier(name: name, detail: detail, range: range(from: first))
  }

  private var isAtModifier: Bool {
    guard let token = current, token.kind == .identifier else { return false }
    if token.text == "class" || token.text == "prefix" || token.text == "postfix" {
      guard let next = peek(), next.kind == .identifier else { return false }
      return Self.modifiers.contains(next.text) || next.text == "class"
        || ["func", "var", "let", "subscript", "operator", "typealias"].contains(next.text)
    }
    return Self.modifiers.contains(token.text)
  }

  static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "package", "open", "static", "final",
    "override", "mutating", "nonmutating", "lazy", "weak", "unowned", "dynamic", "optional",
    "required", "convenience", "infix", "indirect", "nonisolated", "isolated", "distributed",
    "borrowing", "consuming", "__consuming", "_const", "async",
  ]
}

extension Scanner {
  /// Whether the `#if` here guards attributes of the declaration after its `#endif`, rather than members.
  private var guardsAttributesOnly: Bool {
    var copy = self
    return (try? copy.conditionalAttributes())?.isEmpty == false
  }

  private mutating func conditionalAttributes() throws(ScanError) -> [Attribute] {
    var attributes: [Attribute] = []
    while isAt(word: "#if") || isAt(word: "#elseif") || isAt(word: "#else") {
      skipDirective()
      while isAt("@") { attributes.append(try attribute()) }
    }
    guard accept(word: "#endif") else { throw error(.expected("'#endif'")) }
    return attributes
  }
}
