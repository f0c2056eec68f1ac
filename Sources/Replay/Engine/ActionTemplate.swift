public import ActionLog

/// An action of a script, in which `{"$state":"/todos/0/id"}` stands for the value of the state when it is sent.
///
/// ```swift
/// let template = ActionTemplate(["deleteTapped": ["id": ["$state": "/todos/0/id"]]])
/// template.isConstant                                // false
/// try template.filled(from: ["todos": [["id": 7]]])  // {"deleteTapped":{"id":7}}
/// ```
public struct ActionTemplate: Sendable {
  private let json: JSON

  /// An action as the script has it.
  public init(_ json: JSON) { self.json = json }

  /// Whether the action does not refer to the state.
  public var isConstant: Bool { !Self.refers(json) }

  /// The action with the values of a state in place of the references.
  ///
  /// - Throws: `Unresolved` when there is no value at a referenced place, `JSON.Pointer.SyntaxError` when that is no JSON Pointer.
  public func filled(from state: JSON) throws -> JSON { try Self.fill(json, from: state) }

  /// A reference to a place where the state has no value.
  public struct Unresolved: Error, CustomStringConvertible {
    /// The place.
    public let pointer: String
    /// The state.
    public let state: JSON

    /// The place and the state.
    public var description: String {
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
