import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// Completes words of the debugger and their arguments: actions and effects of the log, places of the state.
@MainActor package final class DebugCompleter {
  private let shell: DebugShell

  package init(_ shell: DebugShell) { self.shell = shell }

  /// Elements of an array that are offered.
  private static let mostElements = 20

  /// What may come in the place of the end of a text.
  package func completions(of head: String) -> Completions {
    let head = String(head.drop { $0 == " " })
    guard let blank = head.firstIndex(of: " ") else {
      let names = shell.words.words.map(\.name).filter { $0.hasPrefix(head) }
      return Completions(replaced: head.count, candidates: names.sorted())
    }
    guard let word = try? shell.words.word(String(head[..<blank])) else {
      return Completions(replaced: 0, candidates: [])
    }
    let parts = head.split(separator: " ", omittingEmptySubsequences: false)
    let token = String(parts[parts.count - 1])
    let before = parts.count > 2 ? String(parts[parts.count - 2]) : ""
    var candidates: [String] = []
    var isPlace = false
    for completion in word.completions {
      switch completion {
      case .actions where before != "--effect" && token.hasPrefix("."):
        candidates += shell.survey?.actions ?? []
      case .effects where before == "--effect": candidates += shell.survey?.effects ?? []
      case .places where before != "if":
        let places = places(token)
        isPlace = !places.isEmpty
        candidates += places
      case .words(let words): candidates += words
      case .debugWords: candidates += shell.words.words.map(\.name)
      case .actions, .effects, .places: break
      }
    }
    let found = Set(candidates).filter { $0.hasPrefix(token) }.sorted()
    return Completions(replaced: token.count, candidates: found, suffix: isPlace ? "" : " ")
  }

  // MARK: - Places

  /// The places that begin as a text does.
  private func places(_ token: String) -> [String] {
    let end = token.lastIndex { $0 == "." || $0 == "[" }
    let stem = end.map { String(token[..<$0]) } ?? ""
    let step = shell.session.current
    guard var value = stem.isEmpty ? step.after : Self.value(at: stem, step) else { return [] }
    while let inner = value.wrapped { value = inner }
    switch value {
    case .object(let object):
      return object.keys.map { key in
        guard key.isSwiftIdentifier else { return "\(stem)[\(JSON.string(key))]" }
        return stem.isEmpty ? key : "\(stem).\(key)"
      }
    case .array(let elements):
      guard !stem.isEmpty, !elements.isEmpty else { return [] }
      return (0..<min(elements.count, Self.mostElements)).map { "\(stem)[\($0)]" } + ["\(stem)[*]"]
    case .null, .bool, .number, .string: return []
    }
  }

  private static func value(at text: String, _ step: LogStep) -> JSON? {
    switch try? StepExpression(parsing: text).value(in: step) {
    case .one(let value), .action(let value): value
    case .many(let items): items.first?.value
    case .truth, nil: nil
    }
  }
}
