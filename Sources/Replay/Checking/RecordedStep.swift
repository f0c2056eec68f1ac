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
    // What is found of one does not depend on the others, also in a log whose lines do not stand in their order.
    var open = Set(seqs)
    var order = open.sorted()[...]
    let entries = try log.entries()
    // All up to the action has been read before, so an error can only lie behind it.
    while !open.isEmpty, let entry = try? entries() {
      if case .action(let action) = entry.event {
        while let seq = order.first, seq < action.seq {
          open.remove(seq)
          order.removeFirst()
        }
      }
      guard let seq = entry.event.seq, open.contains(seq) else { continue }
      switch entry.event {
      case .checkpoint, .action: steps[seq]?.line = entry.line
      case .read(let read): steps[seq]?.reads.append(read)
      case .change(let change):
        steps[seq]?.effects = change.effects
        open.remove(seq)
      default: break
      }
    }
    return steps
  }
}
