/// One step from a shared value to a part of it, as the marks of shared values in a log have it.
///
/// A part is written as a name, `{"id":1}`, a number, or `null` for the value in an optional.
///
/// ```swift
/// // The title of the row 7 of what is shared.
/// let parts: [SharedPart] = [.id(7), .member("title")]
/// JSON.array(parts.map(\.json))  // [{"id":7},"title"]
/// ```
public enum SharedPart: Equatable, Sendable {
  /// A member of a type that names its members.
  case member(String)
  /// The row with an id, as the log writes that.
  case id(JSON)
  /// The element at a place, counted from 0.
  case index(Int)
  /// The value of an optional.
  case wrapped
}

extension SharedPart {
  /// The part as the log writes it.
  public var json: JSON {
    switch self {
    case .member(let name): .string(name)
    case .id(let id): ["id": id]
    case .index(let index): .number(JSON.Number(index))
    case .wrapped: .null
    }
  }

  /// Reads a part; `nil` for one that this version does not know.
  public init?(_ json: JSON) {
    if let name = json.string {
      self = .member(name)
    } else if let id = json["id"] {
      self = .id(id)
    } else if let index = json.int {
      self = .index(index)
    } else if json.isNull {
      self = .wrapped
    } else {
      return nil
    }
  }
}
