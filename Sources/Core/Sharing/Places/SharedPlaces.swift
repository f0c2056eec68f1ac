internal import ActionLog

/// The positions in a state of shared values that are one, or parts of one.
///
/// The state itself has nothing but their values. A log that begins with a state in which features share something
/// already says here which places belong together: `[{"root":0,"at":"/books"},{"root":0,"at":"/reader/book","part":
/// [{"id":2},null]}]`.
///
/// An action that holds such values says where the state before it has them: `[{"from":"/books","at":"/open/_0/book","part":
/// [{"id":2},null]}]`.
package struct SharedPlaces {
  fileprivate struct SharedLocation {
    /// Which value it is a part of.
    let origin: SharedOrigin
    let at: JSON.Pointer
    /// The steps from that value to this one.
    let parts: [SharedPart]
  }

  fileprivate enum SharedOrigin {
    /// The one of all places with this number.
    case root(Int)
    /// The one at a place in the state before an action.
    case state(JSON.Pointer)
  }

  private let places: [SharedLocation]
}

extension SharedPlaces {
  /// Finds the places in a state.
  ///
  /// - Parameter state: The state.
  /// - Returns: What the log writes of them, nil when no two have to do with each other.
  package static func json<State>(of state: State) -> JSON? {
    // A type without references holds no shared value.
    if TypeCapabilities.of(State.self).isPlain { return nil }
    let places = Self.places(in: state)
    let kept = related(places)
    guard !kept.isEmpty else { return nil }
    return .array(numbered(places.filter { kept.contains($0.root) }).map(\.json))
  }

  /// Finds the places in an action, and those of their values in the state before it.
  ///
  /// - Returns: What the log writes of them, nil when the action holds no value that anything else has to do with.
  package static func json<Action, State>(of action: Action, in state: State) -> JSON? {
    let carried = places(in: action)
    guard !carried.isEmpty else { return nil }
    let held = TypeCapabilities.of(State.self).isPlain ? [] : places(in: state)
    var known: [SharedLocation] = []
    var others: [FoundPlace] = []
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

  /// Whether a value holds shared values.
  package static func areIn(_ value: some Any) -> Bool { !places(in: value).isEmpty }

  /// A place of a shared value, or of a part of one.
  private struct FoundPlace {
    let reference: any ReadableReference
    let at: JSON.Pointer
    let parts: [SharedPart]
    var root: ObjectIdentifier { ObjectIdentifier(reference.root) }
  }

  /// The places of a value; without those of which no log can say what part of a value they are.
  private static func places<Value>(in value: Value) -> [FoundPlace] {
    let marking = SharedMarking()
    let marked = SharedMarking.$current.withValue(marking) { JSON(logging: value) }
    let references = marking.references
    var places: [FoundPlace] = []
    find(in: marked, at: JSON.Pointer()) { index, at in
      guard references.indices.contains(index), let parts = references[index].parts else { return }
      places.append(FoundPlace(reference: references[index], at: at, parts: parts))
    }
    return places
  }

  /// The values of which there is more than one place, among them one of the whole: parts of a value that is in none cannot be
  /// restored.
  private static func related(_ places: [FoundPlace]) -> Set<ObjectIdentifier> {
    let groups = Dictionary(grouping: places, by: \.root).filter { _, group in
      group.count > 1 && group.contains { $0.parts.isEmpty }
    }
    return Set(groups.keys)
  }

  private static func numbered(_ places: [FoundPlace]) -> [SharedLocation] {
    var roots: [ObjectIdentifier: Int] = [:]
    return places.map { place in
      let number = roots[place.root] ?? roots.count
      roots[place.root] = number
      return SharedLocation(origin: .root(number), at: place.at, parts: place.parts)
    }
  }

  /// Reads places; those of a form that this version does not know are left out.
  package init?(_ json: JSON?) {
    guard let elements = json?.array else { return nil }
    places = elements.compactMap(SharedLocation.init)
  }

  /// Reads a state whose shared values belong together as they did when it was written.
  ///
  /// - Parameters:
  ///   - state: The state as the log has it.
  ///   - read: Reads a state; it is called twice, first to find the whole values and then for their parts.
  /// - Returns: The state.
  package func decode<State>(_ state: JSON, _ read: (JSON) throws -> State) rethrows -> State {
    try decode(state, linking: linking(), read)
  }

  /// Reads an action whose shared values are those of the state, as they were when it was written.
  ///
  /// - Parameters:
  ///   - action: The action as the log has it.
  ///   - state: The state before it.
  ///   - read: Reads an action; it is called twice, as for a state.
  /// - Returns: The action.
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
    linking: SharedLinking,
    _ read: (JSON) throws -> Value
  ) rethrows -> Value {
    var marked = json
    // Inner places first, as long as the ways to them are those of the log.
    let order = places.indices.sorted { places[$0].at.tokens.count > places[$1].at.tokens.count }
    for index in order {
      marked.replace(places[index].at.tokens[...]) {
        ["$shared": .number(JSON.Number(index)), "value": $0]
      }
    }
    return try SharedLinking.$current.withValue(linking) {
      _ = try read(marked)
      linking.isComplete = true
      return try read(marked)
    }
  }

