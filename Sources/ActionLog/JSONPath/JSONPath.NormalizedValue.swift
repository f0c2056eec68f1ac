extension JSONPath {
  /// The meaning of a logged value, by which conditions compare it.
  ///
  /// Values with different spellings can have the same meaning.
  enum NormalizedValue {
    /// A number, including durations and decimals, which logs write as numbers.
    case number(JSON.Number)
    /// A value that JSON numbers can't represent: not a number, or infinity.
    case notFinite(Double)
    /// A point in time in seconds since 2001, and the original string if it was written as one.
    case date(Double, text: String?)
    case text(String)
    /// A value for which no order is defined.
    case other(JSON)
  }
}

extension JSONPath.NormalizedValue {
  init(_ json: JSON) {
    switch json {
    case .number(let number): self = .number(number)
    case .string(let text):
      self = JSON.instant(text).map { .date($0, text: text) } ?? .text(text)
    case .object(let object) where object.count == 1: self = Self.tagged(object) ?? .other(json)
    default: self = .other(json)
    }
  }

  private static func tagged(_ object: JSON.Object) -> Self? {
    switch (object.keys[0], object.values[0]) {
    case ("$date", .number(let seconds)): .date(seconds.double, text: nil)
    case ("$double", .string("nan")), ("$decimal", .string("nan")): .notFinite(.nan)
    case ("$double", .string("inf")): .notFinite(.infinity)
    case ("$double", .string("-inf")): .notFinite(-.infinity)
    default: nil
    }
  }

  /// The string, including that of a date, or `nil` for other values.
  private var text: String? {
    switch self {
    case .text(let text): text
    case .date(_, let text): text
    default: nil
    }
  }
}

extension JSONPath.NormalizedValue {
  /// Whether both values have the same meaning.
  ///
  /// Considers `nan` equal to itself, so that a condition can test for it.
  static func areEqual(_ lhs: JSON, _ rhs: JSON) -> Bool {
    switch (lhs, rhs) {
    case (.array(let lhs), .array(let rhs)):
      return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { areEqual($0, $1) }
    case (.bool, _), (.null, _): return lhs == rhs
    default: break
    }
    switch (Self(lhs), Self(rhs)) {
    case (.number(let lhs), .number(let rhs)): return lhs.compared(to: rhs) == 0
    case (.notFinite(let lhs), .notFinite(let rhs)):
      return lhs == rhs || lhs.isNaN && rhs.isNaN
    case (.date(let lhs, _), .date(let rhs, _)): return lhs == rhs
    case (.other(.object(let lhs)), .other(.object(let rhs))):
      return lhs.count == rhs.count
        && lhs.allSatisfy { name, value in rhs[name].map { areEqual(value, $0) } ?? false }
    default: return lhs == rhs
    }
  }

  /// Whether the first value is less than the second one.
  ///
  /// `false` if no order is defined for the values.
  static func isLess(_ lhs: JSON, _ rhs: JSON) -> Bool {
    let (lhs, rhs) = (Self(lhs), Self(rhs))
    switch (lhs, rhs) {
    case (.number(let lhs), .number(let rhs)): return lhs.compared(to: rhs) < 0
    case (.notFinite(let lhs), .notFinite(let rhs)): return lhs < rhs
    case (.notFinite(let lhs), .number): return lhs < 0
    case (.number, .notFinite(let rhs)): return rhs > 0
    case (.date(let lhs, _), .date(let rhs, _)): return lhs < rhs
    default:
      guard let lhs = lhs.text, let rhs = rhs.text else { return false }
      return lhs.precedesInBytes(rhs)
    }
  }

  /// Whether a comparison of values of these two kinds can be true.
  ///
  /// With an order operator, a date that was written as a string can also be compared with other strings.
  static func areOfOneKind(_ lhs: JSON, _ rhs: JSON, isOrder: Bool) -> Bool {
    let (lhs, rhs) = (Self(lhs), Self(rhs))
    switch (lhs, rhs) {
    case (.number, .number), (.notFinite, .notFinite), (.number, .notFinite), (.notFinite, .number),
      (.date, .date), (.text, .text):
      return true
    case (.other(let lhs), .other(let rhs)): return lhs.kind == rhs.kind
    default: return isOrder && lhs.text != nil && rhs.text != nil
    }
  }

  /// The name of the value's kind, for messages.
  var kind: String {
    switch self {
    case .number, .notFinite: "a number"
    case .date: "a date"
    case .text: "a string"
    case .other(let value): value.kind
    }
  }
}

extension JSON {
  /// The kind of the value in comparisons, for messages.
  ///
  /// In contrast to `kind`, it distinguishes `a date`. It is `a number` for a number that JSON can't represent.
  package var comparedKind: String { JSONPath.NormalizedValue(self).kind }
}

extension JSONPath.Clause {
  /// Whether the clause can be true for values of these kinds.
  package func canHold(_ left: JSON, _ right: JSON) -> Bool {
    switch asks {
    case .comparison(let name):
      JSONPath.NormalizedValue.areOfOneKind(left, right, isOrder: !["==", "!="].contains(name))
    case .match, .existence, .truth: left.kind == right.kind
    }
  }
}
