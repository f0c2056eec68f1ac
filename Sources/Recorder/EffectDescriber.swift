import ActionLog
package import TCACore

/// Turns effects into what a log says of them, alike for a recorder and a replay.
package struct EffectDescriber: Sendable {
  /// What is marked in descriptions for a masker.
  private let markings: LogMarkings?

  /// A describer.
  ///
  /// - Parameter markings: What is marked for a masker.
  package init(marking markings: LogMarkings? = nil) { self.markings = markings }

  /// What a replay needs of the leaves that it described.
  package struct Leaves<Action>: Sendable {
    /// The actions that are sent at once.
    package var sent: [EffectID: SentAction<Action>] = [:]

    /// No leaves.
    package init() {}
  }

  /// Describes an effect and marks its leaves.
  ///
  /// - Parameters:
  ///   - effect: The effect that the reducer returned for an action.
  ///   - seq: The action's sequence number.
  ///   - observer: Who is to be told what becomes of the leaves.
  /// - Returns: The descriptions, and the same effect with marks.
  package func describe<Action>(
    _ effect: Effect<Action>,
    seq: Int,
    observer: (any EffectObserver)?
  ) -> ([EffectDescription], Effect<Action>) {
    var leaves = Leaves<Action>()
    return describe(effect, seq: seq, observer: observer, leaves: &leaves)
  }

  /// Describes an effect, marks its leaves and collects the actions in it.
  package func describe<Action>(
    _ effect: Effect<Action>,
    seq: Int,
    observer: (any EffectObserver)?,
    leaves: inout Leaves<Action>
  ) -> ([EffectDescription], Effect<Action>) {
    var index = 0
    return describe(effect, Marks(seq: seq, observer: observer), &index, &leaves)
  }

  /// Describes an effect that takes the place of another one, and marks its leaves.
  ///
  /// - Parameters:
  ///   - effect: The effect.
  ///   - id: The other effect, whose name the first leaf gets.
  ///   - next: The first number among the effects of the same action that is free for further leaves, and then the one after
  ///     these.
  ///   - observer: Who is to be told what becomes of the leaves.
  /// - Returns: The descriptions, and the same effect with marks.
  package func describe<Action>(
    _ effect: Effect<Action>,
    inPlaceOf id: EffectID,
    next: inout Int,
    observer: any EffectObserver
  ) -> ([EffectDescription], Effect<Action>) {
    var leaves = Leaves<Action>()
    var index = 0
    let marks = Marks(seq: id.seq, observer: observer, first: id.index, next: next)
    let described = describe(effect, marks, &index, &leaves)
    next += max(0, index - 1)
    return described
  }

  private struct Marks {
    let seq: Int
    let observer: (any EffectObserver)?
    /// The number of the first leaf, and of the second one; the others follow that.
    var first = 0
    var next = 1

    func id(_ index: Int) -> EffectID {
      EffectID(seq: seq, index: index == 0 ? first : next + index - 1)
    }
  }

  private func describe<Action>(
    _ effect: Effect<Action>,
    _ marks: Marks,
    _ index: inout Int,
    _ leaves: inout Leaves<Action>
  ) -> ([EffectDescription], Effect<Action>) {
    switch effect.operation {
    case .none: return ([], effect)
    case .send(let action, var leaf):
      var description = EffectDescription(.send)
      mark(&leaf, &description, marks, &index)
      if let id = description.id { leaves.sent[id] = action }
      description.loggedAction = text(of: action.action)
      return ([description], Effect(operation: .send(action, leaf)))
    case .run(var run):
      var description = EffectDescription(.run)
      mark(&run.leaf, &description, marks, &index)
      description.loggedInput = run.input.map { text(of: $0) }
      description.priority = run.priority.map(Self.name)
      return ([description], Effect(operation: .run(run)))
    case .merge(let effects):
      let (descriptions, effects) = describe(effects, marks, &index, &leaves)
      return (descriptions, Effect(operation: .merge(effects)))
    case .concatenate(let effects):
      var group = EffectDescription(.concatenate)
      var marked: [Effect<Action>] = []
      for effect in effects {
        let (part, effect) = describe(effect, marks, &index, &leaves)
        // What is merged within a concatenation is one of its parts, not several.
        group.effects.append(part.count == 1 ? part[0] : Self.group(part))
        marked.append(effect)
      }
      return ([group], Effect(operation: .concatenate(marked)))
    case .cancellable(let inner, let id, let cancelInFlight):
      let (descriptions, inner) = describe(inner, marks, &index, &leaves)
      var group = Self.group(descriptions)
      group.cancelID = describe(id)
      group.cancelInFlight = cancelInFlight
      return (
        [group], Effect(operation: .cancellable(inner, id, cancelInFlight: cancelInFlight))
      )
    case .cancel(let id, let location):
      var description = EffectDescription(.cancel)
      description.cancelID = describe(id)
      description.source = location.source
      return ([description], effect)
    }
  }

  private func text(of value: some Any) -> JSONText {
    JSONText(encoded: LogEncoder(writing: value, marking: markings).releaseBytes())
  }

  private func describe<Action>(
    _ effects: [Effect<Action>],
    _ marks: Marks,
    _ index: inout Int,
    _ leaves: inout Leaves<Action>
  ) -> ([EffectDescription], [Effect<Action>]) {
    var descriptions: [EffectDescription] = []
    var marked: [Effect<Action>] = []
    for effect in effects {
      let (inner, effect) = describe(effect, marks, &index, &leaves)
      descriptions += inner
      marked.append(effect)
    }
    return (descriptions, marked)
  }

  private func mark(
    _ leaf: inout EffectLeaf,
    _ description: inout EffectDescription,
    _ marks: Marks,
    _ index: inout Int
  ) {
    description.name = leaf.name
    description.source = leaf.location.source
    description.isInternal = leaf.isInternal
    guard !leaf.isInternal else { return }
    let id = marks.id(index)
    index += 1
    description.id = id
    if let observer = marks.observer { leaf.tags.append(EffectTag(observer: observer, id: id)) }
  }

  /// One description for what a cancellation id covers.
  package static func group(_ descriptions: [EffectDescription]) -> EffectDescription {
    if descriptions.count == 1, let only = descriptions.first, only.operation != .cancel,
      only.cancelID == nil
    {
      return only
    }
    var group = EffectDescription(.merge)
    group.effects = descriptions
    return group
  }

  private static func name(_ priority: TaskPriority) -> String {
    switch priority {
    case .high: "high"
    case .medium: "medium"
    case .low: "low"
    case .background: "background"
    default: "\(priority.rawValue)"
    }
  }
}

