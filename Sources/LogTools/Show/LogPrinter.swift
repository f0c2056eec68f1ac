import ActionLog
import ReplayEngine

/// Prints the events and changes of a log while it tracks the state.
///
/// The text of an action is collected first, because its end determines whether it is printed.
package struct LogPrinter {
  /// The selection of printed events.
  package struct Selection {
    /// The range of printed actions.
    var range = 0...Int.max
    /// The path to which the output is limited.
    var place: ValuePath?
    /// Further criteria for actions.
    var criteria: StepFilter.Criteria?
    /// The maximum number of actions, counted from the end.
    var last: Int?

    init(
      range: ClosedRange<Int> = 0...Int.max,
      place: ValuePath? = nil,
      criteria: StepFilter.Criteria? = nil,
      last: Int? = nil
    ) {
      (self.range, self.place, self.criteria, self.last) = (range, place, criteria, last)
    }

    /// Selects the entire log.
    package init() {}
  }

  /// An action with the events after it, or another event with a position in the order of actions.
  private enum PrintedItem: Equatable {
    /// The start of a log, which is always printed.
    case header
    case action
    /// A withheld action.
    ///
    /// The next event shows whether it was recorded after all.
    case withheld(seq: Int)
    case other
  }

  private let writer: any TimelineWriter
  private let range: ClosedRange<Int>
  private let watch: PathWatch?
  private var filter: StepFilter?
  private let last: Int?
  private var cursor = LogCursor()
  private var effects = KnownEffects()
  private var step = PrintedItem.header
  /// The text of the current step.
  private var current: [UInt8] = []
  /// The texts of steps, of which the last ones will be printed.
  private var recent: [(isAction: Bool, text: [UInt8])] = []
  private var recentActions = 0
  private var hasPrinted = false
  /// The number of logs read so far.
  private(set) var logs = 0
  /// Whether the range contains actions, or includes the initial state.
  private(set) var hasActions = false
  /// Whether an action was printed or will be printed.
  private(set) var hasShownActions = false
  /// Whether a printed state has a value at the path; `nil` before the first printed state.
  private var isFound: Bool?
  /// Whether the next printed state must be examined, regardless of the change.
  private var isLookDue = true
  /// The text that has not been printed yet.
  package private(set) var output: [UInt8] = []

  package init(_ writer: any TimelineWriter, _ selection: Selection = Selection()) {
    self.writer = writer
    range = selection.range
    watch = selection.place.map { PathWatch($0) }
    filter = selection.criteria.map { StepFilter($0) }
    last = selection.last
    output += writer.opening.utf8
  }

  /// Finishes the text.
  mutating func close() {
    finishStep()
    printRecent()
    output += writer.closing.utf8
  }

  /// Clears the text after it was printed.
  package mutating func clear() {
    // Releases the memory of a large value.
    output.removeAll(keepingCapacity: output.capacity < 1 << 20)
  }

  /// Appends all available text.
  ///
  /// Further events of the last action start on new lines.
  package mutating func flush() {
    writer.finishStep(to: &current)
    printRecent()
    guard isShown, !current.isEmpty else { return }
    printCurrent()
  }

  /// Prints the next event; returns `false` if it belongs to an action after the range.
  ///
  /// - Throws: `LogCursor.BrokenPatch` for a patch that does not fit. The event is then not printed.
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

  /// The number of the last action so far.
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

  /// Returns the values at the path before an event that may change them.
  private mutating func watchedValues(
    before event: LogEvent
  ) -> [PathWatch.WatchedValue]? {
    guard let watch else { return nil }
    writer.observe(event, effects: effects)
    if isLookDue, cursor.state != nil {
      isLookDue = false
      isFound = isFound == true || !watch.items(in: cursor.state).isEmpty
    }
    return watch.isTouched(by: event) ? watch.items(in: cursor.state) : nil
  }

  /// Writes the changes of an event at the path.
  private mutating func writeChange(
    by event: LogEvent,
    from before: [PathWatch.WatchedValue]
  ) {
    guard let watch, cursor.state != nil else { return }
    let after = watch.items(in: cursor.state)
    isLookDue = false
    isFound = isFound == true || !before.isEmpty || !after.isEmpty
    let changes = watch.changes(from: before, to: after, in: cursor.state)
    guard !changes.isEmpty else { return }
    writer.write(event, seq: seq ?? 0, changes, to: &current)
  }

  /// The resolved part of the path in the last state, if no printed state has a value at the path.
  var missing: UnresolvedPath? {
    guard isFound == false, let watch, let state = cursor.state else { return nil }
    return UnresolvedPath(watch.place, in: state)
  }

  /// Returns the resolved part of a path in the last state; `nil` if the path leads to a value.
  func unresolved(_ place: ValuePath) -> UnresolvedPath? {
    cursor.state.flatMap { UnresolvedPath(place, in: $0) }
  }

  /// The paths of the last state.
  var lastPlaces: LogPaths? { cursor.state.map { LogPaths(states: [$0]) } }

  /// The case paths of the log that were most likely meant by unknown actions.
  var meantActions: [(typed: String, meant: String)] { filter?.meantActions ?? [] }

  /// The effects of the log that were most likely meant by unknown names.
  var meantEffects: [(typed: String, meant: String)] { filter?.meantEffects(effects) ?? [] }

  /// The ids in the last state that match the shortened id in the path, if there are several.
  var ambiguousIDs: [String]? {
    guard let watch, let state = cursor.state,
      case .ambiguous(_, let ids) = watch.place.resolve(in: state)
    else { return nil }
    return ids
  }
}
