extension Scanner {
  /// Reads `var` or `let` and its bindings.
  mutating func variable() throws(ScanError) -> Variable {
    let isLet = isAt(word: "let")
    index += 1
    var bindings: [Variable.Binding] = []
    repeat { bindings.append(try binding()) } while accept(",")
    return Variable(isLet: isLet, bindings: bindings)
  }

  private mutating func binding() throws(ScanError) -> Variable.Binding {
    let first = index
    let names = try pattern()
    let pattern = snippet(from: first)
    let type = accept(":") ? try type() : nil
    let initialValue = accept("=") ? try expression(isInitialValue: true) : nil
    let accessors = isAt("{") ? try accessors() : nil
    return Variable.Binding(
      names: names,
      pattern: pattern,
      type: type,
      initialValue: initialValue,
      accessors: accessors,
      range: range(from: first)
    )
  }

  private mutating func pattern() throws(ScanError) -> [Snippet] {
    guard isAt("(") else {
      let name = try identifier()
      return name.text == "_" ? [] : [name]
    }
    try expect("(")
    var names: [Snippet] = []
    while !isAt(")") {
      if current?.kind == .identifier, peek()?.is(":") == true { index += 2 }
      names += try pattern()
      guard accept(",") else { break }
    }
    try expect(")")
    return names
  }

  /// Reads the braces behind a property or subscript.
  mutating func accessors() throws(ScanError) -> Variable.Accessors {
    let first = index
    guard opensAccessors else {
      try skipBrackets()
      return Variable.Accessors(names: [], range: range(from: first))
    }
    try expect("{")
    var names: [String] = []
    while !isAt("}") {
      if isAt(word: "#if") || isAt(word: "#elseif") || isAt(word: "#else") {
        skipDirective()
        continue
      }
      if accept(word: "#endif") { continue }
      while isAt("@") { _ = try attribute() }
      while let token = current, Self.accessorModifiers.contains(token.text),
        peek()?.kind == .identifier || peek()?.is("(") == true
      {
        index += 1
        if isAt("(") { try skipBrackets() }
      }
      names.append(try identifier().text)
      if isAt("(") { try skipBrackets() }
      _ = try effects()
      if isAt("{") { try skipBrackets() }
      _ = accept(";")
    }
    try expect("}")
    return Variable.Accessors(names: names, range: range(from: first))
  }

  /// Whether the brace here opens a list of accessors and not a body or a closure.
  var opensAccessors: Bool {
    var copy = self
    copy.index += 1
    if copy.isAt(word: "#if") { copy.skipDirective() }
    while copy.isAt("@") {
      guard (try? copy.attribute()) != nil else { return false }
    }
    while let token = copy.current, Self.accessorModifiers.contains(token.text),
      copy.peek()?.kind == .identifier
    {
      copy.index += 1
    }
    guard let token = copy.current, token.kind == .identifier, let next = copy.peek() else {
      return false
    }
    if Self.accessors.contains(token.text) {
      return next.is("{") || next.is("}") || next.is("(") || next.kind == .identifier
        || next.kind == .directive || next.is("@") || next.is(";")
    }
    return Self.coroutineAccessors.contains(token.text) && (next.is("{") || next.is("}"))
  }

  private static let accessors: Set<String> = [
    "get", "set", "willSet", "didSet", "init", "_read", "_modify", "unsafeAddress",
    "unsafeMutableAddress", "addressWithOwner", "mutableAddressWithOwner",
  ]
  private static let coroutineAccessors: Set<String> = ["read", "modify", "borrow", "mutate"]
  private static let accessorModifiers: Set<String> = [
    "mutating", "nonmutating", "__consuming", "consuming", "borrowing", "nonisolated", "yielding",
  ]
}
