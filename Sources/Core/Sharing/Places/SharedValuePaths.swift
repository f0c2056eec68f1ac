internal import ActionLog

/// The paths at which the same shared value, or a part of it, occurs in a state.
///
/// An encoded state contains only the current values of its shared values. If features share a value in the first state
/// of a log, the log also lists the paths that refer to the same shared value:
/// `[{"root":0,"at":"/books"},{"root":0,"at":"/reader/book","part":[{"id":2},null]}]`.
///
/// For an action that contains shared values, the log lists their paths in the state before the action:
/// `[{"from":"/books","at":"/open/_0/book","part":[{"id":2},null]}]`.
package struct SharedValuePaths {
  fileprivate struct SharedLocation {
    /// The origin of the shared value at this path, or of the shared value that contains it.
    let origin: SharedOrigin
    let at: JSON.Pointer
    /// The components that lead from the shared value to the part at this path.
    let parts: [SharedPathComponent]
  }

  fileprivate enum SharedOrigin {
    /// The shared value to which all paths with this number refer.
    case root(Int)
    /// The shared value at a path in the state before an action.
    case state(JSON.Pointer)
  }

  private let places: [SharedLocation]
}

extension SharedValuePaths {
  /// Returns the paths in a state that refer to the same shared values.
  ///
  /// - Parameter state: The state to search.
  /// - Returns: The paths in the format of the log, or `nil` if no two paths refer to the same shared value.
  package static func json<State>(of state: State) -> JSON? {
    // A state type without references contains no shared values.
    if TypeCapabilities.of(State.self).isPlain { return nil }
    let places = Self.places(in: state)
    let kept = related(places)
    guard !kept.isEmpty else { return nil }
    return .array(numbered(places.filter { kept.contains($0.root) }).map(\.json))
  }

  /// Returns the paths of shared values in an action, with the paths of the same values in the state before the action.
  ///
  /// - Returns: The paths in the format of the log, or `nil` if no shared value of the action occurs at another path.
  package static func json<Action, State>(of action: Action, in state: State) -> JSON? {
    let carried = places(in: action)
    guard !carried.isEmpty else { return nil }
    let held = TypeCapabilities.of(State.self).isPlain ? [] : places(in: state)
    var known: [SharedLocation] = []
    var others: [SharedOccurrence] = []
    for place in carried {
      let whole = held.first { $0.root == place.root && place.parts.starts(with: $0.parts) }
      if let whole {
        let rest = Array(place.parts.dropFirst(whole.parts.count))
        known.append(SharedLocation(origin: .state(whole.at), at: place.at, parts: rest))
      } else {
        others.append(place)
      }
    }
    let kept = related(others)
    let written = known + numbered(others.filter { kept.contains($0.root) })
    return written.isEmpty ? nil : .array(written.map(\.json))
  }

  /// Returns whether a value contains shared values.
  package static func areIn(_ value: some Any) -> Bool { !places(in: value).isEmpty }

  /// A path at which a shared value, or a part of one, was found.
  private struct SharedOccurrence {
    let reference: any ReadableReference
    let at: JSON.Pointer
    let parts: [SharedPathComponent]
    var root: ObjectIdentifier { ObjectIdentifier(reference.root) }
  }

  /// Returns the paths at which shared values occur in a value, except parts that have no name in a log.
  private static func places<Value>(in value: Value) -> [SharedOccurrence] {
    let marking = SharedValueCollector()
    let marked = SharedValueCollector.$current.withValue(marking) { JSON(logging: value) }
    let references = marking.references
    var places: [SharedOccurrence] = []
    find(in: marked, at: JSON.Pointer()) { index, at in
      guard references.indices.contains(index), let parts = references[index].parts else { return }
      places.append(SharedOccurrence(reference: references[index], at: at, parts: parts))
    }
    return places
  }

  /// Returns the roots to which several paths refer, if at least one of these paths refers to the complete value.
  ///
  /// A part can be restored only if the complete value also occurs.
  private static func related(_ places: [SharedOccurrence]) -> Set<ObjectIdentifier> {
    let groups = Dictionary(grouping: places, by: \.root).filter { _, group in
      group.count > 1 && group.contains { $0.parts.isEmpty }
    }
    return Set(groups.keys)
  }

