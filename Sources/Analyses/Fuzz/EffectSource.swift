import ActionLog
import ReplayEngine

/// The source of an effect's actions: the operation, the child feature that runs it, and the action that started it.
///
/// A child in a plain scope has no navigation path. In that case, only the action distinguishes it from its siblings.
struct EffectSource: Hashable, Sendable {
  /// The operation, without names that are specific to elements.
  let kind: String
  /// The path of enclosing child features, outermost first.
  let places: [String]
  /// The case names of the starting action, or the effect's id if a checkpoint lists it.
  let cause: String

  init(_ identity: EffectIdentity, startedBy cause: String) {
    self.init(kind: identity.kind, places: identity.places, cause: cause)
  }

  private init(kind: String, places: [String], cause: String) {
    (self.kind, self.places, self.cause) = (kind, places, cause)
  }

  /// Returns the cause of an effect that a checkpoint lists.
  ///
  /// The id may refer to another effect at another checkpoint.
  static func cause(atCheckpoint id: EffectID) -> String { "@\(id)" }

  /// The group of sources in one child feature, independent of the starting action.
  struct Family: Hashable, Sendable {
    fileprivate let kind: String
    fileprivate let places: [String]
    fileprivate let child: Substring
  }

  /// The family; `nil` if the starting action is unknown.
  var family: Family? {
    guard !cause.hasPrefix("@"), let end = cause.lastIndex(of: ".") else { return nil }
    return Family(kind: kind, places: places, child: cause[..<end])
  }
}

extension EffectSource {
  var json: JSON.Object {
    [
      "kind": .string(kind), "places": .array(places.map(JSON.string)), "cause": .string(cause),
    ]
  }

  init?(_ json: JSON) {
    guard let kind = json["kind"]?.string, let places = json["places"]?.array,
      let cause = json["cause"]?.string
    else { return nil }
    self.init(kind: kind, places: places.compactMap(\.string), cause: cause)
  }
}

extension JSON {
  /// Returns the action with the ids of elements in its route replaced by their counterparts.
  func addressed(to elements: [JSON], insteadOf others: [JSON]) -> JSON {
    guard elements != others, elements.count == others.count, case .object(var object) = self
    else { return self }
    if object.count == 2, let id = object["id"], let action = object["action"] {
      if let index = others.firstIndex(of: id) { object["id"] = elements[index] }
      object["action"] = action.addressed(to: elements, insteadOf: others)
    } else if object.count == 1, let name = object.firstKey, let inner = object[name] {
      object[name] = inner.addressed(to: elements, insteadOf: others)
    }
    return .object(object)
  }
}
