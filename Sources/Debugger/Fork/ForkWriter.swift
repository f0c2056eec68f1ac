import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// Writes the log of a fork: the unchanged events before the edits, and the host's replay of the remaining events.
struct ForkWriter {
  /// The position of the first replayed event in the fork's file, or `nil` if the replay starts at the header.
  private(set) var start: LogReader.LineStart?
  /// The signal that ended the host, or `nil` if the host ended without one.
  var trap: String?
  /// The number of the last action in the fork.
  private(set) var last = 0
  private let file: AtomicFile
  private let plan: EditPlan
  private let hasPrefix: Bool
  private var hasCheckpoint = false
  private var buffer: [UInt8] = []
  private var current: LogEvent.Action?
  private var leftOut: [TimelineFork.OmittedAction] = []
  private var added: [TimelineFork.ForkOnlyAction] = []
  private var reads: [TimelineFork.AddedOrDroppedRead] = []
  private var standIns: [String: [JSON]] = [:]
  private var numbers: [Int: Int] = [:]
  private var sends: Set<EffectID> = []

  /// Creates the file, and writes the header and the unchanged events.
  ///
  /// - Throws: `LogReadError`, `StreamError`.
  init(
    _ log: LogSlice,
    _ start: ForkStart,
    to path: String,
    after seq: Int,
    _ plan: EditPlan
  ) throws {
    file = try AtomicFile(path)
    self.plan = plan
    hasPrefix = start.checkpoint != nil
    guard case .header(var header)? = try log.events()() else { throw LogReadError.empty }
    header.origin(log: header.id, after: seq)
    let line = LogEvent.header(header).line + [UInt8(ascii: "\n")]
    try file.write(line)
    guard let checkpoint = start.checkpoint else { return }
    self.start = LogReader.LineStart(
      line: checkpoint.line - log.firstLine + 1,
      offset: line.count + checkpoint.offset - start.headerEnd
    )
    let bytes = try FileHandle(readingLog: log.path, from: start.headerEnd)
    var left = start.end - start.headerEnd
    while left > 0, let chunk = try bytes.read(upToCount: min(left, 1 << 20)), !chunk.isEmpty {
      try file.write(chunk)
      left -= chunk.count
    }
  }

  /// Writes an event of the replay and updates the fork's differences.
  ///
  /// - Throws: `EditError.undecodable`, `StreamError`.
  mutating func append(_ event: LogEvent) throws {
    switch event {
    case .header: return
    case .checkpoint(let checkpoint):
      registerSends(checkpoint.effects)
      defer { hasCheckpoint = true }
      if hasPrefix, !hasCheckpoint { return }
    case .finding(let finding): return try recordOmission(finding)
    case .action(let action): return try write(.action(taken(action)))
    case .read(let read): standIns[read.key, default: []].append(read.value)
    case .change(let change): registerSends(change.effects)
    case .effect(var effect):
      effect.isSettled = false
      return try write(.effect(effect))
    default:
      guard let beginning = event.stateChange?.beginning else { break }
      current = nil
      if beginning.origin != nil { last = beginning.seq }
    }
    try write(event)
  }

  private mutating func registerSends(_ effects: [EffectDescription]) {
    for leaf in effects.flatMap(\.flattened) where leaf.operation == .send {
      if let id = leaf.id { sends.insert(id) }
    }
  }

  private mutating func write(_ event: LogEvent) throws {
    buffer += event.line
    buffer.append(UInt8(ascii: "\n"))
    guard buffer.count > 1 << 18 else { return }
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private mutating func taken(_ event: LogEvent.Action) -> LogEvent.Action {
    var action = event.unmarked
    (current, last, standIns) = (event, action.seq, [:])
    let isInserted = action.rest[EditedEvents.insertedMember] != nil
    action.rest[EditedEvents.insertedMember] = nil
    if let recorded = event.originalSeq {
      numbers[recorded] = action.seq
    } else {
      added.append(
        TimelineFork.ForkOnlyAction(
          seq: action.seq,
          action: action.action,
          origin: action.origin,
          isInserted: isInserted
        )
      )
    }
    return action
  }

  private mutating func recordOmission(_ finding: LogEvent.Finding) throws {
    switch finding.code {
    case .deadEffect:
      let id = EffectID(finding.subject)
      let reason = TimelineFork.OmissionReason(finding.actual?.string, id)
      leftOut.append(TimelineFork.OmittedAction(seq: finding.seq, reason: reason))
    case .brokenLog where EffectID(finding.subject) == nil && finding.subject.hasPrefix("/"):
      leftOut.append(
        TimelineFork.OmittedAction(seq: finding.seq, reason: .changeDoesNotFit(finding.subject))
      )
    case .unusedRead:
      reads.append(TimelineFork.AddedOrDroppedRead(seq: finding.seq, key: finding.subject))
    case .unrecordedRead:
      // The stand-in is the last one for this key that has not been reported.
      let value = standIns[finding.subject]?.popLast()
      reads.append(
        TimelineFork.AddedOrDroppedRead(
          seq: finding.seq,
          key: finding.subject,
          standIn: value ?? .null
        )
      )
    case .undecodable, .notReplayable:
      throw EditError.undecodable(
        seq: finding.seq,
        action: current?.action,
        edit: edit(of: current),
        finding.message ?? finding.subject
      )
    default: break
    }
  }

  /// Returns the edit that has produced an action or, if `action` is `nil`, the state.
  private func edit(of action: LogEvent.Action?) -> TimelineEdit? {
    guard let action else { return plan.edits.last { $0.setsState } }
    if let seq = action.originalSeq {
      return plan.editOfAction[seq] ?? plan.edits.last { $0.isOfRead && $0.seq == seq }
    }
    let edit = action.rest[EditedEvents.insertedMember]
    return plan.edits.first { $0.json == edit }
  }

  /// Completes the log.
  ///
  /// - Throws: `StreamError`.
  mutating func finish(_ fork: inout TimelineFork) throws {
    try file.write(buffer)
    try file.finish()
    fork.leftOut = leftOut
    fork.added = added
    fork.reads = reads
    fork.trap = trap
    fork.numbers = numbers
    fork.last.fork = max(last, fork.after)
  }
}

extension TimelineEdit {
  fileprivate var setsState: Bool {
    if case .set = self { true } else { false }
  }
}

extension TimelineFork.OmissionReason {
  /// Creates the reason that a replay's finding names.
  fileprivate init(_ name: String?, _ id: EffectID?) {
    guard let id else {
      self = .senderMissing
      return
    }
    switch name.flatMap(Wording.DeadEffectReason.init(rawValue:)) {
    case .noAction: self = .effectNeverStarts(id)
    case .notReturned: self = .effectNotReturned(id)
    case .cancelled: self = .effectCancelled(id)
    case .notStarted: self = .effectNotStarted(id)
    case .notSent: self = .notSent(id)
    case .notRunning, nil: self = .effectNotRunning(id)
    }
  }
}

extension LogEvent.Header {
  /// Sets the log from which this one was forked, and the last action that both have in common.
  fileprivate mutating func origin(log: String, after seq: Int) {
    // A fork of a fork left the recorded timeline at the earlier of the two actions.
    let known = rest["forkedFrom"].flatMap { $0["log"]?.string == log ? $0["seq"]?.int : nil }
    let first = min(seq, known ?? seq)
    rest["forkedFrom"] = ["log": .string(log), "seq": .number(JSON.Number(first))]
  }
}