  private static func numbered(_ places: [SharedOccurrence]) -> [SharedLocation] {
    var roots: [ObjectIdentifier: Int] = [:]
    return places.map { place in
      let number = roots[place.root] ?? roots.count
      roots[place.root] = number
      return SharedLocation(origin: .root(number), at: place.at, parts: place.parts)
    }
  }

  /// Reads the paths from a log, or returns `nil` if the JSON isn't an array.
  ///
  /// Entries in unknown formats of later versions are skipped.
  package init?(_ json: JSON?) {
    guard let elements = json?.array else { return nil }
    places = elements.compactMap(SharedLocation.init)
  }

  /// Decodes a state so that paths to the same shared value have the same reference.
  ///
  /// - Parameters:
  ///   - state: The state in the format of the log.
  ///   - read: A closure that decodes a state. It is called twice: first to find the complete shared values, and then
  ///     to link their parts.
  /// - Returns: The decoded state, with linked references.
  package func decode<State>(_ state: JSON, _ read: (JSON) throws -> State) rethrows -> State {
    try decode(state, linking: linking(), read)
  }

  /// Decodes an action so that it has the same references to shared values as the state.
  ///
  /// - Parameters:
  ///   - action: The action in the format of the log.
  ///   - state: The state before the action.
  ///   - read: A closure that decodes an action. It is called twice: first to find the complete shared values, and then
  ///     to link their parts.
  /// - Returns: The decoded action, with linked references.
  package func decode<Action, State>(
    action: JSON,
    in state: State,
    _ read: (JSON) throws -> Action
  ) rethrows -> Action {
    let held = Dictionary(Self.places(in: state).map { ($0.at, $0.reference) }) { first, _ in first
    }
    let linking = linking { held[$0] }
    return try decode(action, linking: linking, read)
  }

  private func decode<Value>(
    _ json: JSON,
    linking: SharedReferenceLinker,
    _ read: (JSON) throws -> Value
  ) rethrows -> Value {
    var marked = json
    // Marks nested paths first, because a mark changes all paths below it.
    let order = places.indices.sorted { places[$0].at.tokens.count > places[$1].at.tokens.count }
    for index in order {
      marked.replace(places[index].at.tokens[...]) {
        ["$shared": .number(JSON.Number(index)), "value": $0]
      }
    }
    return try SharedReferenceLinker.$current.withValue(linking) {
      _ = try read(marked)
      linking.isComplete = true
      return try read(marked)
    }
  }

  /// Returns the table that links the paths to references while a value is decoded.
  ///
  /// Paths that refer to a state are linked to the references in that state.
  private func linking(
    _ reference: (JSON.Pointer) -> (any ReadableReference)? = { _ in nil }
  ) -> SharedReferenceLinker {
    var known: [Int: any ReadableReference] = [:]
    let linked = places.enumerated().map {
      index,
      place -> (root: Int, parts: [SharedPathComponent]) in
      switch place.origin {
      case .root(let number): return (number, place.parts)
      case .state(let at):
        // The number is negative, so that it can't collide with a number in a log.
        let number = -1 - index
        known[number] = reference(at)
        return (number, place.parts)
      }
    }
    return SharedReferenceLinker(places: linked, known: known)
  }

  /// Calls a closure with each mark in encoded JSON, and with the path of the marked value in the JSON without marks.
  private static func find(
    in json: JSON,
    at pointer: JSON.Pointer,
    _ found: (Int, JSON.Pointer) -> Void
  ) {
    switch json {
    case .object(let object):
      if let index = object["$shared"]?.int, let value = object["value"] {
        found(index, pointer)
        return find(in: value, at: pointer, found)
      }
      for (key, value) in object { find(in: value, at: pointer.appending(key), found) }
    case .array(let elements):
      for (index, value) in elements.enumerated() {
        find(in: value, at: pointer.appending(String(index)), found)
      }
    default: break
    }
  }
}

