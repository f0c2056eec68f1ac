import ActionLog
import ReplayEngine

/// The data about a log that its alignment needs.
///
/// The outline takes a few machine words for each step, independent of the size of the events.
struct AlignmentOutline {
  struct OutlinedStep {
    /// The action's number, or the number of the last action before the step if the step is not an action.
    let seq: Int
    /// The number of the step's name in `AlignmentNameNumbers`.
    ///
    /// The name is an action's case path, or the kind of another event.
    let path: Int32
    /// The number that `AlignmentNameNumbers` assigns to the step's sender, such as the view or an effect.
    let sender: Int32
    /// The index of the step that caused this step, or `nil` if the log doesn't contain a cause.
    let cause: Int?
    /// A hash of the step's payload, without ids and dates.
    let payload: UInt64
    /// The range in `ids` that holds the ids and dates of the step's payload.
    let ids: Range<Int>
    /// The range in `AlignmentOutline.reads` that holds the values that the step read.
    let reads: Range<Int>
    /// The number of effects that the step started.
    let effects: Int
    /// A hash of the state change that the step made, without ids and dates.
    let change: UInt64
    /// A hash of the names and payloads of all steps that this step caused, without ids and dates.
    fileprivate(set) var consequences: UInt64 = 0
    let isAction: Bool
    let isEffectEvent: Bool
  }

  /// A value that an action read, split into a hash of its text and the range of its ids and dates.
  struct OutlinedRead: Hashable {
    let key: Int32
    let rest: UInt64
    let ids: Range<Int>
  }

  private(set) var steps: [OutlinedStep] = []
  private(set) var reads: [OutlinedRead] = []
  /// The ids and dates in payloads and reads, in the order of the steps.
  private(set) var ids: [RunSpecificValue] = []
  /// All ids and dates in the log, including those in states and effects.
  private(set) var known: Set<RunSpecificValue> = []
  private(set) var actionCount = 0
  /// The number of the last action, or 0 if the log has no actions.
  private(set) var last = 0
  private(set) var feature = ""
  private(set) var masks: LogMasks?
  private(set) var end: LogEvent.End?
  private(set) var unknown = 0
  /// The indexes of actions in `steps`, keyed by action number.
  private(set) var indexes: [Int: Int] = [:]

  /// Reads all events of a log and creates its outline.
  ///
  /// - Parameters:
  ///   - events: A closure that returns the next event of the log.
  ///   - names: The numbers for names. Pass the same value for both logs.
  /// - Throws: The errors that `events` throws, such as `LogReadError`.
  init(_ events: @escaping LogComparison.Events, _ names: inout AlignmentNameNumbers) throws {
    var source = LoggedSteps(events)
    var effects: [EffectID: Int32] = [:]
    while let item = try source.next() {
      switch item {
      case .checkpoint(let checkpoint):
        registerIDs(checkpoint.logged)
        names.registerNames(checkpoint.effects, in: &effects)
      case .step(let step):
        let change = step.change.map { hashChange($0, &names, &effects) }
        add(step, change ?? 0, effects, &names)
      }
    }
    if let header = source.header { (feature, masks) = (header.feature, header.masked) }
    (end, unknown) = (source.end, source.unknown)
  }

  /// Registers the ids and dates of a change and of the effects that started with it.
  ///
  /// - Returns: A hash of the change, without ids and dates.
  private mutating func hashChange(
    _ change: LogEvent.StateChange,
    _ names: inout AlignmentNameNumbers,
    _ effects: inout [EffectID: Int32]
  ) -> UInt64 {
    var bytes: [UInt8] = []
    change.logged.append(to: &bytes)
    let text = bytes.withUnsafeBufferPointer { ExtractedIDs($0) }
    known.formUnion(text.ids)
    guard !change.effects.isEmpty else { return text.rest }
    names.registerNames(change.effects, in: &effects)
    for effect in change.effects.flatMap(\.flattened) {
      if let action = effect.loggedAction { registerIDs(action) }
      if let input = effect.loggedInput { registerIDs(input) }
      if let id = effect.cancelID { registerIDs(JSONText(id.value)) }
      if let name = effect.name { known.formUnion(ExtractedIDs(name).ids) }
    }
    return text.rest
  }

  private mutating func registerIDs(_ text: JSONText) {
    text.withBytes { known.formUnion(ExtractedIDs($0).ids) }
  }

