import ActionLog
import ReplayCommands
import ReplayEngine

/// The reason why a typed edit can't be parsed.
package struct EditSyntaxError: StatusError, Hashable, CustomStringConvertible {
  /// The edit as typed: a word with its arguments.
  let text: String
  let problem: Problem

  enum Problem: Hashable {
    /// The text doesn't have the expected form.
    case expected(String)
    case notation(NotationSyntaxError)
    case unknownWord(String)
    /// No action in the log matches the case.
    ///
    /// - Parameter meant: The most similar path, if there is one.
    case noSuchAction(String, meant: String?)
    /// Several actions in the log match the case.
    case severalActions(String, [Int])
  }

  package var description: String { Wording.describe(self) }

  package var status: ExitStatus { .usage }
}

extension TimelineEdit {
  /// The words that begin an edit.
  package static let words = ["skip", "edit", "insert", "reorder", "answer", "set"]

  /// Parses an edit such as `skip 4` or `edit 12 .rename("x")`.
  ///
  /// - Parameters:
  ///   - text: A word with its arguments.
  ///   - current: The action that is edited if the text contains no number.
  ///   - named: A closure that finds the actions that match a case.
  /// - Throws: `EditSyntaxError`.
  package init(
    parsing text: String,
    at current: Int? = nil,
    named: ((ActionPattern) -> ActionMatches)? = nil
  ) throws(EditSyntaxError) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    try self.init(
      word: parts.first ?? "",
      parts.count > 1 ? parts[1] : "",
      at: current,
      named: named
    )
  }

  /// Parses the arguments of an edit.
  ///
  /// - Parameters:
  ///   - word: One of `words`.
  ///   - rest: The arguments. An `=` may separate the number from an action, as in `12=.rename("x")`.
  ///   - current: The action that is edited if the arguments contain no number.
  ///   - named: A closure that finds the actions that match a case, as in `skip .answered`. If there is a current
  ///     action, only `skip` and `reorder` accept a case instead of a number.
  /// - Throws: `EditSyntaxError`.
  package init(
    word: String,
    _ rest: String,
    at current: Int? = nil,
    named: ((ActionPattern) -> ActionMatches)? = nil
  ) throws(EditSyntaxError) {
    var parser = EditParser(word: word, rest, current: current, named: named)
    switch word {
    case "skip": self = try parser.skip()
    case "edit": self = try parser.edit()
    case "insert": self = try parser.insert()
    case "reorder": self = try parser.reorder()
    case "answer": self = try parser.answer()
    case "set": self = try parser.set()
    default: throw EditSyntaxError(text: word, problem: .unknownWord(word))
    }
  }
}

/// Parses the arguments of an edit.
private struct EditParser {
  private let word: String
  private let all: String
  private var rest: Substring
  private let current: Int?
  private let named: ((ActionPattern) -> ActionMatches)?

  init(
    word: String,
    _ text: String,
    current: Int?,
    named: ((ActionPattern) -> ActionMatches)?
  ) {
    self.word = word
    all = text
    rest = text[...]
    self.current = current
    self.named = named
    passSpaces()
  }

  private func failure(_ expected: String) -> EditSyntaxError {
    EditSyntaxError(text: rest.isEmpty ? "\(word) \(all)" : all, problem: .expected(expected))
  }

  private mutating func passSpaces() { rest = rest.drop(while: \.isWhitespace) }

  /// Parses a number and the separator after it, or a case that stands for a number.
  private mutating func seq(_ expected: String) throws(EditSyntaxError) -> Int {
    // After other words, a string with a dot is an action, or a path in the current action.
    let needsSeq = word == "skip" || word == "reorder" || current == nil
    if rest.first == ".", needsSeq, let named {
      return try seq(named, expected)
    }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    let next = rest.dropFirst(digits.count).first
    if let seq = Int(digits), next == nil || next == " " || next == "=" {
      rest = rest.dropFirst(digits.count)
      passSpaces()
      if rest.first == "=" { rest = rest.dropFirst() }
      passSpaces()
      return seq
    }
    guard digits.isEmpty, let current else { throw failure(expected) }
    return current
  }

