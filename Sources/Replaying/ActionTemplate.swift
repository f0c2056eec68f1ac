import ActionLog

/// An action of a script, in which `{"$state":"/todos/0/id"}` stands for what the state holds there when it is sent.
struct ActionTemplate {
  private let json: JSON

  init(_ json: JSON) { self.json = json }

  /// Whether the action is the same whatever the state is.
  var isConstant: Bool { !Self.refers(json) }

  /// The action with what a state holds in place of the references.
  ///
  /// - Throws: `Unresolved` when there is nothing at a referenced place.
  func filled(from state: JSON) throws -> JSON { try Self.fill(json, from: state) }

  /// A reference to a place where the state holds nothing.
  struct Unresolved: Error, CustomStringConvertible {
    let pointer: String
    let state: JSON

    var description: String {
      "the script refers to {\"$state\":\"\(pointer)\"}, but the state has no value there: \(state)"
    }
  }

  private static func reference(_ object: JSON.Object) -> String? {
    object.count == 1 ? object["$state"]?.string : nil
  }

  private static func refers(_ json: JSON) -> Bool {
    switch json {
    case .object(let object): reference(object) != nil || object.values.contains(where: refers)
    case .array(let elements): elements.contains(where: refers)
    default: false
    }
  }

  private static func fill(_ json: JSON, from state: JSON) throws -> JSON {
    switch json {
    case .array(let elements): return .array(try elements.map { try fill($0, from: state) })
    case .object(let object):
      guard let text = reference(object) else {
        return .object(
          JSON.Object(
            members: try object.map { (key: $0.key, value: try fill($0.value, from: state)) }
          )
        )
      }
      guard let value = state[try JSON.Pointer(parsing: text)] else {
        throw Unresolved(pointer: text, state: state)
      }
      return value
    default: return json
    }
  }
}
