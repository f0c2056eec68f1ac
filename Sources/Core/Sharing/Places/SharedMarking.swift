internal import ActionLog

/// Marks the shared values in a state that is being written.
final class SharedMarking: Sendable {
  @TaskLocal static var current: SharedMarking?

  private let found = LockIsolated<[any ReadableReference]>([])

  /// The shared values in the order of their marks.
  var references: [any ReadableReference] { found.withValue { $0 } }

  /// The mark of a shared value.
  func mark(_ reference: any ReadableReference) -> Int {
    found.withValue { found in
      found.append(reference)
      return found.count - 1
    }
  }
}

/// Puts shared values together in a state that is being read.
final class SharedLinking: Sendable {
  @TaskLocal static var current: SharedLinking?

  private let places: [(root: Int, parts: [SharedPart])]
  private let roots = LockIsolated<[Int: any ReadableReference]>([:])
  private let complete = LockIsolated(false)

  init(places: [(root: Int, parts: [SharedPart])]) {
    self.places = places
  }

  /// Whether the whole values are known.
  var isComplete: Bool {
    get { complete.value }
    set { complete.setValue(newValue) }
  }

  /// Notes what stands behind a mark, if that is a whole value.
  func note(_ reference: any ReadableReference, at mark: Int) {
    guard places.indices.contains(mark), places[mark].parts.isEmpty else { return }
    roots.withValue { roots in
      if roots[places[mark].root] == nil { roots[places[mark].root] = reference }
    }
  }

  /// The reference behind a mark, nil while it is not known.
  func reference(at mark: Int) -> (any ReadableReference)? {
    guard isComplete, places.indices.contains(mark) else { return nil }
    var reference = roots.withValue { $0[places[mark].root] }
    for part in places[mark].parts { reference = reference?.part(part) }
    return reference
  }
}