  /// Parses a case, and returns the number of the only action that matches it.
  private mutating func seq(
    _ named: (ActionPattern) -> ActionMatches,
    _ expected: String
  ) throws(EditSyntaxError) -> Int {
    let text = rest[..<endIndex(ofCase: rest)]
    let pattern: ActionPattern
    do throws(NotationSyntaxError) { pattern = try ActionPattern(parsing: String(text)) } catch {
      throw EditSyntaxError(text: all, problem: .notation(error))
    }
    let found = named(pattern)
    guard let seq = found.seqs.first else {
      throw EditSyntaxError(
        text: all,
        problem: .noSuchAction(String(text), meant: found.meant)
      )
    }
    guard found.seqs.count == 1 else {
      throw EditSyntaxError(text: all, problem: .severalActions(String(text), found.seqs))
    }
    rest = rest[text.endIndex...]
    passSpaces()
    if rest.first == "=" { rest = rest.dropFirst() }
    passSpaces()
    return seq
  }

  /// Returns the end of a case with its values, which is the first space or `=` outside of brackets, parentheses, and
  /// quotes.
  private func endIndex(ofCase text: Substring) -> Substring.Index {
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for index in text.indices {
      switch text[index] {
      case _ where isEscaped: isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case _ where isQuoted: break
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case " " where depth <= 0, "=" where depth <= 0: return index
      default: break
      }
    }
    return text.endIndex
  }

  private mutating func complete(_ edit: TimelineEdit) throws(EditSyntaxError) -> TimelineEdit {
    guard rest.isEmpty else { throw failure(Wording.skipForm) }
    return edit
  }

  mutating func skip() throws(EditSyntaxError) -> TimelineEdit {
    try complete(.skip(seq: try seq(Wording.skipForm)))
  }

  mutating func edit() throws(EditSyntaxError) -> TimelineEdit {
    let seq = try seq(Wording.editForm)
    if rest.first == "." || rest.first == "{" { return .replace(seq: seq, by: try action()) }
    let (place, value) = try assignment(Wording.editForm)
    return .change(seq: seq, place, to: value)
  }

  mutating func insert() throws(EditSyntaxError) -> TimelineEdit {
    let seq = try seq(Wording.insertForm)
    guard rest.first == "." || rest.first == "{" else { throw failure(Wording.insertForm) }
    return .insert(try action(), after: seq)
  }

  mutating func reorder() throws(EditSyntaxError) -> TimelineEdit {
    let seq = try seq(Wording.reorderForm)
    let side = rest.prefix { $0 != " " }
    rest = rest.dropFirst(side.count)
    passSpaces()
    guard side == "before" || side == "after", let first = rest.first,
      first.isNumber || first == "."
    else { throw failure(Wording.reorderForm) }
    let neighbor = try self.seq(Wording.reorderForm)
    guard rest.isEmpty else { throw failure(Wording.reorderForm) }
    return .reorder(seq: seq, side == "before" ? .before(neighbor) : .after(neighbor))
  }

  mutating func answer() throws(EditSyntaxError) -> TimelineEdit {
    let name = rest.prefix { $0 != " " && $0 != "=" }
    if let id = EffectID(String(name)) {
      rest = rest.dropFirst(name.count)
      passSpaces()
      if rest.first == "=" { rest = rest.dropFirst() }
      passSpaces()
      return .answerEffect(id, try effectAnswer())
    }
    let seq = try seq(Wording.answerForm)
    guard let equals = rest.firstIndex(of: "=") else { throw failure(Wording.answerForm) }
    var key = rest[..<equals].trimmed
    var index = 0
    if key.hasSuffix("]"), let bracket = key.lastIndex(of: "["),
      let number = Int(key[key.index(after: bracket)...].dropLast()), number >= 0
    {
      index = number
      key = String(key[..<bracket])
    }
    rest = rest[rest.index(after: equals)...]
    passSpaces()
    guard !key.isEmpty, !rest.isEmpty else { throw failure(Wording.answerForm) }
    return .answerRead(seq: seq, key: key, index: index, try value())
  }

  private mutating func effectAnswer() throws(EditSyntaxError) -> TimelineEdit.EffectOutputOverride
  {
    if rest.first == "." || rest.first == "{" { return .sends(try action()) }
    let word = rest.prefix { $0 != " " }
    let argument = rest.dropFirst(word.count).trimmed
    switch word {
    case "cancelled" where argument.isEmpty: return .isCancelled
    case "nothing" where argument.isEmpty: return .sendsNothing
    case "failed":
      rest = argument[...]
      guard !argument.isEmpty else { return .fails(.json(Self.error)) }
      return .fails(try value())
    default: throw failure(Wording.answerForm)
    }
  }

