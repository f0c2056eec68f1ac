internal import ComposableArchitecture
import Synchronization

/// Marks the shared values during encoding.
final class SharedValueCollector: Sendable {
  @TaskLocal static var current: SharedValueCollector?

  /// A shared value, or a part of one.
  struct Marked: Sendable {
    /// The identity of the entire value.
    let root: ObjectIdentifier
    /// The steps from that value to this one.
    let parts: [SharedPathComponent]
    let value: any SharedValue
  }

  private let found = Mutex<[Marked]>([])

  /// The values in the order of their marks.
  var values: [Marked] { found.withLock { $0 } }

  /// Returns the mark of a value; `nil` for a part without a name.
  func mark<Value>(_ shared: Shared<Value>) -> Int? {
    guard let parts = shared.parts else { return nil }
    // A part has the identifier of the entire value.
    let marked = Marked(root: shared._objectIdentifier, parts: parts, value: shared)
    return found.withLock { found in
      found.append(marked)
      return found.count - 1
    }
  }
}

/// Links shared values in a state that is being read.
final class SharedReferenceLinker: Sendable {
  @TaskLocal static var current: SharedReferenceLinker?

  private struct Contents {
    var values: [Int: any SharedValue] = [:]
    var isComplete = false
  }

  private let places: [(root: Int, parts: [SharedPathComponent])]
  private let contents: Mutex<Contents>

  /// Creates links for paths.
  ///
  /// The entire values of some paths may be known in advance, by their roots.
  init(places: [(root: Int, parts: [SharedPathComponent])], known: [Int: any SharedValue]) {
    self.places = places
    contents = Mutex(Contents(values: known))
  }

  /// Marks all entire values as known.
  func complete() { contents.withLock { $0.isComplete = true } }

  /// Stores the value at a path if it is an entire value.
  ///
  /// A value with storage outside the state, such as a key, takes precedence.
  func note(_ value: some SharedValue, at index: Int, isPlaced: Bool) {
    guard places.indices.contains(index), places[index].parts.isEmpty else { return }
    let root = places[index].root
    contents.withLock { contents in
      if isPlaced || contents.values[root] == nil { contents.values[root] = value }
    }
  }

  /// Returns the value at a path; `nil` while it is not known.
  func shared(at index: Int) -> (any SharedValue)? {
    let whole: (any SharedValue)? = contents.withLock { contents in
      guard contents.isComplete, places.indices.contains(index) else { return nil }
      return contents.values[places[index].root]
    }
    guard let whole else { return nil }
    return places[index].parts.reduce(whole) { $0?.part($1) }
  }
}
