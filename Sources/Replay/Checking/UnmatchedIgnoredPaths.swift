import ActionLog
import Synchronization

/// The ignored paths of the state that occur in no log and are therefore probably misspelled.
///
/// Each log is searched for the paths that were not found in earlier logs. The search reads the log's first state and
/// its patches.
package final class UnmatchedIgnoredPaths: Sendable {
  /// An ignored path, and the typed path from which it was expanded.
  package struct IgnoredPath: Sendable, Equatable {
    package let place: JSON.Pointer
    /// The path as the user typed it.
    ///
    /// The typed path may expand to several paths. If one of these occurs in a log, the typed path counts as matched.
    package let typed: String
    package let source: PathOrigin

    package init(place: JSON.Pointer, typed: String? = nil, source: PathOrigin) {
      self.place = place
      self.typed = typed ?? place.description
      self.source = source
    }

    /// Returns the JSON Pointers to which a path in Swift notation expands.
    package static func places(_ place: ActionLog.ValuePath, source: PathOrigin) -> [IgnoredPath] {
      (place.patterns ?? []).map {
        IgnoredPath(place: $0, typed: place.description, source: source)
      }
    }

    fileprivate func isTyped(as other: IgnoredPath) -> Bool {
      typed.hasSameBytes(as: other.typed) && source == other.source
    }
  }

  package enum PathOrigin: Sendable {
    /// The path comes from the command's arguments, and applies to the checked logs only.
    case option
    /// The path comes from the settings of the project, and applies to all logs.
    case settings
  }

  /// A path that occurs in no searched log.
  package struct Missing: Sendable, Equatable {
    package let place: IgnoredPath
    /// The longest prefix of the path that exists in a state, or `nil` if no state was read.
    package fileprivate(set) var end: UnresolvedPath?
  }

  private struct UnmatchedPaths {
    var missing: [Missing]
    var logs = 0

    /// Removes the paths that were found, and the other paths that the same text expands to.
    mutating func remove(where isFound: (JSON.Pointer) -> Bool) {
      let found = missing.map(\.place).filter { isFound($0.place) }
      missing.removeAll { missing in found.contains { $0.isTyped(as: missing.place) } }
    }
  }

  private let search: Mutex<UnmatchedPaths>

  package init(_ places: [IgnoredPath]) {
    search = Mutex(UnmatchedPaths(missing: places.map { Missing(place: $0) }))
  }

  /// The paths that occur in no searched log, and the number of searched logs.
  ///
  /// A path from the settings is included only if it can't occur in other logs either.
  package var missing: (places: [Missing], logs: Int) {
    search.withLock { search in
      let places = search.missing.filter { missing in
        guard let end = missing.end else { return false }
        return missing.place.source == .option || end.isCertain
      }
      // Among the paths that one text expands to, keeps the one with the longest resolved prefix.
      let furthest = places.reduce(into: [Missing]()) { list, missing in
        guard let index = list.firstIndex(where: { $0.place.isTyped(as: missing.place) }) else {
          return list.append(missing)
        }
        if UnresolvedPath.nearest(list[index].end, missing.end) == missing.end {
          list[index] = missing
        }
      }
      return (furthest, search.logs)
    }
  }

  /// Searches a log for the paths.
  ///
  /// - Parameters:
  ///   - log: The log to search.
  ///   - until: The number of the last action to include.
  ///   - matched: The paths that the replay of the log has already found.
  package func scan(through log: LogSlice, until: Int, matched: Set<JSON.Pointer>) {
    let left = search.withLock { search in
      search.remove { matched.contains($0) }
      search.logs += 1
      return search.missing.map(\.place.place)
    }
    guard !left.isEmpty else { return }
    var seeker = StatePathSearch(left)
    // The replay has already reported unreadable lines.
    try? seeker.scan(through: log, until: until)
    let ends = seeker.ends
    search.withLock { search in
      search.remove { left.contains($0) && ends[$0] == nil }
      for index in search.missing.indices {
        guard let end = ends[search.missing[index].place.place] else { continue }
        search.missing[index].end = UnresolvedPath.nearest(search.missing[index].end, end)
      }
    }
  }
}

/// A search for paths in the first state of a log and in its patches.
///
/// The wildcard `*` matches each member or element.
struct StatePathSearch {
  private var left: [PatternSearch]
  /// Whether to search the next checkpoint, because its state does not result from the events before it.
  private var isStateDue = true

