import ActionLog
import ReplayEngine

/// One step of a generated sequence.
///
/// An effect is identified by its origin and its index among effects with this origin, because effect ids depend on the
/// sequence.
enum FuzzStep: Hashable, Sendable {
  /// The user, or a reducer around the feature, sends an action.
  case user(JSON)
  /// A running effect sends an action, or the library sends it on behalf of the effect if `via` is not `nil`.
  case answer(RunningEffectReference, JSON, via: String?)
  /// The operation of a running effect returns.
  case finish(RunningEffectReference)

  /// A reference to a running effect by its origin, and by its index among the effects with this origin.
  ///
  /// The effects are counted in the order in which they started.
  struct RunningEffectReference: Hashable, Sendable {
    var source: EffectOrigin
    /// The ids of the elements that contain the effect, to which its actions are sent.
    var elements: [JSON]
    var place: Int
  }

  /// The action that the step sends, or `nil` if the step ends an effect.
  var action: JSON? {
    switch self {
    case .user(let action), .answer(_, let action, _): action
    case .finish: nil
    }
  }

  /// Whether the step comes from the user, or is a dismissal that the library sends.
  var isFromUser: Bool {
    switch self {
    case .user: true
    case .answer(_, _, let via): via != nil
    case .finish: false
    }
  }

  /// The ids of the elements that contain the effect; empty for other steps.
  var elements: [JSON] {
    if case .answer(let name, _, _) = self { name.elements } else { [] }
  }

  /// Returns the step with its action replaced.
  func with(_ action: JSON) -> FuzzStep {
    switch self {
    case .user: .user(action)
    case .answer(let name, _, let via): .answer(name, action, via: via)
    case .finish: self
    }
  }
}

extension FuzzStep {
  var json: JSON {
    switch self {
    case .user(let action): ["u": action]
    case .answer(let name, let action, let via):
      [
        "a": action, "e": name.json, "v": via.map(JSON.string) ?? .null,
      ]
    case .finish(let name): ["f": name.json]
    }
  }

  init?(_ json: JSON) {
    if let action = json["u"] {
      self = .user(action)
    } else if let action = json["a"], let name = json["e"].flatMap({ RunningEffectReference($0) }) {
      self = .answer(name, action, via: json["v"]?.string)
    } else if let name = json["f"].flatMap({ RunningEffectReference($0) }) {
      self = .finish(name)
    } else {
      return nil
    }
  }
}

extension FuzzStep.RunningEffectReference {
  fileprivate var json: JSON {
    var json = source.json
    if !elements.isEmpty { json["elements"] = .array(elements) }
    json["n"] = .number(JSON.Number(place))
    return .object(json)
  }

  fileprivate init?(_ json: JSON) {
    guard let source = EffectOrigin(json), let place = json["n"]?.count else { return nil }
    self.init(source: source, elements: json["elements"]?.array ?? [], place: place)
  }
}

extension EffectDescription {
  /// The effect's name, or else its source location, or else the type of its cancellation id.
  var kind: String { name ?? source ?? cancelID?.type ?? "" }
}

extension JSON {
  /// The case names on the path of an action, outermost first.
  var caseNames: [String] {
    var names: [String] = []
    var value = self
    while let object = value.object, object.count == 1, let name = object.firstKey,
      let inner = object.values.first
    {
      names.append(name)
      value = inner
    }
    return names
  }
}
