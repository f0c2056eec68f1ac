import ActionLog
import LogTools
import ReplayEngine

/// The actions and values in a corpus of logs, from which sequences are generated.
struct FuzzSeedCorpus: Sendable {
  /// The header of the first log, which generated logs copy.
  private(set) var header: LogEvent.Header?
  /// The first checkpoint of the first log, from which all sequences start.
  private(set) var checkpoint: LogEvent.Checkpoint?
  /// The steps of each log.
  private(set) var sequences: [[FuzzStep]] = []
  /// The action number of each step, for each log; 0 for effect events without an action.
  private(set) var numbers: [[Int]] = []
  /// The distinct actions from the user and from parent reducers, grouped by case.
  private(set) var actions: [[JSON]] = []
  /// Hashes of the recorded states after each step, for each log; empty if the log starts with another state.
  private(set) var states: [[Int]] = []
  /// For each log, the number of its unfinished last action, or `nil` if all actions are finished.
  private(set) var openActions: [Int?] = []
  /// The distinct actions that effects have sent, keyed by the origin of the effect.
  private var answers: [EffectOrigin: [EffectAction]] = [:]
  /// The distinct actions that effects have sent, keyed by the family of the effect.
  private var familyAnswers: [EffectOrigin.Family: [EffectAction]] = [:]
  /// The effects of each action that had the same ones in all logs, if the library shows effects only when they run.
  private(set) var effects: [JSON: [EffectDescription]] = [:]
  /// The distinct values in actions, at most `mostValues` for each key, which consists of case and path.
  private(set) var values: [String: [JSON]] = [:]
  /// Up to 512 distinct strings from the actions.
  private(set) var texts: [JSON] = []

  /// An action that an effect has sent.
  struct EffectAction: Hashable, Sendable {
    var action: JSON
    var via: String?
    /// The ids of the elements that contain the effect, which occur in the action's path.
    var elements: [JSON]
  }

  private var known: Set<JSON> = []
  private var cases: [[String]: Int] = [:]
  private var knownTexts: Set<JSON> = []

  /// The maximum number of values that are stored for each action case and path.
  private static let mostValues = 64
}

extension FuzzSeedCorpus {
  /// Adds the steps and values of a log.
  ///
  /// - Throws: The errors that `events` throws, such as `LogReadError`.
  mutating func add(_ events: LogComparison.Events) throws {
    var reader = StepExtractor()
    var isFirst = true
    while let event = try events() {
      if case .header(let header) = event, self.header == nil { self.header = header }
      if case .checkpoint(let checkpoint) = event, isFirst {
        isFirst = false
        if self.checkpoint == nil { self.checkpoint = checkpoint }
        reader.beginsWithSearch = self.checkpoint.map { $0.isAlike(checkpoint) } ?? false
      }
      reader.read(event)
      // The state after a gap does not follow from the steps before it.
      if case .gap = event { break }
    }
    sequences.append(reader.steps)
    numbers.append(reader.numbers)
    states.append(reader.beginsWithSearch ? reader.states : [])
    openActions.append(reader.openAction)
    if header?.hidesEffects == true { effects.merge(reader.effects) { $0.isLike($1) ? $0 : [] } }
    for step in reader.steps { insert(step) }
  }

  private mutating func insert(_ step: FuzzStep) {
    switch step {
    case .user(let action):
      guard known.insert(action).inserted else { break }
      let index = cases[action.caseNames] ?? actions.count
      if index == actions.count {
        actions.append([])
        cases[action.caseNames] = index
      }
      actions[index].append(action)
    case .answer(let name, let action, let via):
      let answer = EffectAction(action: action, via: via, elements: name.elements)
      if answers[name.source]?.contains(answer) != true {
        answers[name.source, default: []].append(answer)
      }
      if let family = name.source.family, familyAnswers[family]?.contains(answer) != true {
        familyAnswers[family, default: []].append(answer)
      }
    case .finish: break
    }
    guard let action = step.action else { return }
    for place in FuzzValueMutator.places(in: action) {
      let key = FuzzValueMutator.key(of: place, in: action)
      guard let value = action[place], values[key, default: []].count < Self.mostValues else {
        continue
      }
      if values[key]?.contains(value) != true { values[key, default: []].append(value) }
      if case .string = value, texts.count < 512, knownTexts.insert(value).inserted {
        texts.append(value)
      }
    }
  }

