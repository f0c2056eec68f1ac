extension Shared {
  /// A shared member of the value, such as `$user.name`.
  public subscript<Member>(
    dynamicMember keyPath: any WritableKeyPath<Value, Member> & Sendable
  ) -> Shared<Member> {
    Shared<Member>(WritableMemberReference(reference, keyPath))
  }

  /// A read-only shared member of the value.
  public subscript<Member>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadableMemberReference(reference, keyPath))
  }

  /// Returns a read-only shared value that a closure computes from this value.
  ///
  /// ```swift
  /// @Shared(.todos) var todos
  /// let unfinished: SharedReader<Int> = $todos.read { $0.count { !$0.isDone } }
  /// ```
  ///
  /// - Parameter body: A closure that computes the result, called at each read.
  /// - Returns: A read-only shared value that changes together with this one.
  public func read<Member>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader<Member>(ComputedReference(reference, body))
  }

  /// Creates a shared value from an optional one, or returns `nil` if the optional is `nil`.
  ///
  /// After the optional becomes `nil`, reads return the last wrapped value, and changes are no longer shared.
  public init?(_ base: Shared<Value?>) {
    guard let reference = WritableUnwrappedReference(base.reference) else { return nil }
    self.init(reference)
  }
}

extension SharedReader {
  /// A read-only shared member of the value.
  public subscript<Member>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    SharedReader<Member>(ReadableMemberReference(reference, keyPath))
  }

  /// Returns a read-only shared value that a closure computes from this value.
  ///
  /// - Parameter body: A closure that computes the result, called at each read.
  /// - Returns: A read-only shared value that changes together with this one.
  public func read<Member>(
    _ body: @escaping @Sendable (Value) -> Member
  ) -> SharedReader<Member> {
    SharedReader<Member>(ComputedReference(reference, body))
  }

  /// Creates a read-only shared value from an optional one, or returns `nil` if the optional is `nil`.
  ///
  /// After the optional becomes `nil`, reads return the last wrapped value.
  public init?(_ base: SharedReader<Value?>) {
    guard let reference = ReadableUnwrappedReference(base.reference) else { return nil }
    self.init(reference)
  }
}

extension Shared {
  /// A shared value for the element with an id, which is `nil` while the array has no such element.
  ///
  /// ```swift
  /// if let $todo = Shared($todos[id: id]) { ... }
  /// ```
  public subscript<ID, Element>(id id: ID) -> Shared<Element?>
  where Value == IdentifiedArray<ID, Element> {
    Shared<Element?>(WritableElementByIDReference(reference, id))
  }
}

extension SharedReader {
  /// A read-only shared value for the element with an id, which is `nil` while the array has no such element.
  public subscript<ID, Element>(id id: ID) -> SharedReader<Element?>
  where Value == IdentifiedArray<ID, Element> {
    SharedReader<Element?>(ReadableElementByIDReference(reference, id))
  }
}

extension RangeReplaceableCollection {
  /// Creates a collection of shared values, one for each current element of a shared array.
  ///
  /// Each shared value finds its element by the element's id.
  public init<ID, Value>(_ shared: Shared<IdentifiedArray<ID, Value>>)
  where Element == Shared<Value> {
    self.init(shared.wrappedValue.ids.compactMap { Shared(shared[id: $0]) })
  }

  /// Creates a collection of read-only shared values, one for each current element of a shared array.
  ///
  /// Each shared value finds its element by the element's id.
  public init<ID, Value>(_ shared: SharedReader<IdentifiedArray<ID, Value>>)
  where Element == SharedReader<Value> {
    self.init(shared.wrappedValue.ids.compactMap { SharedReader(shared[id: $0]) })
  }
}

extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: MutableCollection & RandomAccessCollection, Value.Index == Int {
  /// An element of the collection, as a shared value.
  public typealias Element = Shared<Value.Element>
  /// A subsequence of the collection, as a slice of shared values.
  public typealias SubSequence = Slice<Self>
  /// The indices of the collection, which are a range of integers.
  public typealias Indices = Range<Int>

  /// Returns an iterator over the current elements, each as a shared value.
  ///
  /// Later changes to the collection don't affect the iterator.
  ///
  /// ```swift
  /// for todo in $todos { todo.withLock { $0.isDone = true } }
  /// ```
  public func makeIterator() -> IndexingIterator<[Element]> {
    (startIndex..<endIndex).map { self[$0] }.makeIterator()
  }

  /// The index of the first element, which is that of the shared collection.
  public var startIndex: Int { wrappedValue.startIndex }

  /// The index after the last element, which is that of the shared collection.
  public var endIndex: Int { wrappedValue.endIndex }

  /// Returns the index that follows another index.
  public func index(after index: Int) -> Int { wrappedValue.index(after: index) }

  /// Returns the index that precedes another index.
  public func index(before index: Int) -> Int { wrappedValue.index(before: index) }

  /// The element at an index, as a shared value.
  ///
  /// After the index becomes invalid, reads return the last element at that index.
  public subscript(position: Int) -> Shared<Value.Element> {
    let base = Shared<Value.Element?>(WritableElementAtIndexReference(reference, position))
    return Shared<Value.Element>(base)
      ?? Shared<Value.Element>(WritableMemberReference(reference, \.[position]))
  }
}

extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: MutableCollection & RandomAccessCollection, Value.Index == Int {
  /// An element of the collection, as a read-only shared value.
  public typealias Element = SharedReader<Value.Element>
  /// A subsequence of the collection, as a slice of read-only shared values.
  public typealias SubSequence = Slice<Self>
  /// The indices of the collection, which are a range of integers.
  public typealias Indices = Range<Int>

  /// Returns an iterator over the current elements, each as a read-only shared value.
  ///
  /// Later changes to the collection don't affect the iterator.
  public func makeIterator() -> IndexingIterator<[Element]> {
    (startIndex..<endIndex).map { self[$0] }.makeIterator()
  }

  /// The index of the first element, which is that of the shared collection.
  public var startIndex: Int { wrappedValue.startIndex }

  /// The index after the last element, which is that of the shared collection.
  public var endIndex: Int { wrappedValue.endIndex }

  /// Returns the index that follows another index.
  public func index(after index: Int) -> Int { wrappedValue.index(after: index) }

  /// Returns the index that precedes another index.
  public func index(before index: Int) -> Int { wrappedValue.index(before: index) }

  /// The element at an index, as a read-only shared value.
  ///
  /// After the index becomes invalid, reads return the last element at that index.
  public subscript(position: Int) -> SharedReader<Value.Element> {
    let base = SharedReader<Value.Element?>(ReadableElementAtIndexReference(reference, position))
    return SharedReader<Value.Element>(base)
      ?? SharedReader<Value.Element>(ReadableMemberReference(reference, \.[position]))
  }
}
