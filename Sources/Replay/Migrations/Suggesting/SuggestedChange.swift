import ActionLog

/// A statement in a suggested migration, which can be applied to a value or written as Swift code.
enum SuggestedChange: Equatable {
  case move(from: JSON.Pointer, to: JSON.Pointer)
  case remove(JSON.Pointer)
  case set(JSON, at: JSON.Pointer)
  case wrap(JSON.Pointer, member: String)

  func apply(to value: inout JSON) throws {
    switch self {
    case .move(let source, let target):
      try value.move(from: source.description, to: target.description)
    case .remove(let place): try value.remove(at: place.description)
    case .set(let new, let place): try value.set(new, at: place.description)
    case .wrap(let place, let member): try value.wrap(place.description, in: member)
    }
  }

  /// Formats the statement as Swift code.
  ///
  /// - Parameter name: The name of the variable that holds the value to change.
  /// - Returns: A statement that changes the variable.
  func swift(_ name: String) -> String {
    switch self {
    case .move(let source, let target):
      "try \(name).move(from: \(literal(source)), to: \(literal(target)))"
    case .remove(let place): "try \(name).remove(at: \(literal(place)))"
    case .set(let value, let place):
      "try \(name).set(\(Self.literal(value)), at: \(literal(place)))"
    case .wrap(let place, let member):
      "try \(name).wrap(\(literal(place)), in: \(SwiftLiteral.text(member)))"
    }
  }

  private func literal(_ place: JSON.Pointer) -> String { SwiftLiteral.text(place.description) }

  /// Returns the Swift literal for a JSON value.
  private static func literal(_ value: JSON) -> String {
    switch value {
    case .null: ".null"
    case .bool(let value): "\(value)"
    case .number(let number): number.literal
    case .string(let text): SwiftLiteral.text(text)
    case .array(let values): "[\(values.map(literal).joined(separator: ", "))]"
    case .object(let object) where object.isEmpty: "[:]"
    case .object(let object):
      "[\(object.map { "\(SwiftLiteral.text($0.key)): \(literal($0.value))" }.joined(separator: ", "))]"
    }
  }
}

/// A namespace for the function that writes a string as a Swift literal.
enum SwiftLiteral {
  static func text(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where scalar.properties.generalCategory == .control:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

extension [SuggestedChange] {
  /// Returns the value after all changes, or `nil` if a change can't be applied.
  func applied(to value: JSON) -> JSON? {
    var value = value
    do { for change in self { try change.apply(to: &value) } } catch { return nil }
    return value
  }
}
