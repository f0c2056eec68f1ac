extension JSONPath {
  /// A value that a query selects, and where it stands.
  public struct Node: Hashable, Sendable {
    /// The way from the root to the value.
    public let location: [Step]
    /// The value.
    public let value: JSON

    /// A member's name or an element's index on the way to a value.
    public enum Step: Hashable, Sendable {
      /// A member of an object.
      case name(String)
      /// An element of an array, counted from 0.
      case index(Int)
    }
  }
}

extension JSONPath.Node {
  /// The place as a JSON Pointer (RFC 6901), as patches name it.
  public var pointer: JSON.Pointer {
    JSON.Pointer(
      location.map { step in
        switch step {
        case .name(let name): name
        case .index(let index): String(index)
        }
      }
    )
  }

  /// The place as a normalized path (RFC 9535, section 2.7), such as `$['todos'][0]`.
  public var normalizedPath: String {
    location.reduce(into: "$") { text, step in
      switch step {
      case .name(let name): text += "['\(Self.escaped(name))']"
      case .index(let index): text += "[\(index)]"
      }
    }
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
