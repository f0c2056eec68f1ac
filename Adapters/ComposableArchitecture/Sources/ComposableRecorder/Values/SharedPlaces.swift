package import ActionLog
import Synchronization

/// The places in a state that hold one and the same shared value: `[{"root":0,"at":"/held"},{"root":0,"at":"/path/0/element/held"}]`.
///
/// The state itself has nothing but the values. Values that are parts of a shared one are not among them.
package struct SharedPlaces {
  private struct Place {
    let root: Int
    let at: JSON.Pointer
  }

  private let places: [Place]

  /// The member that marks a shared value while a state is written or read.
  static let mark = "$shared"

  /// Finds the places in a state.
  ///
  /// - Parameter state: The state.
  /// - Returns: What the log writes of them; `nil` when no two hold the same value.
  package static func json<State>(of state: State) -> JSON? {
    let marking = SharedMarking()
    let marked = SharedMarking.$current.withValue(marking) { JSON(logging: state) }
    var found: [(root: Int, at: JSON.Pointer)] = []
    find(in: marked, at: JSON.Pointer()) { found.append(($0, $1)) }
    let related = Dictionary(grouping: found, by: \.root).filter { $0.value.count > 1 }
    guard !related.isEmpty else { return nil }
    return .array(
      found.filter { related[$0.root] != nil }
        .map { ["root": .number(JSON.Number($0.root)), "at": .string("\($0.at)")] }
    )
  }

  /// Reads places; `nil` where there are none.
  package init?(_ json: JSON?) {
    guard let elements = json?.array else { return nil }
    places = elements.compactMap { element in
      guard let root = element["root"]?.int, let text = element["at"]?.string,
        element["part"] == nil, let at = try? JSON.Pointer(parsing: text)
      else { return nil }
      return Place(root: root, at: at)
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
    var marked = state
    // Inner places first, as long as the ways to them are those of the log.
    for index in places.indices.sorted(by: {
      places[$0].at.tokens.count > places[$1].at.tokens.count
    }) {
      marked = marked.replacing(places[index].at.tokens[...]) {
        ["$$shared": .number(JSON.Number(index)), "value": $0]
      }
    }
    let linking = SharedLinking(roots: places.map(\.root))
    return try SharedLinking.$current.withValue(linking) {
      _ = try read(marked)
      linking.complete()
      return try read(marked)
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

/// Marks the shared values in a state that is written.
final class SharedMarking: Sendable {
  @TaskLocal static var current: SharedMarking?

  private let roots = Mutex<[ObjectIdentifier: Int]>([:])

  /// The mark of a reference.
  func mark(_ reference: ObjectIdentifier) -> Int {
    roots.withLock { roots in
      let mark = roots[reference] ?? roots.count
      roots[reference] = mark
      return mark
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
  private let contents = Mutex(Contents())

  init(roots: [Int]) { self.roots = roots }

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
