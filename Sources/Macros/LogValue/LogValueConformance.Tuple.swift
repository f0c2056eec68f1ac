/// A member of tuple type, which cannot conform to anything: its elements are written one by one.
struct LoggedTuple {
  let name: String
  let expression: String
  let elements: [TypeReference.Element]

  /// Nil for a property whose type is not stated to be a tuple.
  init?(_ property: StoredProperty) {
    guard property.binding.names.count == 1,
      property.access == .direct || property.access == .storage,
      let type = property.binding.type, case .tuple(let elements) = type.shape, elements.count > 1
    else { return nil }
    name = property.name.name
    expression = property.expression
    self.elements = elements
  }

  /// The names of the elements in the log, and what stands behind the dot in code.
  private var members: [(name: String, code: String)] {
    elements.enumerated().map { index, element in
      element.argumentLabel.map { ($0, $0) } ?? ("_\(index)", "\(index)")
    }
  }

  var encoding: [String] {
    ["encoder.key(\"\(name)\")", "encoder.beginObject()"]
      + members.map { "encoder.member(\"\($0.name)\", self.\(expression).\($0.code))" }
      + ["encoder.endObject()"]
  }

  /// How encoders read the elements.
  var expressions: [String] { members.map { "\(expression).\($0.code)" } }

  var decoding: String {
    let values = tuple { name, code in
      "try members.value(\"\(name)\", over: template.map { $0.\(code) })"
    }
    return """
      try TCACore._$decodeTuple(members, "\(name)", over: template.map { $0.\(expression) }) { members, template in
        \(values)
      }
      """
  }

  /// How the elements are read from a text.
  var reading: String {
    "try text.nested(\"\(name)\") { text in \(tuple { name, _ in "try text.member(\"\(name)\")" }) }"
  }

  private func tuple(_ value: (_ name: String, _ code: String) -> String) -> String {
    let values = zip(elements, members).map { element, member in
      (element.argumentLabel.map { "\($0): " } ?? "") + value(member.name, member.code)
    }
    return "(\(values.joined(separator: ", ")))"
  }

  var difference: [String] {
    ["patch.nested(\"\(name)\") { patch in"]
      + members.map {
        "  patch.member(\"\($0.name)\", old.\(expression).\($0.code), new.\(expression).\($0.code))"
      } + ["}"]
  }
}
