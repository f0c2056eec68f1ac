import ActionLog
import ReplayEngine

/// Prints the events of a log and their changes, and follows the state to do so.
///
/// What is printed is put together action by action: only at the end of one is it known whether it is to be shown.
package struct LogPrinter {
  /// What is printed of a log.
  package struct Selection {
    /// The actions.
    var range = 0...Int.max
    /// The place to which the writing is limited.
    var place: ValuePath?
    /// What else is asked of an action.
    var criteria: StepFilter.Criteria?
    /// How many actions at the end are printed at most.
    var last: Int?

    init(
      range: ClosedRange<Int> = 0...Int.max,
      place: ValuePath? = nil,
      criteria: StepFilter.Criteria? = nil,
      last: Int? = nil
    ) {
      (self.range, self.place, self.criteria, self.last) = (range, place, criteria, last)
    }

    /// All of a log.
    package init() {}
  }

  /// An action with what follows it, or something else that has a place in the order of the actions.
  private enum PrintedItem: Equatable {
    /// The start of a log, which is printed always.
    case header
    case action
    /// An action that was withheld, until the next event shows whether it came after all.
    case withheld(seq: Int)
    case other
  }

  private let writer: any TimelineWriter
  private let range: ClosedRange<Int>
  private let watch: PlaceWatch?
  private var filter: StepFilter?
  private let last: Int?
  private var cursor = LogCursor()
  private var effects = KnownEffects()
  private var step = PrintedItem.header
  /// What was written of the current step.
  private var current: [UInt8] = []
  /// The steps of which the last ones will be printed.
  private var recent: [(isAction: Bool, text: [UInt8])] = []
  private var recentActions = 0
  private var hasPrinted = false
  /// The number of logs so far.
  private(set) var logs = 0
  /// Whether the range has actions, or includes the initial state.
  private(set) var hasActions = false
  /// Whether an action was printed, or will be.
  private(set) var hasShownActions = false
  /// Whether a state that was shown has something at the path; `nil` before any state was shown.
  private var isFound: Bool?
  /// Whether the next state that is shown is to be examined, whatever leads to it.
  private var isLookDue = true
  /// The text to print.
  package private(set) var output: [UInt8] = []

  package init(_ writer: any TimelineWriter, _ selection: Selection = Selection()) {
    self.writer = writer
    range = selection.range
    watch = selection.place.map { PlaceWatch($0) }
    filter = selection.criteria.map { StepFilter($0) }
    last = selection.last
    output += writer.opening.utf8
  }

  /// Ends the text.
  mutating func close() {
    finishStep()
    printRecent()
    output += writer.closing.utf8
  }

  /// Empties the text once it was printed.
  package mutating func clear() {
    // The memory of a long value is given back.
    output.removeAll(keepingCapacity: output.capacity < 1 << 20)
  }

  /// Puts everything that is known by now into the text; what still comes of the last action goes on lines of its own.
  package mutating func flush() {
    writer.finishStep(to: &current)
    printRecent()
    guard isShown, !current.isEmpty else { return }
    printCurrent()
  }

  /// Takes the next event; `false` when it belongs to an action after the range.
  ///
  /// - Throws: `LogCursor.BrokenPatch` for a patch that does not fit; then nothing of the event is printed.
  @discardableResult
  package mutating func printEvent(_ event: LogEvent) throws -> Bool {
    startItem(event)
    try cursor.move(to: event)
    effects.register(event)
    switch event {
    case .header, .gap: isLookDue = true
    default: break
    }
    let isInRange = seq.map { range.contains($0) } ?? true
    if isInRange, seq != nil { hasActions = true }
    let isWritten = isInRange && (filter?.isRuledOut != true || step == .header)
    let end = current.count
    do {
      if isWritten, watch == nil {
        writer.write(event, before: cursor.state, effects: effects, to: &current)
      }
      let before = isWritten ? watchedValues(before: event) : nil
      try filter?.apply(event, &cursor, effects)
      try cursor.apply()
      if let before { writeChange(by: event, from: before) }
    } catch {
      current.removeSubrange(end...)
      throw error
    }
    if case .effect(let turn) = event { effects.finish(turn) }
    return seq.map { $0 <= range.upperBound } ?? true
  }

  /// The last action that was met.
  package var seq: Int? { cursor.seq }

  // MARK: - Steps

  private mutating func startItem(_ event: LogEvent) {
    let next: PrintedItem
    switch event {
    case .header:
      next = .header
      logs += 1
    case .action(let action):
      if step == .withheld(seq: action.seq) {
        step = .action
        filter?.startStep(event, effects)
        return
      }
      next = .action
    case .withheld(let action): next = .withheld(seq: action.seq)
    case .gap, .end: next = .other
    case .checkpoint where step == .header: next = .other
    default:
      guard let beginning = event.beginning else { return }
      next = beginning.origin == nil ? .other : .action
    }
    finishStep()
    if next == .header { printRecent() }
    step = next
    filter?.startStep(event, effects)
  }

  private var isShown: Bool { filter?.isMet ?? true || step == .header }

  private mutating func finishStep() {
    writer.finishStep(to: &current)
    defer { current.removeAll(keepingCapacity: current.capacity < 1 << 20) }
    guard isShown, !current.isEmpty else { return }
    guard let last, step != .header else { return printCurrent() }
    let isAction = step != .other
    hasShownActions = hasShownActions || isAction
    recent.append((isAction, current))
    if isAction { recentActions += 1 }
    while recentActions > last {
      if recent.removeFirst().isAction { recentActions -= 1 }
    }
  }

  private mutating func printCurrent() {
    if step != .header { hasShownActions = true }
    print(current)
    current.removeAll(keepingCapacity: true)
  }

  private mutating func printRecent() {
    for step in recent { print(step.text) }
    (recent, recentActions) = ([], 0)
  }

  private mutating func print(_ text: [UInt8]) {
    if hasPrinted { output.append(literal: writer.separator) }
    hasPrinted = true
    output += text
  }

  // MARK: - Places

  /// The values at the place before an event that may change them.
  private mutating func watchedValues(
    before event: LogEvent
  ) -> [PlaceWatch.WatchedValue]? {
    guard let watch else { return nil }
    writer.observe(event, effects: effects)
    if isLookDue, cursor.state != nil {
      isLookDue = false
      isFound = isFound == true || !watch.items(in: cursor.state).isEmpty
    }
    return watch.isTouched(by: event) ? watch.items(in: cursor.state) : nil
  }

  /// Writes what an event has changed at the place.
  private mutating func writeChange(
    by event: LogEvent,
    from before: [PlaceWatch.WatchedValue]
  ) {
    guard let watch, cursor.state != nil else { return }
    let after = watch.items(in: cursor.state)
    isLookDue = false
    isFound = isFound == true || !before.isEmpty || !after.isEmpty
    let changes = watch.changes(from: before, to: after, in: cursor.state)
    guard !changes.isEmpty else { return }
    writer.write(event, seq: seq ?? 0, changes, to: &current)
  }

  /// Where the path ends in the last state, when none of those that were shown has anything there.
  var missing: UnresolvedPath? {
    guard isFound == false, let watch, let state = cursor.state else { return nil }
    return UnresolvedPath(watch.place, in: state)
  }

  /// Where a place ends in the last state; `nil` when it leads to a value there.
  func unresolved(_ place: ValuePath) -> UnresolvedPath? {
    cursor.state.flatMap { UnresolvedPath(place, in: $0) }
  }

  /// The places of the last state.
  var lastPlaces: LogPlaces? { cursor.state.map { LogPlaces(states: [$0]) } }

  /// The paths of the log that were most likely meant by actions that it does not have.
  var meantActions: [(typed: String, meant: String)] { filter?.meantActions ?? [] }

  /// The effects of the log that were most likely meant by names that it does not have.
  var meantEffects: [(typed: String, meant: String)] { filter?.meantEffects(effects) ?? [] }

  /// The ids of which the path names the end, in the last state, when they are several.
  var ambiguousIDs: [String]? {
    guard let watch, let state = cursor.state,
      case .ambiguous(_, let ids) = watch.place.resolve(in: state)
    else { return nil }
    return ids
  }
}
