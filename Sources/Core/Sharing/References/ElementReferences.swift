/// The row of an identified array with an id.
final class WritableRow<ID: Hashable, Element>: WritableReference {
  private let base: any WritableReference<IdentifiedArray<ID, Element>>
  // Never changes, and is only compared and hashed.
  nonisolated(unsafe) private let id: ID

  init(_ base: any WritableReference<IdentifiedArray<ID, Element>>, _ id: ID) {
    self.base = base
    self.id = id
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Element? { base.current[id: id] }
  var parts: [SharedPart]? { base.parts.map { $0 + [.id(JSON(logging: id))] } }

  func withLock<R>(_ change: (inout Element?) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[id: id]) }
  }
}

/// The row of an identified array with an id, only to be read.
final class ReadableRow<ID: Hashable, Element>: ReadableReference {
  private let base: any ReadableReference<IdentifiedArray<ID, Element>>
  // Never changes, and is only compared and hashed.
  nonisolated(unsafe) private let id: ID

  init(_ base: any ReadableReference<IdentifiedArray<ID, Element>>, _ id: ID) {
    self.base = base
    self.id = id
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Element? { base.current[id: id] }
  var parts: [SharedPart]? { base.parts.map { $0 + [.id(JSON(logging: id))] } }
}

/// The element at a place of a collection.
final class WritablePlace<Elements: MutableCollection & RandomAccessCollection>: WritableReference
where Elements.Index == Int {
  private let base: any WritableReference<Elements>
  private let index: Int

  init(_ base: any WritableReference<Elements>, _ index: Int) {
    self.base = base
    self.index = index
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Elements.Element? { base.current[readAt: index] }
  var parts: [SharedPart]? { base.parts.map { $0 + [.index(index)] } }

  func withLock<R>(_ change: (inout Elements.Element?) throws -> R) rethrows -> R {
    try base.withLock { try change(&$0[sharedAt: index]) }
  }
}

/// The element at a place of a collection, only to be read.
final class ReadablePlace<Elements: RandomAccessCollection>: ReadableReference
where Elements.Index == Int {
  private let base: any ReadableReference<Elements>
  private let index: Int

  init(_ base: any ReadableReference<Elements>, _ index: Int) {
    self.base = base
    self.index = index
  }

  var root: any SharedRootReference { base.root }
  var stamp: UInt64? { base.stamp }
  var current: Elements.Element? { base.current[readAt: index] }
  var parts: [SharedPart]? { base.parts.map { $0 + [.index(index)] } }
}

extension RandomAccessCollection where Index == Int {
  /// The element at a place, nil when there is no such place.
  subscript(readAt index: Int) -> Element? {
    index >= startIndex && index < endIndex ? self[index] : nil
  }
}

extension MutableCollection where Self: RandomAccessCollection, Index == Int {
  /// The element at a place, nil when there is no such place; then setting it does nothing.
  subscript(sharedAt index: Int) -> Element? {
    get { self[readAt: index] }
    set {
      guard let newValue, self[readAt: index] != nil else { return }
      self[index] = newValue
    }
  }
}
