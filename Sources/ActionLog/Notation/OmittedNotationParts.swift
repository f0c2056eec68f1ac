/// Presentations, errors, and ids in a log, from which omitted parts of the notation are restored.
///
/// The notation omits parts that a reader doesn't need, such as `PresentationAction.presented`. When an action in this
/// notation is converted to JSON, these parts are copied from actions in the log.
package struct OmittedNotationParts: Sendable {
  /// The paths at which actions contain a `PresentationAction`, as names of cases.
  private var presentations: Set<[String]> = []
  /// One error of each type, by the type's name.
  private var errors: [String: JSON.Object] = [:]
  /// The complete ids in the log, which the notation abbreviates.
  private var ids: Set<String> = []
  /// The outline of the feature's action type, if known.
  package var outline: TypeOutline?

  package init() {}

  /// Adds the presentations, errors, and ids in an action of the log.
  package mutating func add(action: JSON) { add(action, at: []) }

  /// Adds the errors and ids in a value of the log that is not an action.
  package mutating func add(value: JSON) { add(value, at: nil) }

  /// The maximum number of stored ids, which limits memory.
  private static let mostIDs = 100_000

  private mutating func add(_ value: JSON, at path: [String]?) {
    switch value {
    case .string(let text):
      if text.isUUID, ids.count < Self.mostIDs { ids.insert(text) }
    case .array(let elements): for element in elements { add(element, at: nil) }
    case .object(let object):
      if let error = object["$error"]?.object, let type = error["type"]?.string {
        errors[type] = error
      }
      if let path, path.last == "_0", Self.isPresentation(object) { presentations.insert(path) }
      for (key, value) in object {
        add(.string(key), at: nil)
        add(value, at: path.map { $0 + [key] })
      }
    default: break
    }
  }

  private static func isPresentation(_ object: JSON.Object) -> Bool {
    guard object.count == 1 else { return false }
    return object["dismiss"] == [:] || object["presented"]?.object?.keys == ["_0"]
  }

  /// Adds the errors and ids in a patch's values, and the ids that are the last tokens of its paths.
  package mutating func add(patch: JSON.Patch) {
    for operation in patch.operations {
      switch operation {
      case .add(let path, let value), .replace(let path, let value):
        if let key = path.tokens.last { add(value: .string(key)) }
        add(value: value)
      case .remove, .move, .copy, .test, .splice: break
      }
    }
  }

  /// Whether actions contain a `PresentationAction` at a path, according to the log or the outline.
  func isPresentation(at path: [String]) -> Bool {
    presentations.contains(path) || outline?.isPresentation(at: path[...]) ?? false
  }

  /// Returns the last added error of a type, or `nil` if there is none.
  func error(ofType type: String) -> JSON.Object? { errors[type] }

  /// Returns the ids that end with a suffix, in sorted order.
  ///
  /// The suffix can have uppercase or lowercase letters.
  func ids(endingIn end: String) -> [String] {
    ids.filter { $0.uppercased().hasSuffix(end.uppercased()) }.sorted()
  }
}