  init(_ places: [JSON.Pointer]) { left = places.map(PatternSearch.init) }

  /// The paths that were not found, each with its longest resolved prefix, or `nil` if no state was read.
  var ends: [JSON.Pointer: UnresolvedPath?] {
    Dictionary(left.map { ($0.pattern, $0.end) }) { first, _ in first }
  }

  mutating func scan(through log: LogSlice, until: Int) throws {
    var source = try LogEventIterator(log, until: until)
    while !left.isEmpty, let entry = try source.next() {
      switch entry.event.stateUpdate {
      case .none: break
      case .whole(let state): if isStateDue { scan(state.json) }
      case .patch(let patch): scan(patch)
      case .unknown: isStateDue = true
      }
    }
  }

  private mutating func scan(_ state: JSON) {
    isStateDue = false
    remove { search in
      search.removeObjectDepths(in: state, at: 0)
      return search.find(in: state, at: 0)
    }
  }

  private mutating func scan(_ patch: PatchText) {
    patch.forEachOperation { operation in
      for index in left.indices.reversed() where left[index].find(operation) {
        left.remove(at: index)
      }
    }
  }

  private mutating func remove(_ isFound: (inout PatternSearch) -> Bool) {
    for index in left.indices.reversed() where isFound(&left[index]) { left.remove(at: index) }
  }
}

extension StatePathSearch {
  /// The search for one path.
  private struct PatternSearch {
    let pattern: JSON.Pointer
    private(set) var end: UnresolvedPath?
    /// The part of the path before the first `*`, as patches write it.
    private let opening: [UInt8]
    /// The depths of tokens that may be array indexes.
    ///
    /// At these depths, any index matches, because array elements can move.
    private var indexes: Set<Int>

    init(_ pattern: JSON.Pointer) {
      self.pattern = pattern
      opening = Array(JSON.Pointer(Array(pattern.tokens.prefix { $0 != "*" })).description.utf8)
      indexes = Set(pattern.tokens.indices.filter { Self.isElement(pattern.tokens[$0]) })
    }

    /// Removes the depths at which `value` has objects, because their tokens are keys and not array indexes.
    mutating func removeObjectDepths(in value: JSON, at start: Int) {
      var containers = [value]
      for (depth, token) in pattern.tokens.enumerated().dropFirst(start) {
        if containers.contains(where: { $0.object != nil }) { indexes.remove(depth) }
        containers = containers.flatMap { container in
          token == "*" ? container.children : container[JSON.Pointer([token])].map { [$0] } ?? []
        }
      }
    }

    /// Searches a value at a depth of the path for the path's remaining tokens, and returns whether they exist.
    mutating func find(in value: JSON, at depth: Int) -> Bool {
      let rest = JSON.Pointer(Array(pattern.tokens.dropFirst(depth)))
      guard var end = UnresolvedPath(rest, in: value, isPattern: true) else { return true }
      let way = JSON.Pointer(Array(pattern.tokens.prefix(depth)))
      end.path.steps.insert(contentsOf: JSON.ValueLocation(way, in: nil).steps, at: 0)
      self.end = UnresolvedPath.nearest(self.end, end)
      return false
    }

    mutating func find(_ operation: borrowing PatchText.LoggedOperation) -> Bool {
      if let path = operation.path, indexes.isEmpty {
        let isNear =
          path.count < opening.count ? opening.starts(with: path) : path.starts(with: opening)
        guard isNear else { return false }
      }
      return find(operation.operation)
    }

    /// Returns whether an operation sets a value at the path, as far as the operation shows without the state.
    mutating func find(_ operation: JSON.Patch.Operation) -> Bool {
      switch operation {
      case .add(let path, let value), .replace(let path, let value):
        guard isOnTheWay(path) else { return false }
        removeObjectDepths(in: value, at: path.tokens.count)
        return find(in: value, at: path.tokens.count)
      // The moved value is unknown here, so the path counts as found.
      case .move(_, let path), .copy(_, let path): return isOnTheWay(path)
      case .remove, .test, .splice: return false
      }
    }

    private func isOnTheWay(_ path: JSON.Pointer) -> Bool {
      zip(path.tokens, pattern.tokens).enumerated().allSatisfy { depth, pair in
        let (token, wanted) = pair
        return wanted == "*" || token == wanted
          || indexes.contains(depth) && Self.isElement(token)
      }
    }

    private static func isElement(_ token: String) -> Bool {
      token == "-" || JSON.Pointer.index(token) != nil
    }
  }
}
