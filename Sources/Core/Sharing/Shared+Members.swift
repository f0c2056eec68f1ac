extension Shared {
  /// Returns a shared member of the value.
  public subscript<Member>(
    dynamicMember keyPath: any WritableKeyPath<Value, Member> & Sendable
  ) -> Shared<Member> {
    Shared<Member>(WritablePart(reference, keyPath))
  }

  /// Returns a read-only shared member of the value.
  public subscript<Member>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadablePart(reference, keyPath))
  }

  /// Returns a reader of the result of a closure applied to the value.
  ///
  /// ```swift
  /// @Shared(.todos) var todos
  /// let unfinished: SharedReader<Int> = $todos.read { $0.count { !$0.isDone } }
  /// ```
  ///
  /// - Parameter body: Computes the result. Called at each read.
  /// - Returns: The reader.
  public func read<Member>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadableResult(reference, body))
  }

  /// Unwraps a shared optional value.
  ///
  /// Returns `nil` if the value is `nil`.
  ///
  /// After the optional becomes `nil`, reads return its last value, and changes are no longer shared.
  public init?(_ base: Shared<Value?>) {
    guard let reference = WritableUnwrapped(base.reference) else { return nil }
    self.init(reference)
  }
}

extension SharedReader {
  /// Returns a reader of a member of the value.
  public subscript<Member>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadablePart(reference, keyPath))
  }

  /// Returns a reader of the result of a closure applied to the value.
  ///
  /// - Parameter body: Computes the result. Called at each read.
  /// - Returns: The reader.
  public func read<Member>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadableResult(reference, body))
  }

  /// Unwraps a shared optional value.
  ///
  /// Returns `nil` if the value is `nil`.
  ///
  /// After the optional becomes `nil`, reads return its last value.
  public init?(_ base: SharedReader<Value?>) {
    guard let reference = ReadableUnwrapped(base.reference) else { return nil }
    self.init(reference)
  }
}

extension Shared {
  /// Returns the shared element with an id.
  ///
  /// It is `nil` while the array has no such element.
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
  /// Returns a reader of the element with an id.
  ///
  /// It is `nil` while the array has no such element.
  public subscript<ID, Element>(id id: ID) -> SharedReader<Element?>
  where Value == IdentifiedArray<ID, Element> {
    SharedReader<Element?>(ReadableRow(reference, id))
  }
}

extension RangeReplaceableCollection {
  /// Creates an array with a shared value for each element, by id.
  public init<ID, Value>(_ shared: Shared<IdentifiedArray<ID, Value>>)
  where Element == Shared<Value> {
    self.init(shared.wrappedValue.ids.compactMap { Shared(shared[id: $0]) })
  }

  /// Creates an array with a reader for each element, by id.
  public init<ID, Value>(_ shared: SharedReader<IdentifiedArray<ID, Value>>)
  where Element == SharedReader<Value> {
    self.init(shared.wrappedValue.ids.compactMap { SharedReader(shared[id: $0]) })
  }
}

extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: MutableCollection & RandomAccessCollection, Value.Index == Int {
  /// A shared element of the collection.
  public typealias Element = Shared<Value.Element>
  /// A slice of the collection.
  public typealias SubSequence = Slice<Self>
  /// The indices of the elements.
  public typealias Indices = Range<Int>

  /// Returns an iterator over the current elements.
  ///
  /// Later changes of the collection don't affect it.
  ///
  /// ```swift
  /// for todo in $todos { todo.withLock { $0.isDone = true } }
  /// ```
  public func makeIterator() -> IndexingIterator<[Element]> {
    (startIndex..<endIndex).map { self[$0] }.makeIterator()
  }

  /// The index of the first element.
  public var startIndex: Int { wrappedValue.startIndex }

  /// The index after the last element.
  public var endIndex: Int { wrappedValue.endIndex }

  /// Returns the index after another one.
  public func index(after index: Int) -> Int { wrappedValue.index(after: index) }

  /// Returns the index before another one.
  public func index(before index: Int) -> Int { wrappedValue.index(before: index) }

  /// Returns the shared element at an index.
  ///
  /// After the index becomes invalid, reads return the last element that it had.
  public subscript(position: Int) -> Shared<Value.Element> {
    let base = Shared<Value.Element?>(WritablePlace(reference, position))
    return Shared<Value.Element>(base)
      ?? Shared<Value.Element>(WritablePart(reference, \.[position]))
  }
}

extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: MutableCollection & RandomAccessCollection, Value.Index == Int {
  /// A reader of an element.
  public typealias Element = SharedReader<Value.Element>
  /// A slice of the collection.
  public typealias SubSequence = Slice<Self>
  /// The indices of the elements.
  public typealias Indices = Range<Int>

  /// Returns an iterator over the current elements.
  ///
  /// Later changes of the collection don't affect it.
  public func makeIterator() -> IndexingIterator<[Element]> {
    (startIndex..<endIndex).map { self[$0] }.makeIterator()
  }

  /// The index of the first element.
  public var startIndex: Int { wrappedValue.startIndex }

  /// The index after the last element.
  public var endIndex: Int { wrappedValue.endIndex }

  /// Returns the index after another one.
  public func index(after index: Int) -> Int { wrappedValue.index(after: index) }

  /// Returns the index before another one.
  public func index(before index: Int) -> Int { wrappedValue.index(before: index) }

  /// Returns a reader of the element at an index.
  ///
  /// After the index becomes invalid, reads return the last element that it had.
  public subscript(position: Int) -> SharedReader<Value.Element> {
    let base = SharedReader<Value.Element?>(ReadablePlace(reference, position))
    return SharedReader<Value.Element>(base)
      ?? SharedReader<Value.Element>(ReadablePart(reference, \.[position]))
  }
}
