public import ActionLog

/// An action of a script that can contain references to the state.
///
/// A reference such as `{"$state":"/todos/0/id"}` is replaced with the value in the state when the action is sent.
///
/// ```swift
/// let template = ActionTemplate(["deleteTapped": ["id": ["$state": "/todos/0/id"]]])
/// template.isConstant                                // false
/// try template.filled(from: ["todos": [["id": 7]]])  // {"deleteTapped":{"id":7}}
/// ```
public struct ActionTemplate: Sendable {
  private let json: JSON

  /// Creates a template from the JSON of an action in the script.
  public init(_ json: JSON) { self.json = json }

  /// Whether the action contains no references to the state.
  public var isConstant: Bool { !Self.refers(json) }

  /// Returns the action with the references replaced by values of a state.
  ///
  /// - Throws: `Unresolved` if a reference leads to no value, or `JSON.Pointer.SyntaxError` if a reference is not a
  ///   JSON Pointer.
  public func filled(from state: JSON) throws -> JSON { try Self.fill(json, from: state) }

  /// An error that reports a reference to a value that the state lacks.
  public struct Unresolved: Error, CustomStringConvertible {
    /// The JSON Pointer of the reference.
    public let pointer: String
    /// The state in which the reference was resolved.
    public let state: JSON

    /// A message that names the pointer and shows the state.
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
