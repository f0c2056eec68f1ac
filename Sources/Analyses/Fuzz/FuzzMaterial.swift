import ActionLog
import ReplayEngine

/// The contents of a corpus: sequences, actions, the actions of effects, and the values at each path of an action.
struct FuzzMaterial: Sendable {
  /// The header of generated logs.
  private(set) var header: LogEvent.Header?
  /// The initial state of all sequences.
  private(set) var checkpoint: LogEvent.Checkpoint?
  /// The logs as sequences.
  private(set) var sequences: [[FuzzStep]] = []
  /// The action numbers of the sequences' steps in their logs; 0 for effect events without an action.
  private(set) var numbers: [[Int]] = []
  /// The distinct actions of users, grouped by case.
  private(set) var actions: [[JSON]] = []
  /// The hashes of the states after each step; empty if the log begins with another state.
  private(set) var states: [[Int]] = []
  /// The unfinished last action of each log; `nil` if it is complete.
  private(set) var openActions: [Int?] = []
  /// The actions that effects of a source have sent, including whether the library sent them.
  private var answers: [EffectSource: [EffectAction]] = [:]
  /// The actions that effects of a family have sent.
  private var familyAnswers: [EffectSource.Family: [EffectAction]] = [:]
  /// The values at each path of the actions, by case and path.
  private(set) var values: [String: [JSON]] = [:]
  /// The texts of all actions.
  private(set) var texts: [JSON] = []

  /// An action of an effect.
  struct EffectAction: Hashable, Sendable {
    var action: JSON
    var via: String?
    /// The ids of the elements that contain the effect.
    var elements: [JSON]
  }

  private var known: Set<JSON> = []
  private var cases: [[String]: Int] = [:]
  private var knownTexts: Set<JSON> = []

  /// The maximum number of stored values for a path.
  private static let mostValues = 64
}

extension FuzzMaterial {
  /// Adds a log.
  ///
  /// - Throws: The errors of `events`.
  mutating func add(_ events: LogComparison.Events) throws {
    var reader = LogReading()
    var isFirst = true
    while let event = try events() {
      if case .header(let header) = event, self.header == nil { self.header = header }
      if case .checkpoint(let checkpoint) = event, isFirst {
        isFirst = false
        if self.checkpoint == nil { self.checkpoint = checkpoint }
        reader.beginsWithSearch = self.checkpoint.map { $0.isAlike(checkpoint) } ?? false
      }
      reader.read(event)
      // The events after a gap begin with another state.
      if case .gap = event { break }
    }
    sequences.append(reader.steps)
    numbers.append(reader.numbers)
    states.append(reader.beginsWithSearch ? reader.states : [])
    openActions.append(reader.openAction)
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
    for place in FuzzValues.places(in: action) {
      let key = FuzzValues.key(of: place, in: action)
      guard let value = action[place], values[key, default: []].count < Self.mostValues else {
        continue
      }
      if values[key]?.contains(value) != true { values[key, default: []].append(value) }
      if case .string = value, texts.count < 512, knownTexts.insert(value).inserted {
        texts.append(value)
      }
    }
  }

  /// Returns the actions that an effect may send: those of its source or, if there are none, those of its family.
  func answers(of source: EffectSource) -> [EffectAction] {
    answers[source] ?? source.family.flatMap { familyAnswers[$0] } ?? []
  }

  /// Reads the steps of a log.
  private struct LogReading {
    /// Whether the log begins with the initial state of the search.
    var beginsWithSearch = false
    private(set) var steps: [FuzzStep] = []
    private(set) var numbers: [Int] = []
    private(set) var states: [Int] = []
    /// The action whose change is still to come.
    private(set) var openAction: Int?
    private var cursor = LogCursor()
    private var sources: [EffectID: (source: EffectSource, elements: [JSON])] = [:]
    private var alive: [EffectID] = []
    private var sends: Set<EffectID> = []
    private var cause = ""

    mutating func read(_ event: LogEvent) {
      // After a change that doesn't apply, the state is unknown, and later events are not evidence.
      try? cursor.move(to: event)
      switch event {
      case .checkpoint(let checkpoint): if steps.isEmpty { resume(checkpoint.effects) }
      case .change(let change):
        openAction = nil
        start(change.effects, by: cause)
        try? cursor.apply()
        if let last = states.indices.last { states[last] = cursor.state.hashValue }
      case .excluded(let excluded): start(excluded.effects, by: "@excluded")
      case .action(let action):
        cause = Notation().casePath(action.action)
        openAction = action.seq
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
        let name = name(id) ?? FuzzStep.EffectName(source: source, elements: elements, place: 0)
        add(.answer(name, action.action, via: via), action.seq)
      }
    }

    private mutating func add(_ step: FuzzStep, _ number: Int) {
      steps.append(step)
      numbers.append(number)
      states.append(cursor.state.hashValue)
    }

    /// Registers the effects of a checkpoint.
    private mutating func resume(_ effects: [EffectDescription]) {
      for effect in effects.identities {
        guard let id = effect.leaf.id else { continue }
        let cause = beginsWithSearch ? EffectSource.cause(atCheckpoint: id) : "@elsewhere"
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
      sources[id] = (EffectSource(identity, startedBy: cause), identity.elements)
      if leaf.operation == .send { sends.insert(id) } else { alive.append(id) }
    }

    private func name(_ id: EffectID) -> FuzzStep.EffectName? {
      guard let (source, elements) = sources[id] else { return nil }
      let same = alive.filter { sources[$0]?.source == source }
      return same.firstIndex(of: id).map {
        FuzzStep.EffectName(source: source, elements: elements, place: $0)
      }
    }
  }
}

extension LogEvent.Checkpoint {
  /// Returns whether both checkpoints are equivalent starting points for a search.
  fileprivate func isAlike(_ other: LogEvent.Checkpoint) -> Bool {
    state == other.state && effects == other.effects
  }
}

/// The values in actions and their replacements.
enum FuzzValues {
  /// Returns the paths of an action whose values can be changed, which excludes the names of its cases.
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

  /// Returns the path without array indexes, so that values of the same type share a key.
  static func key(of place: JSON.Pointer, in action: JSON) -> String {
    JSON.Location(place, in: action).anyElement.description
  }

  /// Returns a replacement for a value.
  ///
  /// - Parameters:
  ///   - value: The value to replace.
  ///   - seen: The values of the logs at this path.
  ///   - texts: The texts of the logs or of the current state.
  ///   - random: The random generator.
  /// - Returns: The replacement.
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
