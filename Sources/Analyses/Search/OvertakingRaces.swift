import ActionLog
import ReplayEngine

/// Finds races in which the action of an older effect overwrites the result of a newer effect.
///
/// Two actions are compared if they have the same case, the same element ids, and effects of the same kind. In the
/// recorded order, the older effect's action comes first, so the newer result remains. In another order, the older
/// effect's action comes last, and replaces the newer result with the result that it had in the recording.
///
/// An action that depends on the previous value, such as an increment, is not a race, because it results in a third
/// value. An action that the reducer ignores is not a race either.
struct OvertakingRaces: Sendable {
  /// A value that an older effect's action can overwrite.
  struct ContestedValue: Sendable, Hashable {
    let place: JSON.ValueLocation
    /// The recorded value after the older effect's action.
    let older: JSON
    /// The recorded value after the newer effect's action.
    let newer: JSON
  }

  /// An older effect's action that follows a newer effect's action in the recording, and changes the newer result.
  ///
  /// The change might not be a race, because the action can depend on the previous value, as an increment does. A
  /// replay without the newer action shows the difference: an increment then has another result, but an overwriting
  /// action has the same one.
  struct RecordedRace: Sendable, Hashable {
    let seq: Int
    let place: JSON.ValueLocation
    /// The number of the action that the newer effect sent.
    let newer: Int
    /// The value after the older effect's action, or `nil` if the action removed it.
    let value: JSON?
  }

  /// The properties that actions must have in common to be compared.
  private struct ResponseGroup: Hashable {
    let kind: String
    let action: String
    let elements: [JSON]
  }

  /// An action of an effect, with values at all paths that actions of its group write.
  private struct EffectResponse {
    let step: Int
    let seq: Int
    let effect: EffectID
    /// The values before the action, keyed by path.
    var replaced: [JSON.ValueLocation: JSON] = [:]
    /// The values after the action, keyed by path.
    var values: [JSON.ValueLocation: JSON] = [:]
  }

  private var answers: [ResponseGroup: [EffectResponse]] = [:]
  private var groups: [Int: ResponseGroup] = [:]
  /// The actions that might have overwritten a newer result in the recorded order.
  private(set) var recorded: [RecordedRace] = []

  /// Creates a value without races.
  init() {}

  /// Finds the actions in a log that can be compared.
  ///
  /// - Parameters:
  ///   - steps: The steps of the log, in recorded order.
  ///   - checkpoint: The checkpoint before the first step.
  init(_ steps: [ThreadedLog.ThreadStep], after checkpoint: LogEvent.Checkpoint) {
    let groups = Self.groups(of: steps, after: checkpoint)
    guard !groups.isEmpty else { return }
    self.groups = groups
    var states: [Int: (before: JSON, after: JSON)] = [:]
    var places: [ResponseGroup: Set<JSON.ValueLocation>] = [:]
    var state = checkpoint.state
    var copies = JSON.Patch.CopyBudget()
    for (index, step) in steps.enumerated() {
      for case .change(let change) in step.events {
        let before = state
        // The replay reports a patch that does not fit, so races are ignored here.
        guard (try? change.patch.apply(to: &state, &copies)) != nil else {
          self = OvertakingRaces()
          return
        }
        guard let group = groups[index], let action = step.action, change.seq == action.seq,
          case .effect(let effect, _) = action.origin
        else { continue }
        states[index] = (before, state)
        for operation in change.patch.operations {
          places[group, default: []].insert(operation.path.whole(before, state))
        }
        answers[group, default: []].append(
          EffectResponse(step: index, seq: action.seq, effect: effect)
        )
      }
    }
    for (group, places) in places { recordValues(places, of: group, states) }
    recorded.sort {
      ($0.seq, $0.place.pointer.description) < ($1.seq, $1.place.pointer.description)
    }
  }

