extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  /// The index of the first element.
  public var startIndex: Int { 0 }

  /// The index behind the last element.
  public var endIndex: Int { elements.count }

  /// The element at a position; it is a programmer's error to change its id.
  public subscript(position: Int) -> Element {
    get { elements[position] }
    _modify {
      yield &elements[position]
      checkID(at: position)
    }
  }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether two arrays hold equal elements in the same order.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.elements == rhs.elements
  }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(elements)
  }
}

extension IdentifiedArray: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The elements, as an array shows them.
  public var description: String { elements.description }

  /// The elements with their type.
  public var debugDescription: String {
    "IdentifiedArray<\(Element.self)>(\(elements.debugDescription))"
  }

  /// The elements, as an array shows them.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}