  /// The error with which an effect fails if the edit names no error.
  private static let error: JSON = ["$error": ["type": "Error", "description": "failed"]]

  mutating func set() throws(EditSyntaxError) -> TimelineEdit {
    // A leading number is the number of an action, because a path can't begin with a digit. Pointers begin with a
    // slash.
    let seq = try seq(Wording.setForm)
    let (place, value) = try assignment(Wording.setForm)
    return .set(place, to: value, after: seq)
  }

  /// Parses a path, an `=`, and a value.
  private mutating func assignment(
    _ expected: String
  ) throws(EditSyntaxError) -> (ValuePath, ValueLiteral) {
    guard let equals = self.equals() else { throw failure(expected) }
    let text = rest[..<equals].trimmed
    rest = rest[rest.index(after: equals)...]
    passSpaces()
    guard !text.isEmpty, !rest.isEmpty else { throw failure(expected) }
    let place: ValuePath
    do throws(NotationSyntaxError) { place = try ValuePath(parsing: text) } catch {
      throw EditSyntaxError(text: all, problem: .notation(error))
    }
    return (place, try value())
  }

  /// Returns the index of the first `=` outside of quotes.
  private func equals() -> Substring.Index? {
    var isQuoted = false
    var isEscaped = false
    for index in rest.indices {
      switch rest[index] {
      case _ where isEscaped: isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case "=" where !isQuoted: return index
      default: break
      }
    }
    return nil
  }

  /// Parses the remaining text as an action.
  private func action() throws(EditSyntaxError) -> ValueLiteral {
    let text = rest.trimmed
    if text.hasPrefix("{") {
      do throws(JSON.ParseError) { return .json(try JSON(parsing: text.utf8)) } catch {
        throw EditSyntaxError(text: text, problem: .expected(Wording.jsonAction("\(error)")))
      }
    }
    do throws(NotationSyntaxError) { _ = try ActionPattern(parsing: text) } catch {
      throw EditSyntaxError(text: text, problem: .notation(error))
    }
    return .text(text)
  }

  /// Parses the remaining text as a value.
  private func value() throws(EditSyntaxError) -> ValueLiteral {
    let text = rest.trimmed
    if let json = try? JSON(parsing: text.utf8) { return .json(json) }
    do { _ = try ActionPattern.value(parsing: text) } catch let error as NotationSyntaxError {
      throw EditSyntaxError(text: text, problem: .notation(error))
    } catch {
      // The log may supply the omitted parts.
    }
    return .text(text)
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

// MARK: - Text

extension TimelineEdit: CustomStringConvertible {
  /// The edit in the form in which it is typed.
  package var description: String { text(Notation()) }

  /// Returns the edit in the form in which it is typed, with values in the given notation.
  package func text(_ notation: Notation) -> String {
    switch self {
    case .skip(let seq): "skip \(seq)"
    case .replace(let seq, let action): "edit \(seq) \(action.text(notation, isAction: true))"
    case .change(let seq, let place, let value):
      "edit \(seq) \(place) = \(value.text(notation))"
    case .insert(let action, let seq): "insert \(seq) \(action.text(notation, isAction: true))"
    case .reorder(let seq, .before(let other)): "reorder \(seq) before \(other)"
    case .reorder(let seq, .after(let other)): "reorder \(seq) after \(other)"
    case .answerRead(let seq, let key, let index, let value):
      "answer \(seq) \(key)\(index == 0 ? "" : "[\(index)]") = \(value.text(notation))"
    case .answerEffect(let id, .sends(let action)):
      "answer \(id) \(action.text(notation, isAction: true))"
    case .answerEffect(let id, .fails(let error)): "answer \(id) failed \(error.text(notation))"
    case .answerEffect(let id, .isCancelled): "answer \(id) cancelled"
    case .answerEffect(let id, .sendsNothing): "answer \(id) nothing"
    case .set(let place, let value, let seq): "set \(seq) \(place) = \(value.text(notation))"
    }
  }
}

extension ValueLiteral {
  fileprivate func text(_ notation: Notation, isAction: Bool = false) -> String {
    switch self {
    case .text(let text): text
    case .json(let json): isAction ? notation.action(json) : notation.value(json)
    }
  }
}