  /// Returns the groups that have actions from several effects, keyed by step.
  private static func groups(
    of steps: [ThreadedLog.ThreadStep],
    after checkpoint: LogEvent.Checkpoint
  ) -> [Int: ResponseGroup] {
    var kinds: [EffectID: String] = [:]
    func register(_ effects: [EffectDescription]) {
      for leaf in effects.lazy.flatMap(\.flattened) {
        if let id = leaf.id, !leaf.kind.isEmpty { kinds[id] = leaf.kind }
      }
    }
    register(checkpoint.effects)
    var groups: [Int: ResponseGroup] = [:]
    var effects: [ResponseGroup: Set<EffectID>] = [:]
    for (index, step) in steps.enumerated() {
      for case .change(let change) in step.events { register(change.effects) }
      guard let action = step.action, case .effect(let id, nil) = action.origin,
        let kind = kinds[id]
      else { continue }
      let json = action.action
      let group = ResponseGroup(
        kind: kind,
        action: Notation().casePath(json),
        elements: json.elements
      )
      groups[index] = group
      effects[group, default: []].insert(id)
    }
    return groups.filter { effects[$0.value, default: []].count > 1 }
  }

  private mutating func recordValues(
    _ places: Set<JSON.ValueLocation>,
    of group: ResponseGroup,
    _ states: [Int: (before: JSON, after: JSON)]
  ) {
    var noted: [EffectResponse] = []
    for var answer in answers[group] ?? [] {
      guard let (before, after) = states[answer.step] else { continue }
      for place in places {
        let pointer = place.pointer
        answer.replaced[place] = before[pointer]
        answer.values[place] = after[pointer]
        let newer = noted.last { $0.effect.seq > answer.effect.seq }
        if let value = newer?.values[place], before[pointer] == value, after[pointer] != value {
          recorded.append(
            RecordedRace(
              seq: answer.seq,
              place: place,
              newer: newer?.seq ?? 0,
              value: after[pointer]
            )
          )
        }
      }
      noted.append(answer)
    }
    answers[group] = noted
  }

  /// The indexes of steps whose actions can overwrite, or be overwritten by, others.
  var steps: some Sequence<Int> { groups.keys }

  /// Whether the log contains no actions that can be compared.
  var isEmpty: Bool { groups.isEmpty }

  /// Returns the results of newer effects that a step can overwrite.
  ///
  /// - Parameters:
  ///   - step: The index of the step.
  ///   - isDone: A closure that returns whether the step at the given index has been executed.
  /// - Returns: The values. The array is empty for most steps.
  func rivals(of step: Int, isDone: (Int) -> Bool) -> [ContestedValue] {
    guard let group = groups[step], let answers = answers[group],
      let own = answers.first(where: { $0.step == step })
    else { return [] }
    return answers.flatMap { newer -> [ContestedValue] in
      guard newer.step > step, newer.effect.seq > own.effect.seq, isDone(newer.step) else {
        return []
      }
      return own.values.compactMap { place, value in
        guard let other = newer.values[place], other != value, other != own.replaced[place]
        else { return nil }
        return ContestedValue(place: place, older: value, newer: other)
      }
      .sorted { $0.place.pointer.description < $1.place.pointer.description }
    }
  }
}

extension OvertakingRaces.ContestedValue {
  /// Returns whether an action has replaced the newer effect's result with the older effect's result.
  ///
  /// - Parameters:
  ///   - before: The state before the action.
  ///   - after: The state after the action.
  /// - Returns: Whether the value at `place` was the newer one before the action and is the older one after it.
  func isReplaced(before: JSON, after: JSON) -> Bool {
    before[place.pointer] == newer && after[place.pointer] == older
  }
}

extension JSON.Pointer {
  /// Returns the location that an operation has written, given the states before and after it.
  ///
  /// For a path in an array, this is the location of the array.
  fileprivate func whole(_ before: JSON, _ after: JSON) -> JSON.ValueLocation {
    let parent = JSON.Pointer(Array(tokens.dropLast()))
    // If the patch created the container, only the later state contains it.
    let states = [before, after]
    let state = states.first { $0[parent]?.object != nil || $0[parent]?.array != nil } ?? after
    return tokens.isEmpty || state[parent]?.array == nil
      ? JSON.ValueLocation(self, in: state) : parent.whole(before, after)
  }
}

extension JSON {
  /// The ids of the elements to which an action is sent, outermost first.
  fileprivate var elements: [JSON] {
    var ids: [JSON] = []
    var value = self
    while let object = value.object {
      if object.count == 2, let id = object["id"], let action = object["action"] {
        ids.append(id)
        value = action
      } else if object.count == 1, let inner = object.values.first {
        value = inner
      } else {
        break
      }
    }
    return ids
  }
}
