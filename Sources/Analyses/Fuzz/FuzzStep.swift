import ActionLog
import ReplayEngine

/// One step of a sequence that a fuzzer tries.
///
/// Effects are named by their kind and by which one of that kind it is, because sequences start other effects in another order.
enum FuzzStep: Hashable, Sendable {
  /// The user, or a reducer around the feature, sends an action.
  case user(JSON)
  /// An effect sends an action.
  case answer(EffectName, JSON, via: String?)
  /// The operation of an effect returns.
  case finish(EffectName)

  /// An effect that is alive: the n-th of its kind, in the order in which they started.
  struct EffectName: Hashable, Sendable {
    var kind: String
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
        "a": action, "k": .string(name.kind), "n": .number(JSON.Number(name.place)),
        "v": via.map(JSON.string) ?? .null,
      ]
    case .finish(let name):
      ["f": .string(name.kind), "n": .number(JSON.Number(name.place))]
    }
  }

  init?(_ json: JSON) {
    if let action = json["u"] {
      self = .user(action)
    } else if let action = json["a"], let kind = json["k"]?.string, let place = json["n"]?.count {
      self = .answer(EffectName(kind: kind, place: place), action, via: json["v"]?.string)
    } else if let kind = json["f"]?.string, let place = json["n"]?.count {
      self = .finish(EffectName(kind: kind, place: place))
    } else {
      return nil
    }
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
    while let object = value.object, object.count == 1, let name = object.keys.first,
      let inner = object.values.first
    {
      names.append(name)
      value = inner
    }
    return names
  }
}
