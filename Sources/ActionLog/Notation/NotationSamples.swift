/// What the actions of a log tell about the notation of others like them.
///
/// The notation leaves out what a reader does not need, such as `PresentationAction.presented`. To write an action of which only
/// the notation is known, it is looked up where the log's own actions have it.
package struct NotationSamples: Sendable {
  /// The places, as names of cases, whose value is a `PresentationAction`.
  private var presentations: Set<[String]> = []
  /// An error of each type.
  private var errors: [String: JSON.Object] = [:]
  /// Ids, which the notation cuts.
  private var ids: Set<String> = []
  /// The outline of the feature's actions, where that is known.
  package var outline: TypeOutline?

  package init() {}

  /// Takes an action of the log.
  package mutating func add(action: JSON) { add(action, at: []) }

  /// Takes another value of the log, for the ids in it.
  package mutating func add(value: JSON) { add(value, at: nil) }

  /// So many ids are known; more would take memory that nobody asks for.
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

  /// Takes the values of a patch, for the ids in them.
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

  /// Whether a `PresentationAction` stands there, as the log or the types say.
  func isPresentation(at path: [String]) -> Bool {
    presentations.contains(path) || outline?.isPresentation(at: path[...]) ?? false
  }

  /// An error of a type.
  func error(ofType type: String) -> JSON.Object? { errors[type] }

  /// The ids that end in some way.
  func ids(endingIn end: String) -> [String] {
    ids.filter { $0.uppercased().hasSuffix(end.uppercased()) }.sorted()
  }
}
