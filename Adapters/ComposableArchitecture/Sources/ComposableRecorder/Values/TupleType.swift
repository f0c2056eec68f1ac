/// A tuple type that is known at run time alone: the payload of a case with several values.
///
/// The language opens no tuple, so its elements are read from the type's metadata, whose layout is part of Swift's stable ABI.
struct TupleType {
  /// An element of the tuple.
  struct Element {
    /// Its label, or `_` and its position.
    let name: String
    let type: Any.Type
    fileprivate let offset: Int
  }

  /// The elements: two at least.
  let elements: [Element]

  /// The elements of a type; `nil` for one that is no tuple.
  init?(_ type: Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == Self.kind else { return nil }
    let word = MemoryLayout<UInt>.size
    let count = metadata.load(fromByteOffset: word, as: Int.self)
    guard count > 1 else { return nil }
    // Each label is followed by a space, also one that is empty.
    let text = metadata.load(fromByteOffset: 2 * word, as: UnsafePointer<CChar>?.self)
    let labels = text.map { String(cString: $0) }?
      .split(separator: " ", omittingEmptySubsequences: false)
    elements = (0..<count).map { index in
      let element = (3 + 2 * index) * word
      let label = labels.flatMap { $0.indices.contains(index) ? String($0[index]) : nil } ?? ""
      return Element(
        name: label.isEmpty ? "_\(index)" : label,
        type: metadata.load(fromByteOffset: element, as: Any.Type.self),
        // Some platforms have a word here, whose lower half it is.
        offset: Int(metadata.load(fromByteOffset: element + word, as: UInt32.self))
      )
    }
  }

  private static let kind: UInt = 0x301

  /// The names and values of the elements of a tuple; `nil` for any other value.
  static func elements(of value: Any) -> [(name: String, value: Any)]? {
    guard let type = TupleType(Swift.type(of: value)) else { return nil }
    return zip(type.elements, Mirror(reflecting: value).children).map { ($0.name, $1.value) }
  }

  /// Makes a tuple of this type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - read: Reads an element.
  /// - Returns: The tuple.
  /// - Throws: What `read` throws.
  func make(_ type: Any.Type, _ read: (Element) throws -> Any) throws -> Any {
    // All are read before the first one is written, so that nothing is left half made.
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
