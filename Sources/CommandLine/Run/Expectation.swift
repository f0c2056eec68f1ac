import ActionLog
import Foundation
import ReplayEngine

/// The verdict that is expected of a log: a JSON object beside it, whose members must all be found.
struct Expectation: Sendable {
  let path: String
  let content: Content

  enum Content: Sendable, Equatable {
    case members(JSON.Object)
    /// There is no file, or it holds something else.
    case problem(String)
  }

  /// Reads `NAME.verdict.json` beside `NAME.jsonl`.
  init(for log: String) {
    path = (log.hasSuffix(".jsonl") ? String(log.dropLast(6)) : log) + ".verdict.json"
    guard let data = FileManager.default.contents(atPath: path) else {
      content = .problem(Wording.missingExpectation(path))
      return
    }
    do throws(JSON.ParseError) {
      let json = try JSON(parsing: data)
      if let object = json.object {
        content = .members(object)
      } else {
        content = .problem(Wording.badExpectation(path, "found \(json.kind)"))
      }
    } catch {
      content = .problem(Wording.badExpectation(path, error.description))
    }
  }

  /// What was expected and not found, in words; empty when all is as expected.
  func disappointments(_ found: JSON) -> [String] {
    switch content {
    case .problem(let problem): return [problem]
    case .members(let members):
      return members.compactMap { name, value in
        found[name] == value
          ? nil : Wording.unexpected(name, expected: value, found: found[name])
      }
    }
  }

  /// The action at which a trap is expected, when the verdict says that the log was merely cut there.
  func trap(cutAt verdict: Verdict) -> Int? {
    guard case .members(let members) = content, members["verdict"]?.string == "trapReproduced"
    else { return nil }
    return members["at"].map(\.int) ?? verdict.at
  }
}
