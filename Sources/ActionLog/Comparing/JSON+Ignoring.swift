extension JSON {
  /// The value with `null` in the places that pointers lead to, in which a token `*` stands for every member or element.
  ///
  /// Nothing is removed, so that the places of all else stay what they are; what is missing stays missing.
  func ignoring(_ pointers: [Pointer]) -> JSON {
    var value = self
    for pointer in pointers { value.ignore(pointer.tokens[...]) }
    return value
  }

  private mutating func ignore(_ tokens: ArraySlice<String>) {
    guard let token = tokens.first else {
      self = .null
      return
    }
    let rest = tokens.dropFirst()
    switch self {
    case .object(var object):
      let positions =
        token == "*" ? Array(0..<object.count) : object.position(of: token).map { [$0] } ?? []
      guard !positions.isEmpty else { return }
      self = .null
      for position in positions { object.modify(at: position) { $0.ignore(rest) } }
      self = .object(object)
    case .array(var elements):
      let positions =
        token == "*" ? Array(elements.indices) : Pointer.index(token).map { [$0] } ?? []
      self = .null
      for position in positions where position < elements.count {
        elements[position].ignore(rest)
      }
      self = .array(elements)
    default: break
    }
  }
}
