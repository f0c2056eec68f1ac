extension JSON {
  /// Returns a copy of the value without the values at `pointers`.
  ///
  /// The token `*` matches every member or element.
  ///
  /// Removes members, and replaces elements with `null`, so that other elements keep their index.
  func ignoring(_ pointers: [Pointer]) -> JSON {
    var value = self
    for pointer in pointers { value.ignore(pointer.tokens[...]) }
    return value
  }

  /// Whether the value has a member or element at a path that `pattern` matches.
  ///
  /// The token `*` matches every member or element.
  package func has(_ pattern: Pointer) -> Bool { has(pattern.tokens[...]) }

  private func has(_ tokens: ArraySlice<String>) -> Bool {
    guard let token = tokens.first else { return true }
    let rest = tokens.dropFirst()
    if let error = valueOfError(before: token) { return error.has(tokens) }
    guard token == "*" else {
      return self[Pointer([object?.key(like: token) ?? token])]?.has(rest) ?? false
    }
    switch self {
    case .object(let object): return object.values.contains { $0.has(rest) }
    case .array(let elements): return elements.contains { $0.has(rest) }
    default: return false
    }
  }

  private mutating func ignore(_ tokens: ArraySlice<String>) {
    guard let token = tokens.first else {
      self = .null
      return
    }
    let rest = tokens.dropFirst()
    if var error = valueOfError(before: token) {
      error.ignore(tokens)
      self = replacing(JSON.Pointer(["$error", "value"]), with: error)
      return
    }
    // Moves the object out of `self`, so that it has one owner and is changed without a copy. A `switch` would keep a
    // second reference until its end.
    if case .object(var object) = self {
      self = .null
      for name in token == "*" ? object.keys : [object.key(like: token) ?? token] {
        if rest.isEmpty {
          object[name] = nil
        } else if let slot = object.slot(of: name) {
          object.modify(in: slot) { $0.ignore(rest) }
        }
      }
      self = .object(object)
    } else if case .array(var elements) = self {
      let positions =
        token == "*" ? Array(elements.indices) : Pointer.index(token).map { [$0] } ?? []
      self = .null
      for position in positions where position < elements.count {
        elements[position].ignore(rest)
      }
      self = .array(elements)
    }
  }

  /// Returns the value inside a logged error, in which the remaining tokens of a pattern are resolved.
  ///
  /// Patterns omit the tokens `$error` and `value`.
  ///
  /// - Parameter token: The next token of the pattern.
  /// - Returns: The value, or `nil` if this isn't a logged error, or if `token` is `$error`.
  package func valueOfError(before token: String) -> JSON? {
    guard token != "$error", let wrapper, wrapper.tokens == ["$error", "value"] else { return nil }
    return wrapper.value
  }
}
