package import ActionLog
internal import ComposableArchitecture

/// The paths in a state of equal shared values and of their parts: `[{"root":0,"at":"/books"},{"root":0,
/// "at":"/path/0/element/book","part":[{"id":2},null]}]`.
///
/// The state itself contains only the values.
///
/// For an action with such values, the paths refer to the state before it:
/// `[{"from":"/books","at":"/push/state/book","part": [{"id":2},null]}]`.
package struct SharedValuePaths {
  private struct Place {
    let origin: Origin
    let at: JSON.Pointer
    /// The steps from that value to this one.
    let parts: [SharedPathComponent]
  }

  private enum Origin {
    /// The value of all paths with this number.
    case root(Int)
    /// The value at a path in the state before an action.
    case state(JSON.Pointer)
  }

  private let places: [Place]

  /// The member that marks a shared value while a state is written or read.
  static let mark = "$shared"

  /// Finds the paths in a state.
  ///
  /// - Parameter state: The state.
  /// - Returns: The paths as JSON; `nil` if no shared values are related.
  package static func json<State>(of state: State) -> JSON? {
    let places = related(Self.places(in: state))
    return places.isEmpty ? nil : .array(places.map(json))
  }

  /// Finds the paths in an action, and those of their values in the state before it.
  ///
  /// - Returns: The paths as JSON; `nil` if the action contains no related shared values.
  package static func json<Action, State>(of action: Action, in state: State) -> JSON? {
    let carried = places(in: action)
    guard !carried.isEmpty else { return nil }
    let held = places(in: state)
    var known: [Place] = []
    var others: [SharedOccurrence] = []
    for place in carried {
      let whole = held.first { $0.root == place.root && place.parts.starts(with: $0.parts) }
      if let whole {
        let rest = Array(place.parts.dropFirst(whole.parts.count))
        known.append(Place(origin: .state(whole.at), at: place.at, parts: rest))
      } else {
        others.append(place)
      }
    }
    let places = known + related(others)
    return places.isEmpty ? nil : .array(places.map(json))
  }

  private static func json(_ place: Place) -> JSON {
    var object = JSON.Object()
    switch place.origin {
    case .root(let root): object["root"] = .number(JSON.Number(root))
    case .state(let from): object["from"] = .string(from.description)
    }
    object["at"] = .string(place.at.description)
    if !place.parts.isEmpty { object["part"] = .array(place.parts.map(\.json)) }
    return .object(object)
  }

  /// Reads paths; `nil` if there are none.
  ///
  /// Paths in a form that this version does not know are skipped.
  package init?(_ json: JSON?) {
    guard let elements = json?.array else { return nil }
    places = elements.compactMap { element in
      func pointer(_ name: String) -> JSON.Pointer? {
        element[name]?.string.flatMap { try? JSON.Pointer(parsing: $0) }
      }
      let written = element["part"]?.array ?? []
      let parts = written.compactMap(SharedPathComponent.init)
      guard let at = pointer("at"), parts.count == written.count else { return nil }
      if let root = element["root"]?.int, root >= 0 {
        return Place(origin: .root(root), at: at, parts: parts)
      }
      return pointer("from").map { Place(origin: .state($0), at: at, parts: parts) }
    }
  }

  /// Reads a state, and restores the relations between its shared values.
  ///
  /// - Parameters:
  ///   - state: The state in the log.
  ///   - read: Reads a state. It is called twice, first to find the entire values and then for their parts.
  /// - Returns: The state.
  /// - Throws: The errors of `read`.
  package func decode<State>(_ state: JSON, _ read: (JSON) throws -> State) rethrows -> State {
    try decode(state, held: [], read)
  }

  /// Reads an action, and restores its relations to the shared values of the state.
  ///
  /// - Parameters:
  ///   - action: The action in the log.
  ///   - state: The state before the action.
  ///   - read: Reads an action. It is called twice, as for a state.
  /// - Returns: The action.
  /// - Throws: The errors of `read`.
  package func decode<Action, State>(
    action: JSON,
    in state: State,
    _ read: (JSON) throws -> Action
  ) rethrows -> Action {
    try decode(action, held: Self.places(in: state), read)
  }

  private func decode<Value>(
    _ json: JSON,
    held: [SharedOccurrence],
    _ read: (JSON) throws -> Value
  ) rethrows -> Value {
    var marked = json
    // Inner paths are handled first, while the outer ones are still those of the log.
    for index in places.indices.sorted(by: {
      places[$0].at.tokens.count > places[$1].at.tokens.count
    }) {
      marked = marked.replacing(places[index].at.tokens[...]) {
        ["$$shared": .number(JSON.Number(index)), "value": $0]
      }
    }
    var known: [Int: any SharedValue] = [:]
    let linked = places.enumerated().map {
      index,
      place -> (root: Int, parts: [SharedPathComponent]) in
      switch place.origin {
      case .root(let root): return (root, place.parts)
      case .state(let at):
        // The numbers in a log are not negative.
        known[-1 - index] = held.first { $0.at == at }?.value
        return (-1 - index, place.parts)
      }
    }
    let linking = SharedReferenceLinker(places: linked, known: known)
    return try SharedReferenceLinker.$current.withValue(linking) {
      _ = try read(marked)
      linking.complete()
      return try read(marked)
    }
  }

  /// A path of a shared value, or of a part of one.
  private struct SharedOccurrence {
    let root: ObjectIdentifier
    let parts: [SharedPathComponent]
    let value: any SharedValue
    let at: JSON.Pointer
  }

  private static func places<Value>(in value: Value) -> [SharedOccurrence] {
    let marking = SharedValueCollector()
    let marked = SharedValueCollector.$current.withValue(marking) { JSON(logging: value) }
    let values = marking.values
    var places: [SharedOccurrence] = []
    find(in: marked, at: JSON.Pointer()) { index, at in
      guard values.indices.contains(index) else { return }
      let found = values[index]
      places.append(
        SharedOccurrence(root: found.root, parts: found.parts, value: found.value, at: at)
      )
    }
    return places
  }

  /// Returns the paths of values with several paths, one of which is the entire value.
  ///
  /// Parts of a value that is not in the state cannot be restored.
  private static func related(_ places: [SharedOccurrence]) -> [Place] {
    let groups = Dictionary(grouping: places, by: \.root).filter { _, group in
      group.count > 1 && group.contains { $0.parts.isEmpty }
    }
    var roots: [ObjectIdentifier] = []
    return places.compactMap { place in
      guard groups[place.root] != nil else { return nil }
      if !roots.contains(place.root) { roots.append(place.root) }
      let number = roots.firstIndex(of: place.root) ?? 0
      return Place(origin: .root(number), at: place.at, parts: place.parts)
    }
  }

  /// Returns the mark of a shared value, and its value in the log.
  static func marked(_ json: JSON) -> (index: Int, value: JSON)? {
    guard let index = json["$$shared"]?.int, let value = json["value"] else { return nil }
    return (index, value)
  }

  private static func find(
    in json: JSON,
    at pointer: JSON.Pointer,
    _ found: (Int, JSON.Pointer) -> Void
  ) {
    switch json {
    case .object(let object):
      if let mark = marked(json) {
        found(mark.index, pointer)
        return find(in: mark.value, at: pointer, found)
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

extension JSON {
  /// Returns this value with a replaced inner value; the same value if the path does not exist.
  fileprivate func replacing(_ tokens: ArraySlice<String>, _ make: (JSON) -> JSON) -> JSON {
    guard let token = tokens.first else { return make(self) }
    switch self {
    case .object(var object):
      guard let value = object[token] else { return self }
      object[token] = value.replacing(tokens.dropFirst(), make)
      return .object(object)
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(tokens.dropFirst(), make)
      return .array(elements)
    default: return self
    }
  }
}
