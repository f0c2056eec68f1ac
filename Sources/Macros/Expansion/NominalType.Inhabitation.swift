extension NominalType {
  /// Whether this enum surely has values.
  ///
  /// The compiler refuses a `switch` over an enum whose payloads are all enums without cases. That cannot be seen from
  /// here, so only cases whose payload surely has values count.
  var isSurelyInhabited: Bool {
    cases.contains { $0.elements.allSatisfy(\.type.isSurelyInhabited) }
  }
}

extension TypeReference {
  fileprivate var isSurelyInhabited: Bool {
    switch shape {
    case .optional, .function, .constrained, .other: true
    case .named(let components): Self.inhabited.contains(components.last?.name ?? "")
    case .attributed(_, let type): type.isSurelyInhabited
    case .tuple(let elements): elements.allSatisfy(\.type.isSurelyInhabited)
    case .implicitlyUnwrapped: true
    }
  }

  private static let inhabited: Set<String> = [
    "Array", "Bool", "Character", "Data", "Date", "Decimal", "Dictionary", "Double", "Duration",
    "Float", "Int", "Int64", "Optional", "Set", "String", "UInt", "URL", "UUID", "Void",
  ]
}
