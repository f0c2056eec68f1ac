import Foundation
import TestSupport
import Testing

/// Options of one kind accept the same forms in every command.
@Suite struct OptionFormTests {
  private static let log = "SampleLogs/todos.jsonl"

  /// The mark that is replaced by the tested text.
  private static let gap = "@"

  /// Returns the status and the output of a command for a text, without parts that differ between runs.
  private static func said(_ command: [String], _ text: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let files = [
      ("actions", "{\"filterPicked\":{\"_0\":\"active\"}}\n"), ("rules", "it holds: \(text)\n"),
    ]
    for (name, text) in files where command.contains("FOLDER/\(name)") {
      try folder.write(text, to: name)
    }
    let words = command.map {
      $0.replacing("FOLDER", with: folder.path).replacing(gap, with: text)
    }
    let result = try Tool.replay.run(words, in: Project.folder)
    return ["\(result.status)"]
      + [result.output, result.error].map {
        $0.replacing(folder.path, with: "FOLDER")
          // Ids, times, durations and substitutes.
          .replacing(
            /"(id|startedAt|value)":"[^"]*"|"(at|us)":[0-9]+|[0-9A-F-]{36}|masked[0-9a-f]+/,
            with: ""
          )
      }
  }

  // MARK: - Positions

  static let positionCommands: [[String]] = [
    ["show", log, "--at", gap], ["show", log, "--range", gap],
    ["show", log, "--range", "..\(gap)"],
    ["show", log, "--until", gap], ["blame", log, "isSaving", "--at", gap],
    ["run", log, "--until", gap], ["replay", log, "--until", gap],
    ["view", log, "-o", "FOLDER/page.html", "--range", gap],
    ["record", "--from", log, "--until", gap, "--actions", "FOLDER/actions", "-o", "-"],
    ["debug", log, "--batch", "--ex", "goto \(gap)", "--ex", "print isSaving"],
  ]

  /// Forms of the number of an action, which `show` prints at +0.112 s.
  static let positions: [(number: String, forms: [String])] = [
    ("5", ["0.112s", "112ms", "+0.112 s", "0:00.112"]), ("16", ["end", "1h"]), ("0", ["start"]),
  ]

  @Test(arguments: positionCommands)
  func `commands take a position as a number, a time, the start or the end`(
    command: [String]
  ) throws {
    for (number, forms) in Self.positions {
      let expected = try Self.said(command, number)
      #expect(!expected[2].contains("invalid value"), "\(command): \(expected)")
      for form in forms {
        let found = try Self.said(command, form)
        // The debugger reports that it is at the end or the start.
        if command[0] == "debug", form == "end" || form == "start" {
          #expect(found[1].hasSuffix("\nfalse\n"), "\(command): \(form) \(found)")
        } else {
          #expect(found == expected, "\(command): \(form)")
        }
      }
    }
  }

  @Test(arguments: positionCommands)
  func `every command refuses a text that is no position, and lists the forms`(
    command: [String]
  ) throws {
    let error = try Self.said(command, "soon").joined()
    #expect(
      error.contains("expected the number of an action, ")
        || error.contains("expected a range of actions such as"),
      "\(error)"
    )
  }

  // MARK: - Conditions

  static let conditionCommands: [[String]] = [
    ["bisect", log, "--when", gap], ["show", log, "--when", gap],
    ["minimize", log, "--when", gap, "--jobs", "1", "-o", "-"],
    ["explore", log, "--invariant", gap], ["run", log, "--invariants", "FOLDER/rules"],
    ["explore", log, "--invariants", "FOLDER/rules"],
    ["fuzz", log, "--invariants", "FOLDER/rules", "--runs", "1", "--jobs", "1"],
    ["debug", log, "--batch", "--ex", "break --when \(gap)", "--ex", "continue"],
    ["debug", log, "--batch", "--ex", "break .titleChanged if \(gap)", "--ex", "continue"],
  ]

  /// Forms of a condition: the full one and shorter ones.
  static let conditions: [[String]] = [
    [
      "$.state.isSaving == true", "isSaving", "state.isSaving", "isSaving == true", "!(!isSaving)",
    ],
    [
      "$.state.filter == \"completed\"", "filter == 'completed'", "filter == .completed",
      "state.filter == .completed",
    ],
    ["length($.state.todos) > 1", "todos.count > 1", "todos.count - 1 > 0"],
    ["$.state.saveError != null", "saveError != nil", "saveError", "!(saveError == nil)"],
    [
      "$.action.titleChanged", ".titleChanged", "action == .titleChanged",
      "$.action == .titleChanged",
    ],
  ]

  @Test(arguments: conditionCommands)
  func `every command takes a condition in its full form and in short forms`(
    command: [String]
  ) throws {
    // A search takes long, so it takes all short forms of a condition at once.
    let isSearch = ["minimize", "explore", "fuzz"].contains(command[0])
    for forms in Self.conditions {
      let expected = try Self.found(command, forms[0])
      #expect(expected.count > 1, "\(command): \(forms[0])")
      let short = Array(forms.dropFirst())
      for form in isSearch ? [short.joined(separator: " && ")] : short {
        #expect(try Self.found(command, form) == expected, "\(command): \(form)")
      }
    }
  }

  /// Returns the status of a command for a condition, and the numbers of the found actions.
  private static func found(_ command: [String], _ condition: String) throws -> [String] {
    let said = try said(command, condition)
    let numbers = /(?:action |"seq":|^ *)[0-9]+/.anchorsMatchLineEndings()
    return [said[0]] + said[1].matches(of: numbers).map { String($0.0) }
  }

  @Test(arguments: conditionCommands)
  func `every command suggests a correction for a condition with a mistake`(
    command: [String]
  ) throws {
    let said = try Self.said(command, "isSaving = true").joined()
    #expect(said.contains("did you mean isSaving == true?"), "\(command): \(said)")
  }

  // MARK: - Places

  static let placeCommands: [[String]] = [
    ["show", log, "--path", gap], ["show", log, "--at", "9", "--path", gap],
    ["show", log, "--changes", gap], ["blame", log, gap], ["run", log, "--ignore", gap],
    ["diff", log, log, "--ignore", gap], ["trace", log, "--counter", gap],
    ["mask", log, "--path", gap],
    ["debug", log, "--batch", "--ex", "watch \(gap)", "--ex", "continue"],
  ]

  static let places = [
    "/todos/*/title", "todos[*].title", ".todos[*].title", "$.state.todos[*].title",
  ]

  @Test(arguments: placeCommands)
  func `every command takes a path in Swift notation, as a pointer or relative to the state`(
    command: [String]
  ) throws {
    // A command may repeat the path.
    func said(_ place: String) throws -> [String] {
      try Self.said(command, place).map { $0.replacing(place, with: Self.places[0]) }
    }
    let expected = try said(Self.places[0])
    #expect(expected[0] == "0", "\(expected)")
    for place in Self.places.dropFirst() {
      #expect(try said(place) == expected, "\(command): \(place)")
    }
  }

  @Test(arguments: placeCommands)
  func `every command suggests a path of the log for one that does not exist`(
    command: [String]
  ) throws {
    let said = try Self.said(command, "todos[*].titel").joined()
    #expect(said.contains(/did you mean 'todos\[[*0]\]\.title'\?/), "\(command): \(said)")
  }
}
