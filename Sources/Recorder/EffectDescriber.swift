import ActionLog
package import TCACore

/// A converter that describes effects as the log contains them, for recording and replay.
package struct EffectDescriber: Sendable {
  /// The paths that masks cover, or `nil` if there are no masks.
  private let markings: MaskerMarkings?

  /// Creates a describer.
  ///
  /// - Parameter markings: The paths that masks cover. In descriptions, values at these paths are marked for the
  ///   masker.
  package init(marking markings: MaskerMarkings? = nil) { self.markings = markings }

  /// The actions that a replay needs in addition to the descriptions.
  package struct LeafActions<Action>: Sendable {
    /// The actions of `.send` effects, by the effects' IDs.
    package var sent: [EffectID: SentAction<Action>] = [:]

    package init() {}
  }

  /// Describes an effect and assigns IDs to its leaves.
  ///
  /// - Parameters:
  ///   - effect: The effect that the reducer returned for an action.
  ///   - seq: The action's sequence number.
  ///   - observer: The observer that is notified about the lifecycle of the leaves, or `nil` if there is none.
  /// - Returns: The descriptions, and the same effect with tagged leaves.
  package func describe<Action>(
    _ effect: Effect<Action>,
    seq: Int,
    observer: (any EffectObserver)?
  ) -> ([EffectDescription], Effect<Action>) {
    var leaves = LeafActions<Action>()
    return describe(effect, seq: seq, observer: observer, leaves: &leaves)
  }

  /// Describes an effect, assigns IDs to its leaves, and stores the actions that it sends in `leaves`.
  package func describe<Action>(
    _ effect: Effect<Action>,
    seq: Int,
    observer: (any EffectObserver)?,
    leaves: inout LeafActions<Action>
  ) -> ([EffectDescription], Effect<Action>) {
    var index = 0
    return describe(effect, LeafNumbering(seq: seq, observer: observer), &index, &leaves)
  }

  /// Describes an effect that replaces another one, and assigns IDs to its leaves.
  ///
  /// - Parameters:
  ///   - effect: The new effect.
  ///   - id: The ID of the replaced effect, which the first leaf inherits.
  ///   - next: The first free index among the effects of the same action, which is advanced past the new leaves.
  ///   - observer: The observer that is notified about the lifecycle of the leaves.
  /// - Returns: The descriptions, and the same effect with tagged leaves.
  package func describe<Action>(
    _ effect: Effect<Action>,
    inPlaceOf id: EffectID,
    next: inout Int,
    observer: any EffectObserver
  ) -> ([EffectDescription], Effect<Action>) {
    var leaves = LeafActions<Action>()
    var index = 0
    let marks = LeafNumbering(seq: id.seq, observer: observer, first: id.index, next: next)
    let described = describe(effect, marks, &index, &leaves)
    next += max(0, index - 1)
    return described
  }

  private struct LeafNumbering {
    let seq: Int
    let observer: (any EffectObserver)?
    /// The index of the first leaf among the effects of the action.
    ///
    /// The other leaves have the indexes from `next`.
    var first = 0
    var next = 1

    func id(_ index: Int) -> EffectID {
      EffectID(seq: seq, index: index == 0 ? first : next + index - 1)
    }
  }

  private func describe<Action>(
    _ effect: Effect<Action>,
    _ marks: LeafNumbering,
    _ index: inout Int,
    _ leaves: inout LeafActions<Action>
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
        // The log has one description per part of a concatenation, so the effects of a merge are grouped.
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
    _ marks: LeafNumbering,
    _ index: inout Int,
    _ leaves: inout LeafActions<Action>
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
    _ marks: LeafNumbering,
    _ index: inout Int
  ) {
    description.name = leaf.name
    description.source = leaf.location.source
    description.isInternal = leaf.isInternal
    guard !leaf.isInternal else { return }
    let id = marks.id(index)
    index += 1
    description.id = id
    if let observer = marks.observer {
      leaf.tags.append(EffectObserverTag(observer: observer, id: id))
    }
  }

  /// Returns one description for several effects, as a merge, unless there is a single effect that needs no group.
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
  /// The source location in the format of the log, such as `App/Todos.swift:88`.
  fileprivate var source: String { String(describing: fileID) + ":" + String(line) }
}

extension EffectDescriber {
  /// Returns the description of a cancellation ID.
  ///
  /// If several IDs have the same description, they receive numbers when their effects start.
  package func describe(_ id: CancelID) -> EffectDescription.CancelID {
    var description = EffectDescription.CancelID(
      type: LogTypeName.of(type(of: id.key.base)),
      value: value(of: id.key),
      path: describe(id.path)
    )
    description.identity = id
    return description
  }

  /// Returns the log's description of the path from the root feature to another feature.
  func describe(_ path: [NavigationID]) -> [JSON] {
    path.map { step in
      var object = JSON.Object()
      object["place"] = step.place.map { value(of: $0) }
      object["id"] = step.identity.map { value(of: $0) }
      return .object(object)
    }
  }

  private func value(of key: CancelKey) -> JSON { stableValue(key.base) ?? .ordinal }

  /// Returns a value as logged, or else as its cases and members, or `nil` if any part of it is opaque.
  private func stableValue(_ value: Any) -> JSON? {
    // The types are compared first, because the cast succeeds for every hashable value and is slow.
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
      // A type with its own description can return any text, which may not be a case name.
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
  /// Whether any part of the value is opaque.
  fileprivate var isOpaque: Bool {
    switch self {
    case .object(let object):
      object.position(of: "$opaque") != nil || object.values.contains(where: \.isOpaque)
    case .array(let elements): elements.contains(where: \.isOpaque)
    default: false
    }
  }
}
