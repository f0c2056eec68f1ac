internal import ComposableArchitecture
import Synchronization

/// Marks the shared values in what is written.
final class SharedMarking: Sendable {
  @TaskLocal static var current: SharedMarking?

  /// A shared value, or a part of one.
  struct Marked: Sendable {
    /// Which value it is a part of.
    let root: ObjectIdentifier
    /// The steps from that value to this one.
    let parts: [SharedPart]
    let value: any SharedValue
  }

  private let found = Mutex<[Marked]>([])

  /// The values in the order of their marks.
  var values: [Marked] { found.withLock { $0 } }

  /// The mark of a value; `nil` for a part that has no name.
  func mark<Value>(_ shared: Shared<Value>) -> Int? {
    guard let parts = shared.parts else { return nil }
    // A part has the identifier of the whole.
    let marked = Marked(root: shared._objectIdentifier, parts: parts, value: shared)
    return found.withLock { found in
      found.append(marked)
      return found.count - 1
    }
  }
}

/// Links shared values in a state that is read.
final class SharedLinking: Sendable {
  @TaskLocal static var current: SharedLinking?

  private struct Contents {
    var values: [Int: any SharedValue] = [:]
    var isComplete = false
  }

  private let places: [(root: Int, parts: [SharedPart])]
  private let contents: Mutex<Contents>

  /// Links places; the whole values of some may be known from the start, by their roots.
  init(places: [(root: Int, parts: [SharedPart])], known: [Int: any SharedValue]) {
    self.places = places
    contents = Mutex(Contents(values: known))
  }

  /// Says that the whole values are known.
  func complete() { contents.withLock { $0.isComplete = true } }

  /// Notes the value at a place, if it is a whole one; one that has a place outside of the state, such as a key, is the one to
  /// share.
  func note(_ value: some SharedValue, at index: Int, isPlaced: Bool) {
    guard places.indices.contains(index), places[index].parts.isEmpty else { return }
    let root = places[index].root
    contents.withLock { contents in
      if isPlaced || contents.values[root] == nil { contents.values[root] = value }
    }
  }

  /// The value at a place; `nil` while it is not known.
  func shared(at index: Int) -> (any SharedValue)? {
    let whole: (any SharedValue)? = contents.withLock { contents in
      guard contents.isComplete, places.indices.contains(index) else { return nil }
      return contents.values[places[index].root]
    }
    guard let whole else { return nil }
    return places[index].parts.reduce(whole) { $0?.part($1) }
  }
}
