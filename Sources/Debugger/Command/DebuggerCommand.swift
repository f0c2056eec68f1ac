import ActionLog
import ReplayCommands
import ReplayEngine

/// A word of the debugger, with the data for the interpreter, the help, and the completion.
///
/// ```swift
/// DebuggerCommand(
///   name: "reverse-step", abbreviations: ["rs"], arguments: "[N]", summary: "go back to the step before"
/// ) { shell, call in
///   shell.answer(to: try shell.session.reverseStep(try call.count()))
/// }
/// ```
package struct DebuggerCommand: Sendable {
  /// A closure that runs a word and returns its output.
  package typealias Run = @MainActor @Sendable (DebugShell, Call) async throws -> DebugAnswer

  /// The kind of completions that a word accepts as arguments.
  package enum Completion: Sendable {
    /// Patterns of the log's actions.
    case actions
    /// Paths in the state.
    case places
    /// Names of effects and keys of reads.
    case effects
    /// Names of bookmarks.
    case bookmarks
    /// File paths after one of the given words.
    case files(after: [String])
    /// The given words.
    case words([String])
    /// The words of the debugger.
    case debugWords
  }

  package let name: String
  package let abbreviations: [String]
  /// The syntax of the arguments, as the help shows it.
  package let arguments: String
  /// A summary that fits on one line of the help.
  package let summary: String
  /// The detailed help text about the word.
  package let discussion: String
  package let completions: [Completion]
  /// Whether an empty line repeats the word.
  package let isRepeated: Bool
  package let run: Run

  package init(
    name: String,
    abbreviations: [String] = [],
    arguments: String = "",
    summary: String,
    discussion: String = "",
    completions: [Completion] = [],
    isRepeated: Bool = false,
    run: @escaping Run
  ) {
    self.name = name
    self.abbreviations = abbreviations
    self.arguments = arguments
    self.summary = summary
    self.discussion = discussion
    self.completions = completions
    self.isRepeated = isRepeated
    self.run = run
  }

  /// A word with its arguments.
  package struct Call: Sendable {
    package let word: DebuggerCommand
    /// The arguments as the user typed them, without spaces at either end.
    package let text: String

    /// The arguments, split at spaces.
    package var words: [String] { text.split(separator: " ").map(String.init) }

    /// The error to throw if the arguments are not valid.
    package var badArguments: DebugError { .badArguments(text, word: word.name, word.arguments) }

    /// Returns the arguments that follow a leading word, or `nil` if the arguments don't begin with this word.
    package func after(_ word: String) -> String? {
      guard text.hasPrefix(word) else { return nil }
      let rest = text.dropFirst(word.count)
      return rest.isEmpty || rest.first == " " ? String(rest.drop { $0 == " " }) : nil
    }

    /// Returns the argument as a count, or 1 if there is no argument.
    ///
    /// - Throws: `DebugError.badArguments`.
    package func count() throws(DebugError) -> Int {
      if text.isEmpty { return 1 }
      guard let count = Int(text), count > 0 else { throw badArguments }
      return count
    }

    /// Checks that the word has no arguments.
    ///
    /// - Throws: `DebugError.badArguments`.
    package func none() throws(DebugError) { guard text.isEmpty else { throw badArguments } }

    /// Returns the arguments as one string.
    ///
    /// - Throws: `DebugError.badArguments` if there are none.
    package func required() throws(DebugError) -> String {
      guard !text.isEmpty else { throw badArguments }
      return text
    }

    /// Returns the arguments as a path in the state.
    ///
    /// - Throws: `DebugError`.
    package func valuePath() throws(DebugError) -> ValuePath {
      let text = try required()
      do throws(NotationSyntaxError) { return try ValuePath(parsing: text) } catch {
        throw .badExpression("\(error)")
      }
    }
  }
}

/// The words that a debugger understands.
///
/// Each group of words extends this type and is listed in `all`.
package struct DebuggerCommands: Sendable {
  /// All words, in the order of the help.
  package static let all = DebuggerCommands(
    sections: [
      ("steps", steps), ("breakpoints", breakpointWords), ("looking around", queries),
      ("changing history", changes), ("leaving the log", leaving), ("the debugger", general),
    ]
  )

  /// The words, grouped into the sections of the help.
  package let sections: [(title: String, words: [DebuggerCommand])]

  package init(sections: [(title: String, words: [DebuggerCommand])]) { self.sections = sections }

  package var words: [DebuggerCommand] { sections.flatMap(\.words) }

  /// Returns the word for a name, an abbreviation, or an unambiguous prefix.
  ///
  /// - Throws: `DebugError.unknownWord`, `DebugError.ambiguousWord`.
  package func word(_ text: String) throws(DebugError) -> DebuggerCommand {
    let words = words
    if let word = words.first(where: { $0.name == text || $0.abbreviations.contains(text) }) {
      return word
    }
    let meant = words.filter { $0.name.hasPrefix(text) }
    if meant.count == 1 { return meant[0] }
    guard meant.isEmpty else { throw .ambiguousWord(text, meant: meant.map(\.name)) }
    throw .unknownWord(text, known: words.flatMap { [$0.name] + $0.abbreviations })
  }
}

/// The output of a word, as lines and as JSON.
package struct DebugAnswer: Sendable {
  /// The lines to print in the text format.
  package var lines: [String] = []
  /// The members of the object to print in the JSON format.
  package var json = JSON.Object()
  /// Whether the word ends the session.
  package var endsSession = false
  /// The commands of the breakpoints at the new step, or `nil` if the word doesn't move the session.
  package var commands: [String]?

  package init() {}
}
