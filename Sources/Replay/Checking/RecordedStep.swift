import ActionLog

/// What a log has of one action.
struct RecordedStep {
  /// The line of the file on which the action stands.
  var line: Int?
  var reads: [LogEvent.Read] = []
  var effects: [EffectDescription] = []

  /// Looks for an action; what is not there stays empty.
  static func find(_ seq: Int, in log: LogSlice) throws(LogReadError) -> RecordedStep {
    var step = RecordedStep()
    let entries = try log.entries()
    // All up to the action has been read before, so an error can only lie behind it.
    while let entry = try? entries() {
      switch entry.event {
      case .checkpoint(let checkpoint) where checkpoint.seq == seq: step.line = entry.line
      case .action(let action) where action.seq == seq: step.line = entry.line
      case .action(let action) where action.seq > seq: return step
      case .read(let read) where read.seq == seq: step.reads.append(read)
      case .change(let change) where change.seq == seq:
        step.effects = change.effects
        return step
      default: break
      }
    }
    return step
  }
}
