import ActionLog

/// Looks for places in a log, of which `*` stands for every member or element: in its first state and in its patches.
struct PlaceSeeker {
  private var left: [Search]
  /// Whether the next checkpoint says what nothing before it does.
  private var isStateDue = true

  init(_ places: [JSON.Pointer]) { left = places.map(Search.init) }

  /// The places that were not found, and as far as their paths lead; nothing where there was no state.
  var ends: [JSON.Pointer: MissingPlace?] {
    Dictionary(left.map { ($0.pattern, $0.end) }) { first, _ in first }
  }

  mutating func look(through log: LogSlice, until: Int) throws {
    var source = try LogSource(log, until: until)
    while !left.isEmpty, let entry = try source.nextSkimmed() {
      switch entry.event {
      case .checkpoint(let checkpoint) where isStateDue: take(try JSON(parsing: checkpoint.state))
      case .whole(.checkpoint(let checkpoint)) where isStateDue: take(checkpoint.state)
      case .change(let change): for operation in change.patch { remove { $0.find(operation) } }
      case .whole(.change(let change)): take(change.patch)
      case .whole(.external(let external)): take(external.patch)
      case .whole(.excluded(let excluded)): take(excluded.patch)
      case .whole(.gap): isStateDue = true
      default: break
      }
    }
  }

  private mutating func take(_ state: JSON) {
    isStateDue = false
    remove { $0.find(in: state, at: 0) }
  }

  private mutating func take(_ patch: JSON.Patch) {
    for operation in patch.operations { remove { $0.find(operation) } }
  }

  private mutating func remove(_ isFound: (inout Search) -> Bool) {
    for index in left.indices.reversed() where isFound(&left[index]) { left.remove(at: index) }
  }
}

extension PlaceSeeker {
  /// The search for one place.
  private struct Search {
    let pattern: JSON.Pointer
    private(set) var end: MissingPlace?
    /// What stands before the first `*`, as patches write it.
    private let opening: [UInt8]
    /// Whether a token may be the index of an element, in whose place others come to stand.
    private let hasIndex: Bool

    init(_ pattern: JSON.Pointer) {
      self.pattern = pattern
      opening = Array(JSON.Pointer(Array(pattern.tokens.prefix { $0 != "*" })).description.utf8)
      hasIndex = pattern.tokens.contains { JSON.Pointer.index($0) != nil }
    }

    /// Whether a value that stands so many tokens on the way has something in the place.
    mutating func find(in value: JSON, at depth: Int) -> Bool {
      let rest = JSON.Pointer(Array(pattern.tokens.dropFirst(depth)))
      guard var end = MissingPlace(rest, in: value, isPattern: true) else { return true }
      end.path.tokens.insert(contentsOf: pattern.tokens.prefix(depth), at: 0)
      self.end = MissingPlace.nearest(self.end, end)
      return false
    }

    mutating func find(_ operation: PatchText.Operation) -> Bool {
      if let path = operation.path, !hasIndex {
        let isNear =
          path.count < opening.count ? opening.starts(with: path) : path.starts(with: opening)
        guard isNear else { return false }
      }
      return find(operation.operation)
    }

    /// Whether an operation puts something in the place, as far as that is seen without the state.
    mutating func find(_ operation: JSON.Patch.Operation) -> Bool {
      switch operation {
      case .add(let path, let value), .replace(let path, let value):
        isOnTheWay(path) && find(in: value, at: path.tokens.count)
      // What they bring along is not known here; it is not held against the place.
      case .move(_, let path), .copy(_, let path): isOnTheWay(path)
      case .remove, .test, .splice: false
      }
    }

    private func isOnTheWay(_ path: JSON.Pointer) -> Bool {
      zip(path.tokens, pattern.tokens).allSatisfy { token, wanted in
        wanted == "*" || token == wanted || Self.isElement(token) && Self.isElement(wanted)
      }
    }

    private static func isElement(_ token: String) -> Bool {
      token == "-" || JSON.Pointer.index(token) != nil
    }
  }
}
