extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: MutableCollection & RandomAccessCollection, Value.Index == Int {
  /// What is shared of the elements.
  public typealias Element = Shared<Value.Element>
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

  /// The place behind the last element.
  public var endIndex: Int { wrappedValue.endIndex }

  /// The place behind another one.
  public func index(after index: Int) -> Int { wrappedValue.index(after: index) }

  /// The place before another one.
  public func index(before index: Int) -> Int { wrappedValue.index(before: index) }

  /// Shares the element at a place.
  ///
  /// When the place is gone, reading gives the last element that stood there.
  public subscript(position: Int) -> Shared<Value.Element> {
    let base = Shared<Value.Element?>(WritablePlace(reference, position))
    return Shared<Value.Element>(base)
      ?? Shared<Value.Element>(WritablePart(reference, \.[position]))
  }
}

extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: MutableCollection & RandomAccessCollection, Value.Index == Int {
  /// What is shared of the elements.
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

  /// The place behind the last element.
  public var endIndex: Int { wrappedValue.endIndex }

  /// The place behind another one.
  public func index(after index: Int) -> Int { wrappedValue.index(after: index) }

  /// The place before another one.
  public func index(before index: Int) -> Int { wrappedValue.index(before: index) }

  /// Reads the element at a place.
  ///
  /// When the place is gone, reading gives the last element that stood there.
  public subscript(position: Int) -> SharedReader<Value.Element> {
    let base = SharedReader<Value.Element?>(ReadablePlace(reference, position))
    return SharedReader<Value.Element>(base)
      ?? SharedReader<Value.Element>(ReadablePart(reference, \.[position]))
  }
}
