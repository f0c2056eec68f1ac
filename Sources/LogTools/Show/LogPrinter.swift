import ActionLog
import ReplayEngine

/// Prints the events and changes of a log while it tracks the state.
///
/// The text of a step is collected until the next step starts, because later events can decide whether it is printed.
package struct LogPrinter {
  /// The criteria by which events are selected for printing.
  package struct Selection {
    /// The numbers of the actions to print.
    var range = 0...Int.max
    /// The path whose values and changes are printed, or `nil` to print complete events.
    var place: ValuePath?
    /// Additional criteria for actions, such as a sender or a condition.
    var criteria: StepFilter.Criteria?
    /// The number of actions to print from the end, or `nil` to print all actions.
    var last: Int?

    init(
      range: ClosedRange<Int> = 0...Int.max,
      place: ValuePath? = nil,
      criteria: StepFilter.Criteria? = nil,
      last: Int? = nil
    ) {
      (self.range, self.place, self.criteria, self.last) = (range, place, criteria, last)
    }

    /// Creates a selection that contains the entire log.
    package init() {}
  }

  /// A step: an action with the events after it, or another event that is ordered among the actions.
  private enum PrintedItem: Equatable {
    /// The header of a log, which is always printed.
    case header
    case action
    /// An action that was withheld because of masks.
    ///
    /// If the action with the same number follows, both are printed as one step.
    case withheld(seq: Int)
    case other
  }

  private let writer: any TimelineWriter
  private let range: ClosedRange<Int>
  private let watch: PathWatch?
  private var filter: StepFilter?
  private let last: Int?
  private var cursor = LogCursor()
  private var effects = LabeledEffects()
  private var step = PrintedItem.header
  /// The text of the current step, which has not been printed.
  private var current: [UInt8] = []
  /// The texts of the last steps, kept if only the last actions are printed.
  private var recent: [(isAction: Bool, text: [UInt8])] = []
  private var recentActions = 0
  private var hasPrinted = false
  /// The number of logs that have been read so far.
  private(set) var logs = 0
  /// Whether an event that was read belongs to the range.
  private(set) var hasActions = false
  /// Whether the output contains an action, or will contain one.
  private(set) var hasShownActions = false
  /// Whether a printed state has a value at the selected path, or `nil` if no state has been examined.
  private var isFound: Bool?
  /// Whether the next state must be examined even if its event does not touch the selected path.
  private var isLookDue = true
  /// UTF-8 text that is ready to be written.
  package private(set) var output: [UInt8] = []

  package init(_ writer: any TimelineWriter, _ selection: Selection = Selection()) {
    self.writer = writer
    range = selection.range
    watch = selection.place.map { PathWatch($0) }
    filter = selection.criteria.map { StepFilter($0) }
    last = selection.last
    output += writer.opening.utf8
  }

  /// Completes the last step and appends the closing text of the format.
  mutating func close() {
    finishStep()
    printRecent()
    output += writer.closing.utf8
  }

  /// Clears `output` after it was written.
  package mutating func clear() {
    // A buffer of 1 MiB or more is released, because a single large value made it grow.
    output.removeAll(keepingCapacity: output.capacity < 1 << 20)
  }

  /// Moves all available text to `output`, so that it can be written before the log ends.
  ///
  /// Later events of the current step start on new lines.
  package mutating func flush() {
    writer.finishStep(to: &current)
    printRecent()
    guard isShown, !current.isEmpty else { return }
    printCurrent()
  }

  /// Formats the next event, and returns whether the range can contain later events.
  ///
  /// - Throws: `LogCursor.BrokenPatch` if the event's patch does not fit the state. The event is then not printed.
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

  /// The number of the last action that was read, or `nil` before the first one.
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

  // MARK: - Changes at the selected path

  /// Returns the values at the selected path before an event, or `nil` if the event can't change them.
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

  /// Formats the changes that an event made at the selected path.
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

  /// The part of the selected path that resolves in the last state, or `nil` if a printed state has a value there.
  var missing: UnresolvedPath? {
    guard isFound == false, let watch, let state = cursor.state else { return nil }
    return UnresolvedPath(watch.place, in: state)
  }

  /// Returns the part of a path that resolves in the last state, or `nil` if the path leads to a value.
  func unresolved(_ place: ValuePath) -> UnresolvedPath? {
    cursor.state.flatMap { UnresolvedPath(place, in: $0) }
  }

  /// The paths in the last state, as candidates for a suggestion.
  var lastPlaces: StatePathSuggestions? { cursor.state.map { StatePathSuggestions(states: [$0]) } }

  /// For each requested action pattern, the most similar case path in the log; empty if an action matched.
  var meantActions: [(typed: String, meant: String)] { filter?.meantActions ?? [] }

  /// For each requested effect name, the most similar label in the log; empty if an effect matched.
  var meantEffects: [(typed: String, meant: String)] { filter?.meantEffects(effects) ?? [] }

  /// The ids in the last state that match an abbreviated id in the path, or `nil` if the path is not ambiguous.
  var ambiguousIDs: [String]? {
    guard let watch, let state = cursor.state,
      case .ambiguous(_, let ids) = watch.place.resolve(in: state)
    else { return nil }
    return ids
  }
}
