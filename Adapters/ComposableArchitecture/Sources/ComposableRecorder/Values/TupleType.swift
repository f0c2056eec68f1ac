/// A tuple type that is known only at run time: the payload of a case with several values.
///
/// The language cannot open tuples. The elements are read from the type's metadata, whose layout is part of Swift's
/// stable ABI.
struct TupleType {
  /// An element of the tuple.
  struct Element {
    /// The label, or `_` and the position.
    let name: String
    let type: Any.Type
    fileprivate let offset: Int
  }

  /// The elements, at least two.
  let elements: [Element]

  /// Reads the elements of a type; `nil` if it is not a tuple.
  init?(_ type: Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == Self.kind else { return nil }
    let word = MemoryLayout<UInt>.size
    let count = metadata.load(fromByteOffset: word, as: Int.self)
    guard count > 1 else { return nil }
    // Each label is followed by a space, even an empty one.
    let text = metadata.load(fromByteOffset: 2 * word, as: UnsafePointer<CChar>?.self)
    let labels = text.map { String(cString: $0) }?
      .split(separator: " ", omittingEmptySubsequences: false)
    elements = (0..<count).map { index in
      let element = (3 + 2 * index) * word
      let label = labels.flatMap { $0.indices.contains(index) ? String($0[index]) : nil } ?? ""
      return Element(
        name: label.isEmpty ? "_\(index)" : label,
        type: metadata.load(fromByteOffset: element, as: Any.Type.self),
        // Some platforms use an entire word here, of which this is the lower half.
        offset: Int(metadata.load(fromByteOffset: element + word, as: UInt32.self))
      )
    }
  }

  private static let kind: UInt = 0x301

  /// Returns the names and values of a tuple's elements; `nil` for any other value.
  static func elements(of value: Any) -> [(name: String, value: Any)]? {
    guard let type = TupleType(Swift.type(of: value)) else { return nil }
    return zip(type.elements, Mirror(reflecting: value).children).map { ($0.name, $1.value) }
  }

  /// Creates a tuple of this type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - read: Reads an element.
  /// - Returns: The tuple.
  /// - Throws: The errors of `read`.
  func make(_ type: Any.Type, _ read: (Element) throws -> Any) throws -> Any {
    // All elements are read before the first one is written, so that an error leaves no partial tuple.
    let writers = try elements.map { element in
      let value = try read(element)
      func writer<Value>(_ value: Value) -> (UnsafeMutableRawPointer) -> Void {
        { ($0 + element.offset).initializeMemory(as: Value.self, to: value) }
      }
      return _openExistential(value, do: writer)
    }
    func open<Tuple>(_: Tuple.Type) -> Any {
      let memory = UnsafeMutablePointer<Tuple>.allocate(capacity: 1)
      defer { memory.deallocate() }
      for write in writers { write(UnsafeMutableRawPointer(memory)) }
      return memory.move()
    }
    return _openExistential(type, do: open)
  }
}
