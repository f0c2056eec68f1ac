import ActionLog
import ReplayEngine

/// One step of a sequence that a fuzzer tries.
///
/// An effect is named by its source and by its position among the effects of this source, because sequences start effects in
/// different orders.
enum FuzzStep: Hashable, Sendable {
  /// The user, or a reducer around the feature, sends an action.
  case user(JSON)
  /// An effect sends an action.
  case answer(EffectName, JSON, via: String?)
  /// The operation of an effect returns.
  case finish(EffectName)

  /// An effect that is alive: the n-th of its source, in the order in which they started.
  struct EffectName: Hashable, Sendable {
    var source: EffectSource
    /// The ids of the elements around the effect; its actions address these elements.
    var elements: [JSON]
    var place: Int
  }

  /// The action; `nil` for a turn.
  var action: JSON? {
    switch self {
    case .user(let action), .answer(_, let action, _): action
    case .finish: nil
    }
  }

  /// Whether the user makes the step, or the library dismisses a feature.
  var isUsers: Bool {
    switch self {
    case .user: true
    case .answer(_, _, let via): via != nil
    case .finish: false
    }
  }

  /// The ids in the action that say for which elements an effect works.
  var elements: [JSON] {
    if case .answer(let name, _, _) = self { name.elements } else { [] }
  }

  /// The step with another action.
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
    } else if let action = json["a"], let name = json["e"].flatMap({ EffectName($0) }) {
      self = .answer(name, action, via: json["v"]?.string)
    } else if let name = json["f"].flatMap({ EffectName($0) }) {
      self = .finish(name)
    } else {
      return nil
    }
  }
}

extension FuzzStep.EffectName {
  fileprivate var json: JSON {
    var json = source.json
    if !elements.isEmpty { json["elements"] = .array(elements) }
    json["n"] = .number(JSON.Number(place))
    return .object(json)
  }

  fileprivate init?(_ json: JSON) {
    guard let source = EffectSource(json), let place = json["n"]?.count else { return nil }
    self.init(source: source, elements: json["elements"]?.array ?? [], place: place)
  }
}

extension EffectDescription {
  /// What effects with the same task have in common: their name, else the place in the code, else the type of the id.
  var kind: String { name ?? source ?? cancelID?.type ?? "" }
}

extension JSON {
  /// The names of the cases of an action, outermost first: the kind of the action, whatever its values are.
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
