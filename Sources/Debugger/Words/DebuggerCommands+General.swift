import ActionLog
import ReplayCommands
import ReplayEngine

/// Words about the debugger itself.
extension DebuggerCommands {
  static let general: [DebuggerCommand] = [
    helpWord,
    DebuggerCommand(
      name: "source",
      arguments: "FILE",
      summary: "execute the lines of a file",
      discussion: "Stops at the first line that fails.",
      completions: [.files(after: ["source"])]
    ) { shell, call in
      try shell.enqueue(linesOf: shell.path(try call.required()))
      return DebugAnswer()
    },
    quitWord,
  ]

  static let helpWord =
    DebuggerCommand(
      name: "help",
      abbreviations: ["h", "?"],
      arguments: "[WORD]",
      summary: "list the words, or explain one",
      completions: [.debugWords]
    ) { shell, call in
      if call.text.isEmpty { return help(shell) }
      return help(shell, on: try shell.words.word(call.text))
    }

  static let quitWord =
    DebuggerCommand(name: "quit", abbreviations: ["q", "exit"], summary: "end the session") {
      _,
      call in
      try call.none()
      var answer = DebugAnswer()
      answer.endsSession = true
      return answer
    }

  @MainActor private static func help(_ shell: DebugShell) -> DebugAnswer {
    let sections = shell.words.sections
    return shell.answer {
      let width = shell.words.words.map { label($0).count }.max() ?? 0
      var lines: [String] = []
      for section in sections {
        if !lines.isEmpty { lines.append("") }
        lines.append("\(section.title):")
        for word in section.words {
          let gap = String(repeating: " ", count: width - label(word).count)
          lines.append("  \(label(word))\(gap)  \(word.summary)")
        }
      }
      return lines + ["", Wording.helpNotes]
    } json: {
      ["words": .array(sections.flatMap(\.words).map { .object(json($0)) })]
    }
  }

  @MainActor private static func help(_ shell: DebugShell, on word: DebuggerCommand) -> DebugAnswer
  {
    shell.answer {
      let names = ([word.name] + word.abbreviations).joined(separator: ", ")
      let usage = word.arguments.isEmpty ? names : "\(names)  \(word.arguments)"
      let discussion = word.discussion.split(separator: "\n", omittingEmptySubsequences: false)
      guard !word.discussion.isEmpty else { return [usage, word.summary] }
      return [usage, word.summary, ""] + discussion.map(String.init)
    } json: {
      ["words": [.object(json(word))]]
    }
  }

  private static func label(_ word: DebuggerCommand) -> String {
    ([word.name] + word.abbreviations).joined(separator: ", ")
  }

  private static func json(_ word: DebuggerCommand) -> JSON.Object {
    [
      "name": .string(word.name),
      "abbreviations": .array(word.abbreviations.map { .string($0) }),
      "arguments": .string(word.arguments), "summary": .string(word.summary),
    ]
  }
}

extension Wording {
  static let helpNotes =
    "'help WORD' explains a word. The beginning of a word is enough. On a terminal, an empty line repeats the last step."
}
