extension JSON {
  /// The value without what pointers lead to, in which a token `*` stands for every member or element.
  ///
  /// Members go; of elements `null` stays, so that the places of the others stay what they are.
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
      self = .null
      for name in token == "*" ? object.keys : [token] {
        if rest.isEmpty {
          object[name] = nil
        } else if let position = object.position(of: name) {
          object.modify(at: position) { $0.ignore(rest) }
        }
      }
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