  private mutating func add(
    _ step: LoggedSteps.LoggedStep,
    _ change: UInt64,
    _ effects: [EffectID: Int32],
    _ names: inout AlignmentNameNumbers
  ) {
    let start = ids.count
    var payload: UInt64 = 0
    switch step.event {
    case .action(let action): payload = split(action.logged)
    case .external(let external): payload = split(JSONText(external.logged.patch.json))
    case .effect(let effect):
      switch effect.event {
      case .started: payload = 1
      case .finished(let sent): payload = UInt64(truncatingIfNeeded: sent) &* 8 &+ 2
      case .cancelled(let canceller, _): payload = names.kind(of: canceller)
      case .failed(let error): payload = split(JSONText(error))
      }
    default: break
    }
    let end = ids.count
    let firstRead = reads.count
    for read in step.reads {
      let start = ids.count
      let rest = split(read.logged)
      reads.append(OutlinedRead(key: names.number(read.key), rest: rest, ids: start..<ids.count))
    }
    let (sender, cause) = origin(of: step.event, effects, &names)
    if case .action(let action) = step.event { indexes[action.seq] = steps.count }
    if case .excluded(let excluded) = step.event { indexes[excluded.seq] = steps.count }
    let path = names.path(of: step.event)
    if let cause {
      var hash = StableHash(steps[cause].consequences)
      hash.combine(UInt64(truncatingIfNeeded: path))
      hash.combine(payload)
      steps[cause].consequences = hash.value
    }
    let isAction = step.event.isAction || step.event.kind == "excluded"
    if isAction {
      actionCount += 1
      last = step.seq ?? last
    }
    steps.append(
      OutlinedStep(
        seq: isAction ? step.seq ?? last : last,
        path: path,
        sender: sender,
        cause: cause,
        payload: payload,
        ids: start..<end,
        reads: firstRead..<reads.count,
        effects: step.change?.effects.reduce(0) { $0 + $1.flattened.count } ?? 0,
        change: change,
        isAction: isAction,
        isEffectEvent: step.event.kind == "effect"
      )
    )
  }

  /// Appends the ids and dates of a value to `ids`.
  ///
  /// - Returns: A hash of the value, without its ids and dates.
  private mutating func split(_ text: JSONText) -> UInt64 {
    let text = text.withBytes { ExtractedIDs($0) }
    ids += text.ids
    known.formUnion(text.ids)
    return text.rest
  }

  private func origin(
    of event: LogEvent,
    _ effects: [EffectID: Int32],
    _ names: inout AlignmentNameNumbers
  ) -> (sender: Int32, cause: Int?) {
    if case .effect(let effect) = event {
      return (effects[effect.id] ?? AlignmentNameNumbers.unknownEffect, indexes[effect.id.seq])
    }
    switch event.beginning?.origin {
    case .effect(let id, _):
      return (effects[id] ?? AlignmentNameNumbers.unknownEffect, indexes[id.seq])
    case .reentrant(let seq): return (AlignmentNameNumbers.reentrant, indexes[seq])
    case .parent: return (AlignmentNameNumbers.parent, nil)
    case .view: return (AlignmentNameNumbers.view, nil)
    case nil: return (AlignmentNameNumbers.outside, nil)
    }
  }
}

/// Assigns numbers to the names that occur in two aligned logs.
///
/// Names that differ only in ids, dates, or masked strings get the same number.
struct AlignmentNameNumbers {
  private var numbers: [UInt64: Int32] = [:]
  private let notation = Notation()

  static let (view, parent, reentrant, outside, unknownEffect):
    (Int32, Int32, Int32, Int32, Int32) =
      (-1, -2, -3, -4, -5)

  /// Returns the number for a name, and assigns a new number to an unknown name.
  mutating func number(_ name: String) -> Int32 { number(ExtractedIDs(name)) }

  private mutating func number(_ name: ExtractedIDs) -> Int32 {
    if let known = numbers[name.rest] { return known }
    let number = Int32(truncatingIfNeeded: numbers.count)
    numbers[name.rest] = number
    return number
  }

  /// Returns the number for the name of an event.
  ///
  /// An action is named by its case path, an effect event by `effect` and its type, and any other event by its kind.
  mutating func path(of event: LogEvent) -> Int32 {
    switch event {
    case .action(let action):
      var path: [UInt8] = []
      notation.append(casePath: action.logged, to: &path)
      return number(path.withUnsafeBufferPointer { ExtractedIDs($0) })
    case .effect(let effect): return number("effect \(effect.event.name)")
    default: return number("event \(event.kind)")
    }
  }

  /// Adds the number for the name of each described effect to `effects`, keyed by effect id.
  ///
  /// If an effect has no name, its operation serves as the name.
  mutating func registerNames(_ described: [EffectDescription], in effects: inout [EffectID: Int32])
  {
    for effect in described.flatMap(\.flattened) {
      guard let id = effect.id else { continue }
      effects[id] = number("effect \(effect.name ?? effect.operation.rawValue)")
    }
  }

  /// Returns a number that identifies the kind of canceller, to be hashed as an effect event's payload.
  func kind(of canceller: LogEvent.Effect.Canceller) -> UInt64 {
    switch canceller {
    case .action: 3
    case .effect: 4
    case .task: 5
    case .store: 6
    }
  }
}

extension LogEvent.Effect.Event {
  /// The name that a log uses for the effect event.
  var name: String {
    switch self {
    case .started: "started"
    case .finished: "finished"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}
