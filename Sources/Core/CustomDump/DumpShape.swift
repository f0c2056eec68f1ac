/// What a dump shows of one value, without what stands below it.
enum DumpShape {
  /// A text on one line, such as a number or a date.
  case text(String)
  /// The content of a string.
  case string(String)
  /// A value that holds others.
  case container(DumpContainer)
}

/// A value that holds others.
struct DumpContainer {
  enum Arrangement {
    /// Members of a type, a tuple or a payload: which they are is known from their labels.
    case members
    /// Elements in an order that matters.
    case ordered
    /// Elements in no order, which dumps sort by their identity.
    case unordered
  }

  var open: String
  var close: String
  var arrangement: Arrangement
  var children: [DumpChild]
  /// What the container is, if it is an object and may hold itself.
  var object: AnyObject?

  /// Whether another container has the same kind, so that a difference may look into both.
  func isComparable(to other: DumpContainer) -> Bool {
    open == other.open && close == other.close
  }

  /// The container without its content.
  var collapsed: String {
    children.isEmpty ? empty : "\(open)…\(close)"
  }

  private var empty: String { open + close }
}

/// A value inside another.
struct DumpChild {
  var label: String?
  var value: Any
  /// What tells an element from the others, also when it changes: the id of a row, the key of an entry.
  var identity: AnyHashable?
}
