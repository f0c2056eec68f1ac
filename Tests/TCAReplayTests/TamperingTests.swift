import ActionLog
import Foundation
import SampleFeatures
import TestSupport
import Testing

@testable import ReplayEngine
@testable import TCAReplay
@testable import TCAReplaying

/// A manipulated log no longer replays as recorded.
@Suite("Tampering")
struct TamperingTests {
  private static let names = ["counter", "search", "todos"]

  private static func lines(_ name: String) throws -> [String] {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOfFile: "\(folder.path)/SampleLogs/\(name).jsonl", encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  /// Returns the strict verdict on a log of these lines; `nil` if they can't be read as a log.
  ///
  /// In this verdict, a member that the code lacks is a difference, too.
  private func verdict(
    _ lines: [String],
    _ name: String,
    in folder: TemporaryFolder
  ) throws -> Verdict? {
    let path = folder.path + "/log.jsonl"
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path,
      atomically: false,
      encoding: .utf8
    )
    guard let log = try? LogSlice.slices(of: path, name: name).first else { return nil }
    let check = ReplayCheck(log: log, options: LogComparison.Options(isStrict: true))
    let result = try? check.firstFinding { _ -> any FeatureEngine in
      switch name {
      case "counter": ReducerEngine(reducer: { Counter() }, initialState: { Counter.State() })
      case "search": ReducerEngine(reducer: { Search() }, initialState: { Search.State() })
      default: ReducerEngine(reducer: { Todos() }, initialState: { Todos.State() })
      }
    }
    return result?.verdict
  }

  @Test("A replay detects that an event was removed from a log", arguments: names)
  func dropping(name: String) throws {
    let lines = try Self.lines(name)
    let folder = try TemporaryFolder()
    #expect(try verdict(lines, name, in: folder) == .identical)
    for index in 1..<lines.count - 1 {
      var changed = lines
      let dropped = changed.remove(at: index)
      // The return of an operation, without effects that wait for it, changes neither values nor causes.
      if dropped.contains(#""event":"finished""#) { continue }
      #expect(try verdict(changed, name, in: folder)?.isSame != true, "\(dropped)")
    }
  }

  @Test("A replay detects that two adjacent events of a log were exchanged", arguments: names)
  func swapping(name: String) throws {
    let lines = try Self.lines(name)
    let folder = try TemporaryFolder()
    for index in 1..<lines.count - 2 {
      var changed = lines
      changed.swapAt(index, index + 1)
      #expect(
        try verdict(changed, name, in: folder)?.isSame != true,
        "\(lines[index])\n\(lines[index + 1])"
      )
    }
  }

  @Test(
    "A log with a changed patch or effect diverges at the number of that action",
    arguments: names
  )
  func editing(name: String) throws {
    let lines = try Self.lines(name)
    let folder = try TemporaryFolder()
    for (index, line) in lines.enumerated() {
      let json = try JSON(parsing: line)
      guard json["kind"] == "change", let seq = json["seq"]?.int else { continue }
      for pointer in leaves(of: json) where ["patch", "effects"].contains(pointer.tokens.first) {
        guard pointer.tokens.last != "source", let value = json[pointer] else { continue }
        var edited = json
        try JSON.Patch([.replace(pointer, value.changed)]).apply(to: &edited)
        var changed = lines
        changed[index] = edited.description
        // An edited id or operation may leave no event.
        guard let found = try verdict(changed, name, in: folder) else { continue }
        #expect(found.at == seq && !found.isSame, "\(pointer): \(found)")
      }
    }
  }

  private func leaves(of json: JSON, at path: JSON.Pointer = JSON.Pointer()) -> [JSON.Pointer] {
    switch json {
    case .object(let object) where !object.isEmpty:
      object.flatMap { leaves(of: $0.value, at: path.appending($0.key)) }
    case .array(let elements) where !elements.isEmpty:
      elements.enumerated().flatMap { leaves(of: $0.element, at: path.appending("\($0.offset)")) }
    default: [path]
    }
  }
}

extension JSON {
  /// Another value of the same kind.
  fileprivate var changed: JSON {
    switch self {
    case .null: 1
    case .bool(let value): .bool(!value)
    case .number: .number(Number((int ?? 0) + 1))
    case .string(let text): .string(text + "x")
    case .array(let elements): .array(elements + [1])
    case .object: ["x": 1]
    }
  }
}
