import ActionLog
import Foundation
import TestSupport
import Testing

@testable import ReplayCommands
@testable import ReplayEngine

/// `.tca-replay.json` with errors of users and programs.
///
/// It is read, or refused with a message that names the member, the found value, and the expected one.
@Suite struct SettingsFuzzTests {
  static let texts = [
    #"{"host": ".build/debug/app-replay", "ignore": ["/clock", "/rows/*/at"], "timeout": 120}"#,
    #"{"ignore":["/a~1b"],"timeout":0.5,"host":"\/bin\/h\u00f6st"}"#,
  ]

  /// Returns whether the value of a member is valid, and the expected value.
  private static func isFit(_ name: String, _ value: JSON) -> (Bool, expected: String)? {
    switch name {
    case "host":
      let path = value.string ?? ""
      return (!path.isEmpty && !path.utf8.contains(0), "the path of a host")
    case "ignore":
      let places = value.array?.map { text in
        text.string.flatMap { try? ValuePath(parsing: $0) }?.patterns
      }
      return (
        places?.contains(nil) == false,
        #"an array of places such as "clock" or "rows[*].title""#
      )
    case "timeout":
      let seconds = value.number?.double ?? 0
      return (seconds > 0 && seconds < .infinity, "a time in seconds")
    default: return nil
    }
  }

  /// Returns the expected message for a text; `nil` if it is valid.
  private static func problem(of text: String) -> String? {
    let json: JSON
    do throws(JSON.ParseError) { json = try JSON(parsing: text) } catch { return "\(error)" }
    guard let object = json.object else {
      return "found \(Notation().value(json)), expected a JSON object"
    }
    for (name, value) in object {
      guard let (isFit, expected) = isFit(name, value) else {
        let suggestion = SpellingSuggestion.closest(to: name, among: ["host", "ignore", "timeout"])
        let written = JSON.string(name).description.utf8.dropFirst().dropLast()
        return "there is no setting '\(String(decoding: written, as: UTF8.self))'"
          + "; expected host, ignore or timeout"
          + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
      }
      if !isFit { return "'\(name)': found \(Notation().value(value)), expected \(expected)" }
    }
    return nil
  }

  private func check(_ text: String, seed: UInt64) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: ".tca-replay.json")
    let expected = Self.problem(of: text).map { ".tca-replay.json: \($0)" }
    do throws(CommandError) {
      let settings = try Settings(folder: folder.path)
      #expect(expected == nil, "seed \(seed): \(text)")
      #expect(settings.timeout.map { $0 > 0 } ?? true, "seed \(seed): \(text)")
      #expect(settings.host?.hasPrefix("/") ?? true, "seed \(seed): \(text)")
    } catch {
      let message = "\(error)"
      #expect(message == expected, "seed \(seed): \(text)")
      #expect(!message.unicodeScalars.contains { $0.value < 0x20 }, "seed \(seed): \(text)")
      #expect(error.status == .usage, "seed \(seed): \(text)")
    }
  }

  @Test(arguments: Thoroughness.seeds(40, thorough: 400))
  func `Settings reads or refuses a file with random typing errors`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for text in Self.texts {
      try check(
        text.damaged(with: "{}[]:,\"\\/~*0-9.eE \n\u{0}é\u{301}", using: &random),
        seed: seed
      )
    }
  }

  @Test(arguments: Thoroughness.seeds(40, thorough: 400))
  func `Settings reads or refuses a file with values of other types`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for text in Self.texts {
      try check(JSON(parsing: text).damaged(using: &random).description, seed: seed)
    }
    var object = JSON.Object()
    for _ in 0...Int.random(in: 0..<4, using: &random) {
      let name = ["host", "ignore", "timeout", "hots"].randomElement(using: &random) ?? ""
      object[name] = .random(depth: 2, using: &random)
    }
    try check(JSON.object(object).description, seed: seed)
    try check(JSON.random(depth: 3, using: &random).description, seed: seed)
  }

  static let edges = [
    #"{"timeout":1e400}"#, #"{"timeout":-1}"#, #"{"timeout":1e-400}"#, #"{"timeout":null}"#,
    #"{"host":""}"#, #"{"host":"a\u0000b"}"#, #"{"host":null}"#, #"{"ho\nst":1}"#, #"{"":{}}"#,
    #"{"ignore":[]}"#, #"{"ignore":[""]}"#, #"{"ignore":["/a~2"]}"#, #"{"host":"a","host":1}"#,
    "", "null", "\u{FEFF}{}", "{} {}", String(repeating: "[", count: 100_000),
    #"{"\#(String(repeating: "x", count: 100_000))":1}"#,
  ]

  @Test(arguments: edges)
  func `Settings reads or refuses a file with extreme texts`(text: String) throws {
    try check(text, seed: 0)
  }

  @Test func `Settings accepts a timeout of extreme length`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"timeout":1e300}"#, to: ".tca-replay.json")
    #expect(try Settings(folder: folder.path).timeout == 1e300)
  }

  @Test func `Settings refuses a folder in place of its file`() throws {
    let folder = try TemporaryFolder()
    try folder.write(to: ".tca-replay.json/file")
    let error = #expect(throws: CommandError.self) { try Settings(folder: folder.path) }
    #expect(
      error.map { "\($0)" }
        == ".tca-replay.json: cannot be read; expected a file with a JSON object"
    )
  }
}