extension SharedValuePaths.SharedLocation {
  fileprivate init?(_ json: JSON) {
    guard let at = json["at"]?.string.flatMap({ try? JSON.Pointer(parsing: $0) }) else {
      return nil
    }
    let origin: SharedValuePaths.SharedOrigin
    if let root = json["root"]?.int, root >= 0 {
      origin = .root(root)
    } else if let from = json["from"]?.string.flatMap({ try? JSON.Pointer(parsing: $0) }) {
      origin = .state(from)
    } else {
      return nil
    }
    let written = json["part"]?.array ?? []
    let parts = written.compactMap(SharedPathComponent.init)
    guard parts.count == written.count else { return nil }
    self.init(origin: origin, at: at, parts: parts)
  }

  fileprivate var json: JSON {
    var object = JSON.Object()
    switch origin {
    case .root(let number): object["root"] = .number(JSON.Number(number))
    case .state(let from): object["from"] = .string("\(from)")
    }
    object["at"] = .string("\(at)")
    if !parts.isEmpty { object["part"] = .array(parts.map(\.json)) }
    return .object(object)
  }
}

extension JSON {
  /// Replaces the value at a path, or has no effect if the path doesn't exist.
  fileprivate mutating func replace(_ tokens: ArraySlice<String>, _ make: (JSON) -> JSON) {
    guard let token = tokens.first else {
      self = make(self)
      return
    }
    // Moves the value out during the change, so that it has one owner and isn't copied at each level.
    if case .object(var object) = self, let slot = object.slot(of: token) {
      self = .null
      object.modify(in: slot) { $0.replace(tokens.dropFirst(), make) }
      self = .object(object)
    } else if case .array(var elements) = self, let index = Int(token),
      elements.indices.contains(index)
    {
      self = .null
      elements[index].replace(tokens.dropFirst(), make)
      self = .array(elements)
    }
  }
}

/// A collector of the shared values that a state contains, filled while the state is encoded.
final class SharedValueCollector: Sendable {
  @TaskLocal static var current: SharedValueCollector?

  private let found = LockIsolated<[any ReadableReference]>([])
  /// Whether the encoded state contains a mark around each shared value.
  private let isVisible: Bool

  init(isVisible: Bool = true) { self.isVisible = isVisible }

  /// The references to the shared values, in the order in which the values are encoded.
  var references: [any ReadableReference] { found.withValue { $0 } }

  /// Stores a reference to a shared value.
  ///
  /// - Returns: The number that marks the value, or `nil` if marks aren't written.
  func mark(_ reference: any ReadableReference) -> Int? {
    found.withValue { found in
      found.append(reference)
      return isVisible ? found.count - 1 : nil
    }
  }
}

/// A table that gives all paths of a shared value the same reference while a state or an action is decoded.
final class SharedReferenceLinker: Sendable {
  @TaskLocal static var current: SharedReferenceLinker?

  private let places: [(root: Int, parts: [SharedPathComponent])]
  private let roots: LockIsolated<[Int: any ReadableReference]>
  private let complete = LockIsolated(false)

  /// Creates links for paths, with references to complete values that are already known.
  init(
    places: [(root: Int, parts: [SharedPathComponent])],
    known: [Int: any ReadableReference] = [:]
  ) {
    self.places = places
    roots = LockIsolated(known)
  }

  /// Whether the references to all complete values are known, which is `false` during the first of two passes.
  var isComplete: Bool {
    get { complete.value }
    set { complete.setValue(newValue) }
  }

  /// Stores the reference to a marked value, if the value is complete and has no reference yet.
  func register(_ reference: any ReadableReference, at mark: Int) {
    guard places.indices.contains(mark), places[mark].parts.isEmpty else { return }
    roots.withValue { roots in
      if roots[places[mark].root] == nil { roots[places[mark].root] = reference }
    }
  }

  /// Returns the reference to a marked value, or `nil` if it isn't known, as during the first of two passes.
  func reference(at mark: Int) -> (any ReadableReference)? {
    guard isComplete, places.indices.contains(mark) else { return nil }
    var reference = roots.withValue { $0[places[mark].root] }
    for part in places[mark].parts { reference = reference?.part(part) }
    return reference
  }
}
