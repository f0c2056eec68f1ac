import ActionLog
import ReplayEngine

/// One step of a generated sequence.
///
/// An effect is identified by its source and its index among the effects of this source, because sequences start
/// effects in different orders.
enum FuzzStep: Hashable, Sendable {
  /// The user, or an enclosing reducer, sends an action.
  case user(JSON)
  /// An effect sends an action.
  case answer(EffectName, JSON, via: String?)
  /// The operation of an effect returns.
  case finish(EffectName)

  /// A running effect: its source, and its index in starting order.
  struct EffectName: Hashable, Sendable {
    var source: EffectSource
    /// The ids of the elements that contain the effect, to which its actions are addressed.
    var elements: [JSON]
    var place: Int
  }

  /// The action; `nil` for an effect event without one.
  var action: JSON? {
    switch self {
    case .user(let action), .answer(_, let action, _): action
    case .finish: nil
    }
  }

  /// Whether the step is the user's, or a dismissal by the library.
  var isUsers: Bool {
    switch self {
    case .user: true
    case .answer(_, _, let via): via != nil
    case .finish: false
    }
  }

  /// The ids of the effect's elements.
  var elements: [JSON] {
    if case .answer(let name, _, _) = self { name.elements } else { [] }
  }

  /// Returns the step with another action.
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
  /// The common name of effects with the same operation: the name, the source location or the type of the cancellation
  /// id.
  var kind: String { name ?? source ?? cancelID?.type ?? "" }
}

extension JSON {
  /// The case names of an action, outermost first, independent of its values.
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
