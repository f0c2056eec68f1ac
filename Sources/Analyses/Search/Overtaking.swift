import ActionLog
import ReplayEngine

/// Where an order lets an answer come after that of a newer effect, and replace what that one wrote.
///
/// Answers belong together when their effects are of one kind, and their actions of one case, for the same elements. In the recorded order the
/// older effect answers first, and the newer one's value stands. An order in which the older effect's answer comes last, and
/// leaves the value of the recording in the place of the newer one's, is a race: the state follows who was faster. What it replaces is to
/// be another value than in the recording. So an answer that looks at it, as one that counts does, leaves something else, and is no
/// race; nor is one that is refused.
struct Overtaking: Sendable {
  /// A value that an answer may put in place of a newer one's.
  struct Rival: Sendable, Hashable {
    let place: JSON.Location
    /// What the older answer leaves there.
    let older: JSON
    /// What the newer answer has left there.
    let newer: JSON
  }

  /// An answer that comes after the one of a newer effect in the recorded order, and leaves another value in its place.
  ///
  /// An answer that adds to what is there, as one that counts does, leaves another value too. Without the newer answer it leaves
  /// something else, and one that replaces it does not: a replay tells.
  struct Recorded: Sendable, Hashable {
    let seq: Int
    let place: JSON.Location
    /// The answer of the newer effect.
    let newer: Int
    /// What the older answer has left.
    let value: JSON?
  }

  /// What answers have in common.
  private struct ResponseGroup: Hashable {
    let kind: String
    let action: String
    let elements: [JSON]
  }

  /// An answer, with what it has left where answers of its group write.
  private struct EffectResponse {
    let step: Int
    let seq: Int
    let effect: EffectID
    /// What was there before.
    var replaced: [JSON.Location: JSON] = [:]
    var values: [JSON.Location: JSON] = [:]
  }

  private var answers: [ResponseGroup: [EffectResponse]] = [:]
  private var groups: [Int: ResponseGroup] = [:]
  /// What the recorded order may show already, in its order.
  private(set) var recorded: [Recorded] = []

  /// No answers.
  init() {}

  /// The answers of a log.
  ///
  /// - Parameters:
  ///   - steps: The steps, in the recorded order.
  ///   - checkpoint: What is before the first.
  init(_ steps: [ThreadedLog.ThreadStep], after checkpoint: LogEvent.Checkpoint) {
    let groups = Self.groups(of: steps, after: checkpoint)
    guard !groups.isEmpty else { return }
    self.groups = groups
    var states: [Int: (before: JSON, after: JSON)] = [:]
    var places: [ResponseGroup: Set<JSON.Location>] = [:]
    var state = checkpoint.state
    var copies = JSON.Patch.CopyBudget()
    for (index, step) in steps.enumerated() {
      for case .change(let change) in step.events {
        let before = state
        // A replay says what is wrong with such a log.
        guard (try? change.patch.apply(to: &state, &copies)) != nil else {
          self = Overtaking()
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

  /// The groups with answers of several effects, by the steps.
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
    _ places: Set<JSON.Location>,
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
            Recorded(seq: answer.seq, place: place, newer: newer?.seq ?? 0, value: after[pointer])
          )
        }
      }
      noted.append(answer)
    }
    answers[group] = noted
  }

  /// The steps with answers that can overtake others, or be overtaken.
  var steps: some Sequence<Int> { groups.keys }

  /// Whether no answer can overtake another one.
  var isEmpty: Bool { groups.isEmpty }

  /// The values that a step may put in place of newer ones.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - isDone: Whether a step came before it.
  /// - Returns: The values; empty for nearly all steps.
  func rivals(of step: Int, isDone: (Int) -> Bool) -> [Rival] {
    guard let group = groups[step], let answers = answers[group],
      let own = answers.first(where: { $0.step == step })
    else { return [] }
    return answers.flatMap { newer -> [Rival] in
      guard newer.step > step, newer.effect.seq > own.effect.seq, isDone(newer.step) else {
        return []
      }
      return own.values.compactMap { place, value in
        guard let other = newer.values[place], other != value, other != own.replaced[place]
        else { return nil }
        return Rival(place: place, older: value, newer: other)
      }
      .sorted { $0.place.pointer.description < $1.place.pointer.description }
    }
  }
}

extension Overtaking.Rival {
  /// Whether an answer has put the older value in place of the newer one.
  ///
  /// - Parameters:
  ///   - before: The state before the answer.
  ///   - after: The state after it.
  /// - Returns: Whether it has.
  func isReplaced(before: JSON, after: JSON) -> Bool {
    before[place.pointer] == newer && after[place.pointer] == older
  }
}

extension JSON.Pointer {
  /// The place that a patch has written, or the array around it: an element has no place of its own.
  fileprivate func whole(_ before: JSON, _ after: JSON) -> JSON.Location {
    let parent = JSON.Pointer(Array(tokens.dropLast()))
    // The patch may have put the container there.
    let states = [before, after]
    let state = states.first { $0[parent]?.object != nil || $0[parent]?.array != nil } ?? after
    return tokens.isEmpty || state[parent]?.array == nil
      ? JSON.Location(self, in: state) : parent.whole(before, after)
  }
}

extension JSON {
  /// The ids of the elements for which an action is.
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