extension IssueLocation {
  /// The place as the log writes it, such as `App/Todos.swift:88`.
  fileprivate var source: String { String(describing: fileID) + ":" + String(line) }
}

extension EffectDescriber {
  /// The description of a cancellation id.
  ///
  /// Ids that print alike get their numbers when their effects start.
  package func describe(_ id: CancelID) -> EffectDescription.CancelID {
    var description = EffectDescription.CancelID(
      type: LogTypeName.of(type(of: id.key.base)),
      value: value(of: id.key),
      path: describe(id.path)
    )
    description.identity = id
    return description
  }

  /// The way from the root feature to another one.
  func describe(_ path: [NavigationID]) -> [JSON] {
    path.map { step in
      var object = JSON.Object()
      object["place"] = step.place.map { value(of: $0) }
      object["id"] = step.identity.map { value(of: $0) }
      return .object(object)
    }
  }

  private func value(of key: CancelKey) -> JSON { stableValue(key.base) ?? .ordinal }

  /// A value as the log writes it, or as its cases and members show; nil when a part of it is no plain value.
  private func stableValue(_ value: Any) -> JSON? {
    // The type first: any hashable value can be cast, and that takes long.
    if type(of: value) == AnyHashable.self, let erased = value as? AnyHashable {
      return stableValue(erased.base)
    }
    let json = JSON(logging: value, marking: markings)
    if !json.isOpaque { return json }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum: return enumValue(value, mirror)
    case .struct, .tuple: return members(of: mirror)
    default: return nil
    }
  }

  private func enumValue(_ value: Any, _ mirror: Mirror) -> JSON? {
    guard let child = mirror.children.first else {
      // A type that describes itself may say anything, so its text is no name.
      guard !(value is any CustomStringConvertible) else { return nil }
      return [String(describing: value): [:]]
    }
    guard let name = child.label else { return nil }
    let payload = Mirror(reflecting: child.value)
    if payload.displayStyle == .tuple { return members(of: payload).map { [name: $0] } }
    return stableValue(child.value).map { [name: ["_0": $0]] }
  }

  private func members(of mirror: Mirror) -> JSON? {
    var object = JSON.Object()
    for (index, child) in mirror.children.enumerated() {
      guard let value = stableValue(child.value) else { return nil }
      let label = child.label.map { $0.hasPrefix(".") ? "_\(index)" : $0 }
      object[label ?? "_\(index)"] = value
    }
    return .object(object)
  }
}

extension JSON {
  /// Whether the value, or a part of it, could not be written.
  fileprivate var isOpaque: Bool {
    switch self {
    case .object(let object):
      object.position(of: "$opaque") != nil || object.values.contains(where: \.isOpaque)
    case .array(let elements): elements.contains(where: \.isOpaque)
    default: false
    }
  }
}
