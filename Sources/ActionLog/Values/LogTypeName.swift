/// Names of types as they stand in a log.
package enum LogTypeName {
  /// The name of a type without its module and without what changes from build to build.
  ///
  /// `Todos.State` for the nested type `App.Todos.State`; of a private type and a type within a function, the
  /// `(unknown context at $...)` that Swift prints between the names is left out, for it holds an address.
  package static func of(_ type: Any.Type) -> String {
    var name = ""
    var rest = Substring(String(reflecting: type))
    while let open = rest.firstRange(of: "(unknown context at "),
      let close = rest[open.upperBound...].firstIndex(of: ")")
    {
      name += rest[..<open.lowerBound]
      rest = rest[rest.index(after: close)...].drop { $0 == "." }
    }
    name += rest
    return withoutModules(name)
  }

  /// Drops the first component of every dotted name, which is the module: `Swift.Array<App.Row>` is `Array<Row>`.
  private static func withoutModules(_ name: String) -> String {
    var result = ""
    var word = ""
    var isFirstComponent = true
    for character in name {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else if character == ".", isFirstComponent, !word.isEmpty {
        word = ""
        isFirstComponent = false
      } else {
        result += word
        word = ""
        result.append(character)
        isFirstComponent = character != "."
      }
    }
    return result + word
  }
}

extension LogTypeName {
  /// A name by which every process with the same code finds the type again; nil when there is none, as for private types.
  static func symbol(of type: Any.Type) -> String? {
    guard let symbol = _mangledTypeName(type), _typeByName(symbol) == type else { return nil }
    return symbol
  }

  /// The type of this name, nil when the code has none.
  static func type(for symbol: String) -> Any.Type? { _typeByName(symbol) }
}