  /// Returns the actions that an effect can send.
  ///
  /// If effects with this origin have sent no actions, the actions of the origin's family are returned.
  func answers(of source: EffectOrigin) -> [EffectAction] {
    answers[source] ?? source.family.flatMap { familyAnswers[$0] } ?? []
  }

  /// Converts the events of a log to steps.
  private struct StepExtractor {
    /// Whether the log starts with the initial state of the search.
    var beginsWithSearch = false
    private(set) var steps: [FuzzStep] = []
    private(set) var numbers: [Int] = []
    private(set) var states: [Int] = []
    /// The number of the last action, if its change has not been read.
    private(set) var openAction: Int?
    /// The effects of each action; empty for an action that had different ones.
    private(set) var effects: [JSON: [EffectDescription]] = [:]
    private var action: JSON?
    private var cursor = LogCursor()
    private var sources: [EffectID: (source: EffectOrigin, elements: [JSON])] = [:]
    private var alive: [EffectID] = []
    private var sends: Set<EffectID> = []
    private var cause = ""

    mutating func read(_ event: LogEvent) {
      // After a patch that does not fit, the hashes are wrong, so later states count as different from the recording.
      try? cursor.move(to: event)
      switch event {
      case .checkpoint(let checkpoint): if steps.isEmpty { resume(checkpoint.effects) }
      case .change(let change):
        openAction = nil
        start(change.effects, by: cause)
        if let action, effects[action]?.isLike(change.effects) != true {
          effects[action] = effects[action] == nil ? change.effects : []
        }
        action = nil
        try? cursor.apply()
        if let last = states.indices.last { states[last] = cursor.state.hashValue }
      case .excluded(let excluded): start(excluded.effects, by: "@excluded")
      case .action(let action):
        cause = Notation().casePath(action.action)
        openAction = action.seq
        self.action = action.action
        read(action)
      case .effect(let effect):
        switch effect.event {
        case .finished, .failed:
          if let name = name(effect.id) { add(.finish(name), 0) }
          alive.removeAll { $0 == effect.id }
        case .cancelled: alive.removeAll { $0 == effect.id }
        case .started: break
        }
      default: break
      }
    }

    private mutating func read(_ action: LogEvent.Action) {
      switch action.origin {
      case .view, .parent: add(.user(action.action), action.seq)
      case .reentrant: break
      case .effect(let id, let via):
        if via == nil, sends.contains(id) { return }
        guard let (source, elements) = sources[id] else { return }
        let name =
          name(id) ?? FuzzStep.RunningEffectReference(source: source, elements: elements, place: 0)
        add(.answer(name, action.action, via: via), action.seq)
      }
    }

    private mutating func add(_ step: FuzzStep, _ number: Int) {
      steps.append(step)
      numbers.append(number)
      states.append(cursor.state.hashValue)
    }

    /// Registers the effects that a checkpoint lists.
    private mutating func resume(_ effects: [EffectDescription]) {
      for effect in effects.identities {
        guard let id = effect.leaf.id else { continue }
        let cause = beginsWithSearch ? EffectOrigin.cause(atCheckpoint: id) : "@elsewhere"
        add(effect.leaf, id, effect.identity, cause)
      }
    }

    private mutating func start(_ effects: [EffectDescription], by cause: String) {
      for effect in effects.identities {
        if let id = effect.leaf.id { add(effect.leaf, id, effect.identity, cause) }
      }
    }

    private mutating func add(
      _ leaf: EffectDescription,
      _ id: EffectID,
      _ identity: EffectIdentity,
      _ cause: String
    ) {
      sources[id] = (EffectOrigin(identity, startedBy: cause), identity.elements)
      if leaf.operation == .send { sends.insert(id) } else { alive.append(id) }
    }

