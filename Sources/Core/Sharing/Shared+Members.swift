extension Shared {
  /// Shares a member of the value.
  public subscript<Member>(
    dynamicMember keyPath: any WritableKeyPath<Value, Member> & Sendable
  ) -> Shared<Member> {
    Shared<Member>(WritablePart(reference, keyPath))
  }

  /// Shares a member of the value that can only be read.
  public subscript<Member>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadablePart(reference, keyPath))
  }

  /// Reads what a closure makes of the value.
  ///
  /// ```swift
  /// @Shared(.todos) var todos
  /// let unfinished: SharedReader<Int> = $todos.read { $0.count { !$0.isDone } }
  /// ```
  ///
  /// - Parameter body: Makes something of the value, each time that it is read.
  /// - Returns: What reads it.
  public func read<Member>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadableResult(reference, body))
  }

  /// Shares what is in an optional value, nil when that is nil.
  ///
  /// Once the optional becomes nil, reading gives the last value that it had, and changes are no longer shared.
  public init?(_ base: Shared<Value?>) {
    guard let reference = WritableUnwrapped(base.reference) else { return nil }
    self.init(reference)
  }
}

extension SharedReader {
  /// Reads a member of the value.
  public subscript<Member>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadablePart(reference, keyPath))
  }

  /// Reads what a closure makes of the value.
  ///
  /// - Parameter body: Makes something of the value, each time that it is read.
  /// - Returns: What reads it.
  public func read<Member>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadableResult(reference, body))
  }

  /// Reads what is in an optional value, nil when that is nil.
  ///
  /// Once the optional becomes nil, reading gives the last value that it had.
  public init?(_ base: SharedReader<Value?>) {
    guard let reference = ReadableUnwrapped(base.reference) else { return nil }
    self.init(reference)
  }
}

extension Shared {
  /// Shares the element with an id, which is nil while the array has none such.
  ///
  /// ```swift
  /// if let $todo = Shared($todos[id: id]) { ... }
  /// ```
  public subscript<ID, Element>(id id: ID) -> Shared<Element?>
  where Value == IdentifiedArray<ID, Element> {
    Shared<Element?>(WritableRow(reference, id))
  }
}

extension SharedReader {
  /// Reads the element with an id, which is nil while the array has none such.
  public subscript<ID, Element>(id id: ID) -> SharedReader<Element?>
  where Value == IdentifiedArray<ID, Element> {
    SharedReader<Element?>(ReadableRow(reference, id))
  }
}

extension RangeReplaceableCollection {
  /// Shares each element of an array by its id.
  public init<ID, Value>(_ shared: Shared<IdentifiedArray<ID, Value>>)
  where Element == Shared<Value> {
    self.init(shared.wrappedValue.ids.compactMap { Shared(shared[id: $0]) })
  }

  /// Reads each element of an array by its id.
  public init<ID, Value>(_ shared: SharedReader<IdentifiedArray<ID, Value>>)
  where Element == SharedReader<Value> {
    self.init(shared.wrappedValue.ids.compactMap { SharedReader(shared[id: $0]) })
  }
}

extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: MutableCollection & RandomAccessCollection, Value.Index == Int {
  /// A shared element.
  public typealias Element = Shared<Value.Element>
  /// A part of the collection.
  public typealias SubSequence = Slice<Self>
  /// The places of the elements.
  public typealias Indices = Range<Int>

  /// Iterates over the elements that are there now, whatever becomes of them meanwhile.
  ///
  /// ```swift
  /// for todo in $todos { todo.withLock { $0.isDone = true } }
  /// ```
  public func makeIterator() -> IndexingIterator<[Element]> {
    (startIndex..<endIndex).map { self[$0] }.makeIterator()
  }

  /// The place of the first element.
  public var startIndex: Int { wrappedValue.startIndex }

  /// The position after the last element.
  public var endIndex: Int { wrappedValue.endIndex }

  /// The position after another one.
  public func index(after index: Int) -> Int { wrappedValue.index(after: index) }

  /// The position before another one.
  public func index(before index: Int) -> Int { wrappedValue.index(before: index) }

  /// Shares the element at a place.
  ///
  /// When the place is gone, reading gives its last element.
  public subscript(position: Int) -> Shared<Value.Element> {
    let base = Shared<Value.Element?>(WritablePlace(reference, position))
    return Shared<Value.Element>(base)
      ?? Shared<Value.Element>(WritablePart(reference, \.[position]))
  }
}

extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: MutableCollection & RandomAccessCollection, Value.Index == Int {
  /// A shared element.
  public typealias Element = SharedReader<Value.Element>
  /// A part of the collection.
  public typealias SubSequence = Slice<Self>
  /// The places of the elements.
  public typealias Indices = Range<Int>

  /// Iterates over the elements that are there now, whatever becomes of them meanwhile.
  public func makeIterator() -> IndexingIterator<[Element]> {
    (startIndex..<endIndex).map { self[$0] }.makeIterator()
  }

  /// The place of the first element.
  public var startIndex: Int { wrappedValue.startIndex }

  /// The position after the last element.
  public var endIndex: Int { wrappedValue.endIndex }

  /// The position after another one.
  public func index(after index: Int) -> Int { wrappedValue.index(after: index) }

  /// The position before another one.
  public func index(before index: Int) -> Int { wrappedValue.index(before: index) }

  /// Reads the element at a place.
  ///
  /// When the place is gone, reading gives its last element.
  public subscript(position: Int) -> SharedReader<Value.Element> {
    let base = SharedReader<Value.Element?>(ReadablePlace(reference, position))
    return SharedReader<Value.Element>(base)
      ?? SharedReader<Value.Element>(ReadablePart(reference, \.[position]))
  }
}
