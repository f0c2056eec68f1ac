/// Forms of a log's actions, from which the notation of similar actions is completed.
///
/// The notation leaves out parts that a reader doesn't need, such as `PresentationAction.presented`. To convert an
/// action from notation to JSON, these parts are looked up in the log's own actions.
package struct NotationSamples: Sendable {
  /// The paths, as names of cases, that hold a `PresentationAction`.
  private var presentations: Set<[String]> = []
  /// A sample error of each type.
  private var errors: [String: JSON.Object] = [:]
  /// Complete ids, which the notation abbreviates.
  private var ids: Set<String> = []
  /// The outline of the feature's actions, if known.
  package var outline: TypeOutline?

  package init() {}

  /// Adds an action of the log.
  package mutating func add(action: JSON) { add(action, at: []) }

  /// Adds the ids in another value of the log.
  package mutating func add(value: JSON) { add(value, at: nil) }

  /// The maximum number of stored ids.
  ///
  /// Bounds memory.
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

  /// Adds the ids in the values of a patch.
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

  /// Whether a path holds a `PresentationAction`, according to the log or the types.
  func isPresentation(at path: [String]) -> Bool {
    presentations.contains(path) || outline?.isPresentation(at: path[...]) ?? false
  }

  /// Returns a sample error of a type.
  func error(ofType type: String) -> JSON.Object? { errors[type] }

  /// Returns the ids with a suffix.
  func ids(endingIn end: String) -> [String] {
    ids.filter { $0.uppercased().hasSuffix(end.uppercased()) }.sorted()
  }
}
