import ActionLog
import ReplayEngine

/// The source of an answer: a task, the child that runs it, and the action that started it.
///
/// A child that its parent only scopes has no navigation path, so the action tells it from its siblings.
struct EffectSource: Hashable, Sendable {
  /// The task, without a name for the effect's own elements.
  let kind: String
  /// The places of the child features around the effect, outermost first.
  let places: [String]
  /// The cases of the action that started it; of an effect that a checkpoint lists, its name.
  let cause: String

  init(_ identity: EffectIdentity, startedBy cause: String) {
    self.init(kind: identity.kind, places: identity.places, cause: cause)
  }

  private init(kind: String, places: [String], cause: String) {
    (self.kind, self.places, self.cause) = (kind, places, cause)
  }

  /// The cause of an effect that is alive at a checkpoint: another checkpoint may list another effect by this name.
  static func cause(atCheckpoint id: EffectID) -> String { "@\(id)" }

  /// The sources of effects that another action of the same child starts.
  struct Family: Hashable, Sendable {
    fileprivate let kind: String
    fileprivate let places: [String]
    fileprivate let child: Substring
  }

  /// The family; `nil` for an effect without a known action.
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
  /// An action for other elements: each id of an element in its route that is one of some ids becomes its counterpart.
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