  /// Links the places, those in a state to the references there.
  private func linking(
    _ reference: (JSON.Pointer) -> (any ReadableReference)? = { _ in nil }
  ) -> SharedLinking {
    var known: [Int: any ReadableReference] = [:]
    let linked = places.enumerated().map { index, place -> (root: Int, parts: [SharedPart]) in
      switch place.origin {
      case .root(let number): return (number, place.parts)
      case .state(let at):
        // The numbers in a log are not negative.
        let number = -1 - index
        known[number] = reference(at)
        return (number, place.parts)
      }
    }
    return SharedLinking(places: linked, known: known)
  }

  /// Finds each mark in an encoded state, and the position of its value in a state without marks.
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

extension SharedPlaces.SharedLocation {
  fileprivate init?(_ json: JSON) {
    guard let at = json["at"]?.string.flatMap({ try? JSON.Pointer(parsing: $0) }) else {
      return nil
    }
    let origin: SharedPlaces.SharedOrigin
    if let root = json["root"]?.int, root >= 0 {
      origin = .root(root)
    } else if let from = json["from"]?.string.flatMap({ try? JSON.Pointer(parsing: $0) }) {
      origin = .state(from)
    } else {
      return nil
    }
    let written = json["part"]?.array ?? []
    let parts = written.compactMap(SharedPart.init)
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
  /// This value with another one in place of one inside it; the same when there is nothing at that place.
  fileprivate mutating func replace(_ tokens: ArraySlice<String>, _ make: (JSON) -> JSON) {
    guard let token = tokens.first else {
      self = make(self)
      return
    }
    // Taken out meanwhile, so that it has one owner and is not copied for each place.
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

/// Marks the shared values in a state that is being encoded.
final class SharedMarking: Sendable {
  @TaskLocal static var current: SharedMarking?

  private let found = LockIsolated<[any ReadableReference]>([])
  /// Whether the marks are written; else the state is written as always.
  private let isVisible: Bool

  init(isVisible: Bool = true) { self.isVisible = isVisible }

  /// The shared values in the order of their marks.
  var references: [any ReadableReference] { found.withValue { $0 } }

  /// Notes a shared value.
  ///
  /// - Returns: Its mark; `nil` where marks are not written.
  func mark(_ reference: any ReadableReference) -> Int? {
    found.withValue { found in
      found.append(reference)
      return isVisible ? found.count - 1 : nil
    }
  }
}

/// Links shared values in a state that is being decoded.
final class SharedLinking: Sendable {
  @TaskLocal static var current: SharedLinking?

  private let places: [(root: Int, parts: [SharedPart])]
  private let roots: LockIsolated<[Int: any ReadableReference]>
  private let complete = LockIsolated(false)

  /// Links places; the references of some whole values may be known from the start.
  init(places: [(root: Int, parts: [SharedPart])], known: [Int: any ReadableReference] = [:]) {
    self.places = places
    roots = LockIsolated(known)
  }

  /// Whether the whole values are known.
  var isComplete: Bool {
    get { complete.value }
    set { complete.setValue(newValue) }
  }

  /// Notes the reference of a mark, if that is a whole value.
  func register(_ reference: any ReadableReference, at mark: Int) {
    guard places.indices.contains(mark), places[mark].parts.isEmpty else { return }
    roots.withValue { roots in
      if roots[places[mark].root] == nil { roots[places[mark].root] = reference }
    }
  }

  /// The reference of a mark, nil while it is not known.
  func reference(at mark: Int) -> (any ReadableReference)? {
    guard isComplete, places.indices.contains(mark) else { return nil }
    var reference = roots.withValue { $0[places[mark].root] }
    for part in places[mark].parts { reference = reference?.part(part) }
    return reference
  }
}
