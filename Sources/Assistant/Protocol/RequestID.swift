import ActionLog

/// The identity of a request, a string or an integer, which the response repeats.
enum RequestID: Hashable, Sendable {
  case text(String)
  case number(Int)

  /// Parses an id; `nil` for an invalid value.
  init?(_ json: JSON?) {
    switch json {
    case .string(let text)?: self = .text(text)
    case .number(let number)?:
      guard let number = number.int else { return nil }
      self = .number(number)
    default: return nil
    }
  }

  var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .number(JSON.Number(number))
    }
  }
}
