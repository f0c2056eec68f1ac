import ActionLog
import ReplayEngine

/// What the logs of a corpus have: sequences, actions, the answers of effects, and the values at each place of an action.
struct FuzzMaterial: Sendable {
  /// The header of the logs that are made.
  private(set) var header: LogEvent.Header?
  /// Where sequences begin.
  private(set) var checkpoint: LogEvent.Checkpoint?
  /// The logs as sequences.
  private(set) var sequences: [[FuzzStep]] = []
  /// The numbers of the actions of these sequences in their logs; 0 for turns.
  private(set) var numbers: [[Int]] = []
  /// What users did, without repetitions, by case.
  private(set) var actions: [[JSON]] = []
  /// The states after the steps of these sequences, as hashes; none where the log begins elsewhere than the search.
  private(set) var states: [[Int]] = []
  /// The actions within which the logs end; `nil` where the last action of a log has a change.
  private(set) var openActions: [Int?] = []
  /// The actions that effects of a source have ever sent, and which of them by way of the library.
  private var answers: [EffectSource: [EffectAction]] = [:]
  /// The same by the family of the source.
  private var familyAnswers: [EffectSource.Family: [EffectAction]] = [:]
  /// The values at each place of the actions, by case and path.
  private(set) var values: [String: [JSON]] = [:]
  /// The values that have the same form, such as all texts.
  private(set) var texts: [JSON] = []

  /// Something that an effect sends.
  struct EffectAction: Hashable, Sendable {
    var action: JSON
    var via: String?
    /// The ids of the elements around the effect.
    var elements: [JSON]
  }

  private var known: Set<JSON> = []
  private var cases: [[String]: Int] = [:]
  private var knownTexts: Set<JSON> = []

  /// The most values that are kept for a place.
  private static let mostValues = 64
}

extension FuzzMaterial {
  /// Adds a log.
  ///
  /// - Returns: The feature of the log, which is to be the same for all; `nil` for a log that does not begin.
  /// - Throws: What `events` throws.
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
      // What comes after a gap has another beginning.
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

  /// The actions that an effect may send: those of its own source, or of the same child's other actions where it has none.
  func answers(of source: EffectSource) -> [EffectAction] {
    answers[source] ?? source.family.flatMap { familyAnswers[$0] } ?? []
  }

  /// Reads the steps of a log.
  private struct LogReading {
    /// Whether the log begins with the checkpoint of the search.
    var beginsWithSearch = false
    private(set) var steps: [FuzzStep] = []
    private(set) var numbers: [Int] = []
    private(set) var states: [Int] = []
    /// The action whose change is yet to come.
    private(set) var openAction: Int?
    private var cursor = LogCursor()
    private var sources: [EffectID: (source: EffectSource, elements: [JSON])] = [:]
    private var alive: [EffectID] = []
    private var sends: Set<EffectID> = []
    private var cause = ""

    mutating func read(_ event: LogEvent) {
      // A change that does not fit leaves no state, and the log proves nothing from there on.
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

    /// Starts with the effects of a checkpoint.
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
  /// Whether a search may begin with either.
  fileprivate func isAlike(_ other: LogEvent.Checkpoint) -> Bool {
    state == other.state && effects == other.effects
  }
}

/// The values in actions, and others in their place.
enum FuzzValues {
  /// The places of an action with values that can be changed: all but the names of its cases.
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

  /// The place without the numbers of elements, so that values of one type come together.
  static func key(of place: JSON.Pointer, in action: JSON) -> String {
    JSON.Location(place, in: action).anyElement.description
  }

  /// Another value.
  ///
  /// - Parameters:
  ///   - value: The value that it takes the place of.
  ///   - seen: Values that logs have at this place.
  ///   - texts: Texts that the logs, or the state of now, have.
  ///   - random: Draws.
  /// - Returns: The value.
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
