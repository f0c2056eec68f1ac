internal import ActionLog

/// The positions in a state of shared values that are one, or parts of one.
///
/// The state itself has nothing but their values. A log that begins with a state in which features share something
/// already says here which places belong together: `[{"root":0,"at":"/books"},{"root":0,"at":"/reader/book","part":
/// [{"id":2},null]}]`.
package struct SharedPlaces {
  fileprivate struct Place {
    /// Which value it is a part of, by number.
    let root: Int
    let at: JSON.Pointer
    let parts: [SharedPart]
  }

  private let places: [Place]
}

extension SharedPlaces {
  /// Finds the places in a state.
  ///
  /// - Parameter state: The state.
  /// - Returns: What the log writes of them, nil when no two have to do with each other.
  package static func json<State>(of state: State) -> JSON? {
    // A type without references holds no shared value.
    if TypeCapabilities.of(State.self).isPlain { return nil }
    let marking = SharedMarking()
    let marked = SharedMarking.$current.withValue(marking) { JSON(logging: state) }
    var found: [(index: Int, at: JSON.Pointer)] = []
    find(in: marked, at: JSON.Pointer()) { found.append(($0, $1)) }

    let references = marking.references
    var roots: [ObjectIdentifier] = []
    let places = found.compactMap { index, at -> Place? in
      guard let parts = references[index].parts else { return nil }
      let id = ObjectIdentifier(references[index].root)
      if !roots.contains(id) { roots.append(id) }
      return Place(root: roots.firstIndex(of: id) ?? 0, at: at, parts: parts)
    }
    // Parts of a value that is not in the state itself cannot be restored.
    let related = Dictionary(grouping: places, by: \.root).values.filter { group in
      group.count > 1 && group.contains { $0.parts.isEmpty }
    }
    guard !related.isEmpty else { return nil }
    let kept = Set(related.joined().map(\.root))
    return .array(places.filter { kept.contains($0.root) }.map(\.json))
  }

  /// Reads places; those of a form that this version does not know are left out.
  package init?(_ json: JSON?) {
    guard let elements = json?.array else { return nil }
    places = elements.compactMap(Place.init)
  }

  /// Reads a state whose shared values belong together as they did when it was written.
  ///
  /// - Parameters:
  ///   - state: The state as the log has it.
  ///   - read: Reads a state; it is called twice, first to find the whole values and then for their parts.
  /// - Returns: The state.
  package func decode<State>(_ state: JSON, _ read: (JSON) throws -> State) rethrows -> State {
    var marked = state
    // Inner places first, as long as the ways to them are those of the log.
    let order = places.indices.sorted { places[$0].at.tokens.count > places[$1].at.tokens.count }
    for index in order {
      marked = marked.replacing(places[index].at.tokens[...]) {
        ["$shared": .number(JSON.Number(index)), "value": $0]
      }
    }
    let linking = SharedLinking(places: places.map { ($0.root, $0.parts) })
    return try SharedLinking.$current.withValue(linking) {
      _ = try read(marked)
      linking.isComplete = true
      return try read(marked)
    }
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

extension SharedPlaces.Place {
  fileprivate init?(_ json: JSON) {
    guard let root = json["root"]?.int, let text = json["at"]?.string,
      let at = try? JSON.Pointer(parsing: text)
    else { return nil }
    let written = json["part"]?.array ?? []
    let parts = written.compactMap(SharedPart.init)
    guard parts.count == written.count else { return nil }
    self.init(root: root, at: at, parts: parts)
  }

  fileprivate var json: JSON {
    var object = JSON.Object()
    object["root"] = .number(JSON.Number(root))
    object["at"] = .string("\(at)")
    if !parts.isEmpty { object["part"] = .array(parts.map(\.json)) }
    return .object(object)
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

/// Marks the shared values in a state that is being encoded.
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

/// Links shared values in a state that is being decoded.
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

  /// Notes the reference of a mark, if that is a whole value.
  func note(_ reference: any ReadableReference, at mark: Int) {
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
