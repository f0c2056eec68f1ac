import ActionLog
import ReplayCommandLine
import ReplayCommands
import ReplayEngine
import Testing

extension RecordRequest.Step {
  /// The steps of a file of actions called `f`.
  package static func all(in text: String) throws(CommandError) -> [Self] {
    var reader = ActionScript.Reader(LineReader(Array(text.utf8), longest: .max), name: "f")
    var steps: [Self] = []
    do {
      while let step = try reader.next() { steps.append(step) }
    } catch let error as CommandError {
      throw error
    } catch {
      Issue.record(error)
    }
    return steps
  }
}