    private func name(_ id: EffectID) -> FuzzStep.RunningEffectReference? {
      guard let (source, elements) = sources[id] else { return nil }
      let same = alive.filter { sources[$0]?.source == source }
      return same.firstIndex(of: id).map {
        FuzzStep.RunningEffectReference(source: source, elements: elements, place: $0)
      }
    }
  }
}

extension [EffectDescription] {
  /// Returns whether the effects are the same as those of another action, apart from their ids.
  fileprivate func isLike(_ other: Self) -> Bool {
    func withoutIDs(_ effects: Self) -> Self {
      effects.map { effect in
        var effect = effect
        effect.id = nil
        return effect
      }
    }
    return withoutIDs(self) == withoutIDs(other)
  }
}

extension LogEvent.Checkpoint {
  /// Returns whether the checkpoints are interchangeable as the start of a search.
  fileprivate func isAlike(_ other: LogEvent.Checkpoint) -> Bool {
    state == other.state && effects == other.effects
  }
}

/// Finds values in actions that can be replaced, and chooses replacements.
enum FuzzValueMutator {
  /// Returns the paths in an action whose values can be replaced.
  ///
  /// Case names are not among the values.
  static func places(in action: JSON) -> [JSON.Pointer] {
    var places: [JSON.Pointer] = []
    collect(action, JSON.Pointer(), &places)
    return places
  }

  private static func collect(_ value: JSON, _ place: JSON.Pointer, _ places: inout [JSON.Pointer])
  {
    switch value {
    case .object(let object):
      for (key, value) in object { collect(value, place.appending(key), &places) }
    case .array(let elements):
      places.append(place)
      for (index, value) in elements.enumerated() {
        collect(value, place.appending(String(index)), &places)
      }
    case .null, .bool, .number, .string: places.append(place)
    }
  }

  /// Returns a path with `*` for array indexes, so that all elements of an array have the same key.
  static func key(of place: JSON.Pointer, in action: JSON) -> String {
    JSON.ValueLocation(place, in: action).anyElement.description
  }

  /// Returns a random replacement for a value.
  ///
  /// - Parameters:
  ///   - value: The value to replace.
  ///   - seen: The values that occur at the same path in the logs.
  ///   - texts: Strings from the logs or from the current state.
  ///   - random: The generator for random numbers.
  /// - Returns: A value of the same type, or one of `seen`. An object is returned unchanged, unless `seen` is used.
  static func other(
    than value: JSON,
    seen: [JSON],
    texts: [JSON],
    _ random: inout SeededGenerator
  ) -> JSON {
    if !seen.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
      return seen[Int.random(in: seen.indices, using: &random)]
    }
    switch value {
    case .null: return seen.randomElement(using: &random) ?? .null
    case .bool(let bool): return .bool(!bool)
    case .number(let number):
      guard let whole = number.int else {
        return [0, 1, -1, 0.5, 1e9].map { .number(JSON.Number($0) ?? JSON.Number(0)) }
          .randomElement(using: &random) ?? value
      }
      let numbers = [0, 1, -1, whole &+ 1, whole &- 1, whole &* 2, 100, 0 &- whole]
      return .number(JSON.Number(numbers[Int.random(in: numbers.indices, using: &random)]))
    case .string(let text):
      if !texts.isEmpty, Int.random(in: 0..<3, using: &random) > 0 {
        return texts[Int.random(in: texts.indices, using: &random)]
      }
      let others = ["", String(text.dropLast()), text + text, " " + text]
      return .string(others[Int.random(in: others.indices, using: &random)])
    case .array(let elements):
      guard let index = elements.indices.randomElement(using: &random) else { return value }
      var others = elements
      if Bool.random(using: &random) {
        others.remove(at: index)
      } else {
        others.insert(elements[index], at: index)
      }
      return .array(others)
    case .object: return value
    }
  }
}
