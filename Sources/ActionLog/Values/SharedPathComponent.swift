/// A step in the path from a shared value to a part of it, as a log describes shared values.
///
/// A log contains a step as a name, `{"id":1}`, a number, or `null` for the value in an optional.
///
/// ```swift
/// // The title of row 7 in the shared value.
/// let parts: [SharedPathComponent] = [.id(7), .member("title")]
/// JSON.array(parts.map(\.json))  // [{"id":7},"title"]
/// ```
public enum SharedPathComponent: Equatable, Sendable {
  /// The member with a name.
  case member(String)
  /// The row with an id, in the JSON form that a log contains.
  case id(JSON)
  /// The element at an index, counted from 0.
  case index(Int)
  /// The value that an optional wraps.
  case wrapped
}

extension SharedPathComponent {
  /// The step in the JSON form that a log contains.
  public var json: JSON {
    switch self {
    case .member(let name): .string(name)
    case .id(let id): ["id": id]
    case .index(let index): .number(JSON.Number(index))
    case .wrapped: .null
    }
  }

  /// Creates a step from the value that `json` returns, or returns `nil` if this version doesn't know the form.
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

/// The former name of `SharedPathComponent`.
@available(*, deprecated, renamed: "SharedPathComponent")
public typealias SharedPart = SharedPathComponent
