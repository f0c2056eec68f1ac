import Foundation

/// The messages of this target's errors, and instructions for types that can't be logged or decoded.
///
/// A message says, where possible, what was found and what was expected.
enum Wording {
  static func describe(_ error: JSON.ParseError) -> String {
    let place = "at byte \(error.offset)"
    return switch error.problem {
    case .unexpectedEnd: "the text ends in the middle of a JSON value, \(place)"
    case .unexpectedByte(let byte, let expected):
      "found \(quoted(byte)) where \(expected) was expected, \(place)"
    case .trailingBytes: "found more text after the JSON value, \(place)"
    case .invalidUTF8: "found bytes that are not UTF-8 in a string, \(place)"
    case .loneSurrogate: "found half of a surrogate pair in a \\u escape, \(place)"
    case .nestedTooDeep: "found more than \(JSON.deepestNesting) levels of nesting, \(place)"
    }
  }

  static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  private static func quoted(_ byte: UInt8) -> String {
    byte > 0x20 && byte < 0x7F
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16)
  }

  static func describe(_ error: JSON.Patch.ApplyError) -> String {
    let operation = "operation \(error.index), \(error.operation.json),"
    let text =
      switch error.problem {
      case .missing(let path): "\(operation) finds no value at '\(path)'"
      case .badIndex(let path): "\(operation) finds no such index in the array at '\(path)'"
      case .testFailed(let found): "\(operation) finds \(found) instead"
      case .moveIntoItself: "\(operation) would move a value into itself"
      case .nestedTooDeep:
        "\(operation) would nest the state in more than \(JSON.Patch.mostLevels) levels"
      case .tooLarge:
        "\(operation) would make copies of more than \(JSON.Patch.CopyBudget.most >> 20) MiB in the state"
      case .notText(let found): "\(operation) finds \(abbreviated(found)) instead of a text"
      case .badRange(let offset, let removedCount, let textCount):
        "\(operation) cannot remove \(bytes(removedCount)) at byte \(offset) of a text of \(bytes(textCount)), or would cut a character"
      }
    return Notation.visible(text)
  }

  static func describe(_ error: NotationSyntaxError) -> String {
    let found = error.found.map { "'\(EscapedText.of($0, quote: "'"))'" } ?? "the end"
    return
      "found \(found), expected \(error.expected), at column \(error.column) of \(abbreviated(Notation.visible(error.text)))"
  }

  static func describe(_ error: InexactNotationError) -> String {
    "'\(abbreviated(Notation.visible(error.found)))' leaves open what is meant; expected \(error.expected)"
  }

  static func describe(_ error: LogCursor.BrokenPatch) -> String {
    "the patch of action \(error.seq) does not fit the state before it: \(error.error)"
  }

  static let needsMasked =
    "the value follows from one that was masked when it was recorded, so a replay cannot reach it"

  static func describe(_ error: JSONPath.SyntaxError) -> String {
    let found = error.found.map { "'\($0)'" } ?? "the end"
    let problem =
      switch error.problem {
      case .expected(let what): "found \(found), expected \(what)"
      case .integerOutOfRange: "the integer is beyond ±(2^53 - 1)"
      case .unknownFunction(let suggestion):
        "there is no such function; expected "
          + (suggestion.map { "'\($0)'" } ?? "'length', 'count', 'match', 'search' or 'value'")
      case .argumentCount(let function, let expected, let found):
        "'\(function)' takes \(expected == 1 ? "1 argument" : "\(expected) arguments"); found \(found)"
      case .notSingular: "the query can select many values, expected one of names and indices alone"
      case .notACondition: "a value is not a condition: compare it, with '==' for example"
      case .notAValue: "a condition is not a value: it cannot be compared or passed on"
      case .notAQuery(let function): "'\(function)' takes a query, such as '@.items[*]'"
      case .nestedTooDeep: "more than \(JSONPath.Parser.deepestNesting) levels of nesting"
      }
    let correction = error.correction.map { "; did you mean \(abbreviated($0))?" } ?? ""
    return "\(problem), at column \(error.column) of \(abbreviated(error.text))\(correction)"
  }

  static func describe(
    _ error: LogDecodingError,
    _ remedies: OpaqueTypeRemedies = OpaqueTypeRemedies()
  ) -> String {
    let place = error.path.tokens.isEmpty ? "the value" : "'\(Notation().pathText(error.path))'"
    let text =
      switch error.problem {
      case .missing:
        "\(place) is missing: \(error.type) has no default for it"
      case .mismatch(let expected, let found):
        "\(place) should be \(expected) for \(error.type); found \(notation.value(found))"
      case .unknownCase(let name): "\(place) names the case '\(name)', which \(error.type) lacks"
      case .opaque(let type):
        "\(place) was not recorded, only its type, \(type): "
          + (remedies.line(for: type) ?? remedy(forReading: type))
      case .notDecodable:
        "\(place) cannot be read as \(error.type): \(remedy(forReading: error.type))"
      case .boxed:
        "\(place) cannot be read as \(error.type), for the log does not have the type of what is in it: "
          + "declare it with a type that is LogValue or Codable"
      case .refused(let reason): "\(place) was refused by \(error.type): \(reason)"
      }
    return Notation.visible(text)
  }

  /// Returns an instruction for a type to which the app can't add a macro, or `nil` for other types.
  static func remedy(withoutMarking type: String) -> String? {
    if type.contains("->") { return "a function has no value that a log could hold" }
    if type.hasPrefix("(") {
      return "declare a type that is LogValue or Codable in place of the tuple"
    }
    if type.contains("KeyPath<") { return namelessVariable }
    if SystemAndLibraryTypeNames.isBox(type) {
      return "declare a type that is LogValue or Codable in its place"
    }
    guard SystemAndLibraryTypeNames.contains(type) else { return nil }
    return "\(type) cannot be marked: hold a value of a type of yours in its place"
  }

  /// Returns an instruction that makes values of a type decodable.
  private static func remedy(forReading type: String) -> String {
    remedy(withoutMarking: type) ?? "make \(type) conform to LogValue or Codable"
  }

  /// The reason why a log can't name the variable that a binding has set.
  static let namelessVariable =
    "only variables of types with @ObservableState or @LogValue have a name in a log"

  static func describe(_ error: LogEvent.SyntaxError) -> String {
    let event = error.kind.map { "event '\($0)'" } ?? "an event"
    guard let found = error.found else {
      return Notation.visible(
        "\(event) has no member '\(error.member)'; expected \(error.expected)"
      )
    }
    return Notation.visible(
      "\(event) has \(abbreviated(found)) as '\(error.member)'; expected \(error.expected)"
    )
  }

  static func describe(_ error: LogReadError) -> String {
    let text =
      switch error {
      case .noSuchFile(let path): "there is no file \(Notation.visible(path))"
      case .system(let path, let code):
        "cannot read \(Notation.visible(path)): \(String(cString: strerror(code)))"
      case .notJSON(let line, let error):
        "line \(line) is not JSON: \(otherForm(of: error, line: line) ?? "\(error)")"
      case .notAnEvent(let line, let error): "line \(line) is not a log event: \(error)"
      case .lineTooLong(let line):
        "line \(line) has more than \(LogReader.longestLine) bytes, the most that is read"
      case .noHeader(let line, let kind):
        "line \(line) is an event '\(kind)'; a log begins with an event 'header'"
      case .empty: "the log is empty; expected an event 'header' on the first line"
      case .tornHeader(let count):
        "the log ends after \(bytes(count)), within its first line; expected an event 'header' there"
      case .refused(let line, let reason): "line \(line): \(reason)"
      }
    return Notation.visible(text)
  }

  /// Returns a message about the format of a file that doesn't start like JSON, or `nil` for unknown formats.
  private static func otherForm(of error: JSON.ParseError, line: Int) -> String? {
    guard line == 1, error.offset == 0, case .unexpectedByte(let byte, _) = error.problem else {
      return nil
    }
    return switch byte {
    case 0x1F: "the file seems to be compressed with gzip: unpack it first"
    case 0x28: "the file seems to be compressed with zstd: unpack it first"
    case 0x50: "the file seems to be a zip archive: unpack it first"
    case 0xEF: "found a byte order mark: write the file as UTF-8 without it"
    case 0xFE, 0xFF: "the file seems to be UTF-16: write it as UTF-8"
    default: nil
    }
  }

  private static var notation: Notation { Notation(limits: .init(value: 120, text: 80)) }

  /// Returns a value as text for a message, and cuts it if it is large.
  static func abbreviated(_ json: JSON) -> String {
    abbreviated(json.description)
  }

  private static func abbreviated(_ text: String) -> String {
    text.count <= 120 ? text : "\(text.prefix(120))… (\(text.utf8.count) bytes)"
  }
}
