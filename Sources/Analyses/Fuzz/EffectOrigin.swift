import ActionLog
import ReplayEngine

/// The origin of an effect: its operation, the child feature that runs it, and the action that started it.
///
/// A child in a scope has no navigation path, unless it is presented. Without a path, only the action distinguishes the
/// child's effects from those of its siblings.
struct EffectOrigin: Hashable, Sendable {
  /// The name of the operation, without ids of elements.
  let kind: String
  /// The presentation paths of the child features that contain the effect, outermost first.
  let places: [String]
  /// The case path of the action that started the effect, or a string that starts with `@` if the action is unknown.
  let cause: String

  init(_ identity: EffectIdentity, startedBy cause: String) {
    self.init(kind: identity.kind, places: identity.places, cause: cause)
  }

  private init(kind: String, places: [String], cause: String) {
    (self.kind, self.places, self.cause) = (kind, places, cause)
  }

  /// Returns the `cause` for an effect that a checkpoint lists.
  ///
  /// The action that started such an effect is unknown. The cause is valid only for this checkpoint, because elsewhere
  /// the id may belong to another effect.
  static func cause(atCheckpoint id: EffectID) -> String { "@\(id)" }

  /// The origins with the same operation in the same child feature, even if different actions started the effects.
  struct Family: Hashable, Sendable {
    fileprivate let kind: String
    fileprivate let places: [String]
    fileprivate let child: Substring
  }

  /// The family, or `nil` if the action that started the effect is unknown.
  var family: Family? {
    guard !cause.hasPrefix("@"), let end = cause.lastIndex(of: ".") else { return nil }
    return Family(kind: kind, places: places, child: cause[..<end])
  }
}

extension EffectOrigin {
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
  /// Returns a copy of an action, in which the ids of the elements on its path are replaced.
  ///
  /// - Parameters:
  ///   - elements: The new ids.
  ///   - others: The ids to replace, in the same order.
  /// - Returns: The action with new ids.
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
