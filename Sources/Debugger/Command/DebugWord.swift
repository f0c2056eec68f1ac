import ActionLog
import ReplayCommands
import ReplayEngine

/// A word that the debugger understands: the one table for its interpreter, help and completion.
///
/// ```swift
/// DebugWord(
///   name: "reverse-step", abbreviations: ["rs"], arguments: "[N]", summary: "go back to the step before"
/// ) { shell, call in
///   shell.answer(to: try shell.session.reverseStep(try call.count()))
/// }
/// ```
package struct DebugWord: Sendable {
  /// The action of a word.
  package typealias Run = @MainActor @Sendable (DebugShell, Call) async throws -> DebugAnswer

  /// A kind of candidates for completion in the arguments of a word.
  package enum Completion: Sendable {
    /// Actions that the log has, as patterns.
    case actions
    /// Places of the state.
    case places
    /// Names of effects, and keys of reads.
    case effects
    /// Names of bookmarks.
    case bookmarks
    /// Files, after one of these words.
    case files(after: [String])
    /// These words.
    case words([String])
    /// The words of the debugger.
    case debugWords
  }

  package let name: String
  package let abbreviations: [String]
  /// The arguments, as help shows them.
  package let arguments: String
  /// A summary in one line.
  package let summary: String
  /// More help.
  package let discussion: String
  package let completions: [Completion]
  /// Whether an empty line does it once more.
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

  /// A word with the text after it.
  package struct Call: Sendable {
    package let word: DebugWord
    /// The arguments as they were typed, without blanks around them.
    package let text: String

    /// The arguments, cut at blanks.
    package var words: [String] { text.split(separator: " ").map(String.init) }

    /// An error about the arguments.
    package var badArguments: DebugError { .badArguments(text, word: word.name, word.arguments) }

    /// The arguments without a word that they begin with; `nil` when they begin with another.
    package func after(_ word: String) -> String? {
      guard text.hasPrefix(word) else { return nil }
      let rest = text.dropFirst(word.count)
      return rest.isEmpty || rest.first == " " ? String(rest.drop { $0 == " " }) : nil
    }

    /// The only argument as a number of times; 1 without one.
    ///
    /// - Throws: `DebugError.badArguments`.
    package func count() throws(DebugError) -> Int {
      if text.isEmpty { return 1 }
      guard let count = Int(text), count > 0 else { throw badArguments }
      return count
    }

    /// Checks that there are no arguments.
    ///
    /// - Throws: `DebugError.badArguments`.
    package func none() throws(DebugError) { guard text.isEmpty else { throw badArguments } }

    /// The arguments as one text.
    ///
    /// - Throws: `DebugError.badArguments` when there is none.
    package func required() throws(DebugError) -> String {
      guard !text.isEmpty else { throw badArguments }
      return text
    }

    /// The arguments as a place in the state.
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

/// The words that a debugger knows.
///
/// Other parts of the debugger add theirs to `all`.
package struct DebugWords: Sendable {
  /// All words, in the order of the help.
  package static let all = DebugWords(
    sections: [
      ("steps", steps), ("breakpoints", breakpointWords), ("looking around", queries),
      ("changing history", changes), ("leaving the log", leaving), ("the debugger", general),
    ]
  )

  /// The words under the headings of the help.
  package let sections: [(title: String, words: [DebugWord])]

  package init(sections: [(title: String, words: [DebugWord])]) { self.sections = sections }

  /// All words.
  package var words: [DebugWord] { sections.flatMap(\.words) }

  /// The word that a text names: by its name, an abbreviation, or the beginning of one name.
  ///
  /// - Throws: `DebugError.unknownWord`, `DebugError.ambiguousWord`.
  package func word(_ text: String) throws(DebugError) -> DebugWord {
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

/// The answer of a word, as lines or as JSON.
package struct DebugAnswer: Sendable {
  /// The lines for people.
  package var lines: [String] = []
  /// The members of the object for programs.
  package var json = JSON.Object()
  /// Whether the session ends with it.
  package var endsSession = false
  /// After a walk: the lines that the breakpoints have where it stopped.
  package var commands: [String]?

  package init() {}
}
