import ActionLog
import ReplayEngine

/// What a check of a log has found.
struct VerifiedLog {
  private let verifier: LogVerifier
  private let tornTail: LogReader.TornTail?

  init(_ verifier: LogVerifier, tornTail: LogReader.TornTail?) {
    self.verifier = verifier
    self.tornTail = tornTail
  }

  /// Whether nothing is wrong.
  var isSound: Bool { verifier.problemCount == 0 }

  /// The problems as compilers write theirs, `FILE:LINE: error: ...`, and a line for the whole.
  func text(_ name: String, file: String) -> String {
    var lines = verifier.problems.map { "\(file):\($0.line): error: \($0.text)" }
    let unlisted = verifier.problemCount - verifier.problems.count
    if unlisted > 0 { lines.append("\(file): note: \(Wording.unlisted(unlisted))") }
    if let tornTail {
      lines.append("\(file):\(tornTail.line): note: \(Wording.tornTail(tornTail))")
    }
    if verifier.unknown > 0 { lines.append("\(name): note: \(Wording.skipped(verifier.unknown))") }
    lines.append(
      isSound
        ? "\(name): "
          + Wording.sound(verifier.lines, verifier.actions, isClosed: verifier.isClosed)
        : "\(name): \(Wording.problems(verifier.problemCount))"
    )
    return lines.joined(separator: "\n") + "\n"
  }

  func json(_ name: String) -> JSON {
    var object: JSON.Object = [
      "log": .string(name), "sound": .bool(isSound),
      "lines": .number(JSON.Number(verifier.lines)),
      "actions": .number(JSON.Number(verifier.actions)), "closed": .bool(verifier.isClosed),
      "unknown": .number(JSON.Number(verifier.unknown)),
      "problems": .array(
        verifier.problems.map {
          ["line": .number(JSON.Number($0.line)), "message": .string($0.text)]
        }
      ),
    ]
    let unlisted = verifier.problemCount - verifier.problems.count
    if unlisted > 0 { object["unlisted"] = .number(JSON.Number(unlisted)) }
    object["tornBytes"] = tornTail.map { .number(JSON.Number($0.bytes)) }
    return .object(object)
  }
}
