package import ActionLog
internal import ComposableArchitecture
import Synchronization

/// The places in a state that hold one and the same shared value: `[{"root":0,"at":"/held"},{"root":0,"at":"/path/0/element/held"}]`.
///
/// The state itself has nothing but the values. Values that are parts of a shared one are not among them: the library does not show
/// which part they are.
///
/// An action that holds such a value says where the state before it has it: `[{"from":"/held","at":"/push/state/held"}]`.
package struct SharedPlaces {
  private struct Place {
    let origin: Origin
    let at: JSON.Pointer
  }

  private enum Origin {
    /// The value of all places with this number.
    case root(Int)
    /// The value at a place in the state before an action.
    case state(JSON.Pointer)
  }

  private let places: [Place]

  /// The member that marks a shared value while a state is written or read.
  static let mark = "$shared"

  /// Finds the places in a state.
  ///
  /// - Parameter state: The state.
  /// - Returns: What the log writes of them; `nil` when no two hold the same value.
  package static func json<State>(of state: State) -> JSON? {
    let places = related(Self.places(in: state))
    return places.isEmpty ? nil : .array(places.map(json))
  }

  /// Finds the places in an action, and those of their values in the state before it.
  ///
  /// - Returns: What the log writes of them; `nil` when the action holds no value that anything else holds, too.
  package static func json<Action, State>(of action: Action, in state: State) -> JSON? {
    let carried = places(in: action)
    guard !carried.isEmpty else { return nil }
    let held = places(in: state)
    var known: [Place] = []
    var others: [FoundPlace] = []
    for place in carried {
      if let same = held.first(where: { $0.key == place.key }) {
        known.append(Place(origin: .state(same.at), at: place.at))
      } else {
        others.append(place)
      }
    }
    let places = known + related(others)
    return places.isEmpty ? nil : .array(places.map(json))
  }

  private static func json(_ place: Place) -> JSON {
    switch place.origin {
    case .root(let root):
      ["root": .number(JSON.Number(root)), "at": .string(place.at.description)]
    case .state(let from):
      ["from": .string(from.description), "at": .string(place.at.description)]
    }
  }

  /// Reads places; `nil` where there are none.
  package init?(_ json: JSON?) {
    guard let elements = json?.array else { return nil }
    places = elements.compactMap { element in
      func pointer(_ name: String) -> JSON.Pointer? {
        element[name]?.string.flatMap { try? JSON.Pointer(parsing: $0) }
      }
      guard let at = pointer("at"), element["part"] == nil else { return nil }
      if let root = element["root"]?.int, root >= 0 { return Place(origin: .root(root), at: at) }
      return pointer("from").map { Place(origin: .state($0), at: at) }
    }
  }

  /// Reads a state whose shared values belong together as they did when it was written.
  ///
  /// - Parameters:
  ///   - state: The state as the log has it.
  ///   - read: Reads a state; it is called twice, first to find the values and then to share them.
  /// - Returns: The state.
  /// - Throws: What `read` throws.
  package func decode<State>(_ state: JSON, _ read: (JSON) throws -> State) rethrows -> State {
    try decode(state, held: [], read)
  }

  /// Reads an action whose shared values are those of the state, as they were when it was written.
  ///
  /// - Parameters:
  ///   - action: The action as the log has it.
  ///   - state: The state before it.
  ///   - read: Reads an action; it is called twice, as for a state.
  /// - Returns: The action.
  /// - Throws: What `read` throws.
  package func decode<Action, State>(
    action: JSON,
    in state: State,
    _ read: (JSON) throws -> Action
  ) rethrows -> Action {
    try decode(action, held: Self.places(in: state), read)
  }

  private func decode<Value>(
    _ json: JSON,
    held: [FoundPlace],
    _ read: (JSON) throws -> Value
  ) rethrows -> Value {
    var marked = json
    // Inner places first, as long as the ways to them are those of the log.
    for index in places.indices.sorted(by: {
      places[$0].at.tokens.count > places[$1].at.tokens.count
    }) {
      marked = marked.replacing(places[index].at.tokens[...]) {
        ["$$shared": .number(JSON.Number(index)), "value": $0]
      }
    }
    var known: [Int: any Sendable] = [:]
    let roots = places.enumerated().map { index, place in
      switch place.origin {
      case .root(let root): return root
      case .state(let at):
        // The numbers in a log are not negative.
        known[-1 - index] = held.first { $0.at == at }?.value
        return -1 - index
      }
    }
    let linking = SharedLinking(roots: roots, known: known)
    return try SharedLinking.$current.withValue(linking) {
      _ = try read(marked)
      linking.complete()
      return try read(marked)
    }
  }

  /// A place of a shared value.
  private struct FoundPlace {
    let key: SharedMarking.Key
    let value: any Sendable
    let at: JSON.Pointer
  }

  private static func places<Value>(in value: Value) -> [FoundPlace] {
    let marking = SharedMarking()
    let marked = SharedMarking.$current.withValue(marking) { JSON(logging: value) }
    let values = marking.values
    var places: [FoundPlace] = []
    find(in: marked, at: JSON.Pointer()) { index, at in
      guard values.indices.contains(index) else { return }
      places.append(FoundPlace(key: values[index].key, value: values[index].value, at: at))
    }
    return places
  }

  /// The places of values that have more than one.
  private static func related(_ places: [FoundPlace]) -> [Place] {
    let groups = Dictionary(grouping: places, by: \.key)
    var roots: [SharedMarking.Key] = []
    return places.compactMap { place in
      guard groups[place.key, default: []].count > 1 else { return nil }
      if !roots.contains(place.key) { roots.append(place.key) }
      return Place(origin: .root(roots.firstIndex(of: place.key) ?? 0), at: place.at)
    }
  }

  /// The mark of a shared value, and what the log holds of it.
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
  /// This value with another one in place of one inside it; the same when there is nothing at that place.
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

/// Marks the shared values in what is written.
final class SharedMarking: Sendable {
  @TaskLocal static var current: SharedMarking?

  /// Which value it is.
  ///
  /// The library gives a part the identifier of the whole, such as the value in an optional, so that the type tells the two apart.
  struct Key: Hashable {
    let identifier: ObjectIdentifier
    let type: ObjectIdentifier
  }

  private let found = Mutex<[(key: Key, value: any Sendable)]>([])

  /// The values in the order of their marks.
  var values: [(key: Key, value: any Sendable)] { found.withLock { $0 } }

  /// The mark of a value; `nil` for a part of another one.
  func mark<Value>(_ shared: Shared<Value>) -> Int? {
    guard !Self.holdsKeyPath(shared, depth: 0) else { return nil }
    let key = Key(
      identifier: shared._objectIdentifier,
      type: ObjectIdentifier(Value.self)
    )
    return found.withLock { found in
      found.append((key, shared))
      return found.count - 1
    }
  }

  /// Whether a reference leads to its value by a key path, which only reflection shows.
  private static func holdsKeyPath(_ reference: Any, depth: Int) -> Bool {
    // A part of a part of an optional lies no deeper; a value that the app shares is not looked into.
    guard depth < 8 else { return false }
    return Mirror(reflecting: reference).children.contains { child in
      if child.value is AnyKeyPath { return true }
      guard child.label != "value", Mirror(reflecting: child.value).displayStyle == .class else {
        return false
      }
      return holdsKeyPath(child.value, depth: depth + 1)
    }
  }
}

/// Links shared values in a state that is read.
final class SharedLinking: Sendable {
  @TaskLocal static var current: SharedLinking?

  private struct Contents {
    var values: [Int: any Sendable] = [:]
    var isComplete = false
  }

  private let roots: [Int]
  private let contents: Mutex<Contents>

  /// Links places; some values may be known from the start, by their roots.
  init(roots: [Int], known: [Int: any Sendable]) {
    self.roots = roots
    contents = Mutex(Contents(values: known))
  }

  /// Says that the values are known.
  func complete() { contents.withLock { $0.isComplete = true } }

  /// Notes the value at a place; one that has a place outside of the state, such as a key, is the one to share.
  func note(_ value: some Sendable, at index: Int, isPlaced: Bool) {
    guard roots.indices.contains(index) else { return }
    contents.withLock { contents in
      if isPlaced || contents.values[roots[index]] == nil { contents.values[roots[index]] = value }
    }
  }

  /// The value at a place; `nil` while it is not known.
  func shared(at index: Int) -> (any Sendable)? {
    contents.withLock { contents in
      guard contents.isComplete, roots.indices.contains(index) else { return nil }
      return contents.values[roots[index]]
    }
  }
}
