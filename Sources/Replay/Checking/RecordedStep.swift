import ActionLog

/// What a log has of one action.
struct RecordedStep {
  /// The line of the file on which the action stands.
  var line: Int?
  var reads: [LogEvent.Read] = []
  var effects: [EffectDescription] = []

  /// Looks for actions; what is not there stays empty.
  static func find(_ seqs: [Int], in log: LogSlice) throws(LogReadError) -> [Int: RecordedStep] {
    var steps = Dictionary(seqs.map { ($0, RecordedStep()) }) { first, _ in first }
    let last = seqs.max() ?? 0
    let entries = try log.entries()
    // All up to the action has been read before, so an error can only lie behind it.
    while let entry = try? entries() {
      guard let seq = entry.event.seq, steps[seq] != nil else {
        if case .action(let action) = entry.event, action.seq > last { break }
        continue
      }
      switch entry.event {
      case .checkpoint, .action: steps[seq]?.line = entry.line
      case .read(let read): steps[seq]?.reads.append(read)
      case .change(let change):
        steps[seq]?.effects = change.effects
        if seq == last { return steps }
      default: break
      }
    }
    return steps
  }
}
