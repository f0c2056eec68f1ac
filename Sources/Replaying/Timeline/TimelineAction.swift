import ActionLog
import ReplayEngine

/// An action that a timeline displays in a list.
///
/// ```swift
/// for action in timeline.actions(near: timeline.position) { print(action.seq, action.text) }  // 12 .saveButtonTapped
/// ```
public struct TimelineAction: Sendable, Hashable, Identifiable {
  /// The number of the action in the log, which is also its position.
  public let seq: Int
  /// The action in Swift notation.
  public let text: String
  /// The time of the action in seconds since the start of the recording, or `nil` for the start itself.
  public let seconds: Double?
  /// The number of the action that caused this one, or `nil` for an action from outside.
  public let cause: Int?
  /// The texts of the notes that follow the action.
  public let notes: [String]
  /// Whether the recorder or a replay has a finding about the action.
  public let hasFindings: Bool

  /// The number of the action, which identifies it in a list.
  public var id: Int { seq }

  init(_ seq: Int, _ events: [LogEvent], _ notation: Notation) {
    self.seq = seq
    var text = Wording.startOfLog
    var (seconds, cause): (Double?, Int?) = (nil, nil)
    for event in events {
      if let beginning = event.beginning, seconds == nil {
        seconds = Double(beginning.at) / 1_000_000
        cause = beginning.origin?.cause
        text = Wording.unnamedAction
      }
      if case .action(let action) = event { text = notation.action(action.action) }
    }
    (self.text, self.seconds, self.cause) = (text, seconds, cause)
    notes = events.compactMap { if case .note(let note) = $0 { note.text } else { nil } }
    hasFindings = events.contains { if case .finding = $0 { true } else { false } }
  }
}

extension StoreTimeline {
  /// Returns the actions around a position, in order.
  ///
  /// ```swift
  /// timeline.actions(near: 12, count: 20).map(\.seq)  // 2, 3, ... 21
  /// ```
  ///
  /// - Parameters:
  ///   - position: The number of the action around which to list actions.
  ///   - count: The maximum number of actions. Fewer actions are returned near the start or end of the timeline.
  /// - Returns: The actions, or an empty array if the log can't be read.
  public func actions(near position: Int, count: Int = 100) -> [TimelineAction] {
    registrar.access(self, keyPath: \.position)
    guard count > 0 else { return [] }
    do {
      try prepareHistory()
      var found: [(seq: Int, events: [LogEvent])] = []
      let first = try branches.seq(near: position)
      var seq: Int? = first
      while let current = seq, found.count < (count + 1) / 2 {
        if let events = try branches.events(at: current) { found.insert((current, events), at: 0) }
        seq = try branches.seq(before: current)
      }
      seq = try branches.seq(after: first)
      while let current = seq, found.count < count {
        if let events = try branches.events(at: current) { found.append((current, events)) }
        seq = try branches.seq(after: current)
      }
      let notation = Notation()
      return found.map { TimelineAction($0.seq, $0.events, notation) }
    } catch { return [] }
  }
}
