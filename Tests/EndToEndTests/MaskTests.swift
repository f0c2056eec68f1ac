import ActionLog
import Foundation
import TestSupport
import Testing

/// Logs that are masked after the recording are replayed by the code that recorded them.
@Suite struct MaskedLogTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let log: String
    let masks: [String]
    /// Texts that must not remain in the log.
    let secrets: [String]
    var testDescription: String { log }
  }

  static let cases: [Case] = [
    Case(
      log: "todos",
      masks: ["--action-path", "/titleChanged/_1", "--path", "/todos/*/id"],
      secrets: ["Buy milk", "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"]
    ),
    Case(
      log: "todos-cut",
      masks: ["--action-path", "/titleChanged/_1", "--read-path", "/date"],
      secrets: ["Buy milk", "2026-11-21T05:21:04.9111813Z"]
    ),
    Case(log: "counter-diverged", masks: ["--read-path", "/**"], secrets: []),
  ]

  struct Omission: Sendable, CustomTestStringConvertible {
    let log: String
    let path: String
    let status: Int32
    let output: String
    var testDescription: String { "\(log) \(path)" }
  }

  /// An omitted path is not compared.
  ///
  /// If a replay needs it, the verdict says so.
  static let omissions: [Omission] = [
    Omission(
      log: "todos",
      path: "/todos/*/title",
      status: 0,
      output: "masked.jsonl: identical, through action 16\n"
    ),
    Omission(
      log: "todos",
      path: "/filter",
      status: 0,
      output: "masked.jsonl: identical, through action 16\n"
    ),
    Omission(
      log: "counter-diverged",
      path: "/count",
      status: 0,
      output: "masked.jsonl: identical, through action 12\n"
    ),
  ]

  @Test("run does not blame the code for an action that is unreadable because it is masked")
  func emptyStructures() throws {
    let folder = try TemporaryFolder()
    let mask = try Tool.replay.run(
      "mask",
      Project.sample("account.jsonl"),
      "--action-path",
      "/phase/_0/twoFactor/_0/response/_0/success/_0",
      "-o",
      "masked.jsonl",
      in: folder.path
    )
    #expect(mask.status == 0, "\(mask.error)")
    let run = try Tool.replay.run("run", "masked.jsonl", in: folder.path)
    #expect(
      run.output.hasPrefix(
        "masked.jsonl: not replayable at action 22: 'phase.twoFactor.response.success.name' is missing:"
          + " String has no default for it; what stands there was masked, so a replay cannot have it\n"
      ),
      "\(run)"
    )
    #expect(run.status == 1)
  }

  @Test("mask --check lists the contents of a log, and exits with 1 if --allow does not cover them")
  func review() throws {
    let folder = try TemporaryFolder()
    let sample = Project.sample("todos.jsonl")
    let check = try Tool.replay.run("mask", sample, "--check", in: folder.path)
    #expect(check.status == 0)
    #expect(check.output.contains("  todos[*].title"))
    try folder.write("# nearly all\nstate /**\nread /**\neffect /**\nheader /**\n", to: "allowed")
    let refused = try Tool.replay.run(
      "mask",
      sample,
      sample,
      "--check",
      "--allow",
      "allowed",
      in: folder.path
    )
    #expect(refused.status == 1)
    #expect(refused.error.contains("  action .titleChanged.1\n"))
    #expect(!refused.error.contains("  state "))
    try folder.write("state /**\naction /**\nread /**\neffect /**\nheader /**\n", to: "allowed")
    let allowed = try Tool.replay.run(
      ["mask", sample, "--check", "--allow", "allowed", "--format", "json"],
      in: folder.path
    )
    #expect(allowed.status == 0)
    #expect(try JSON(parsing: allowed.output)["exceeding"] == [])
  }

  @Test(arguments: omissions)
  func `run does not compare values that mask --omit left out`(omission: Omission) throws {
    let folder = try TemporaryFolder()
    let sample = Project.sample("\(omission.log).jsonl")
    let masked = try Tool.replay.run(
      ["mask", sample, "--omit", omission.path, "-o", "masked.jsonl"],
      in: folder.path
    )
    #expect(masked.status == 0, "\(masked.error)")
    let result = try Tool.replay.run("run", "masked.jsonl", in: folder.path)
    #expect(result.output == omission.output)
    #expect(result.status == omission.status)
  }

  @Test(arguments: cases)
  func `masking a log does not change its verdict`(testCase: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/masked.jsonl"
    let sample = Project.sample("\(testCase.log).jsonl")
    let masked = try Tool.replay.run(
      ["mask", sample, "-o", path, "--allow-unmatched"] + testCase.masks
    )
    #expect(masked.status == 0, "\(masked.error)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let original = try String(contentsOfFile: sample, encoding: .utf8)
    for secret in testCase.secrets {
      #expect(original.contains(secret))
      #expect(!text.contains(secret))
    }
    func verdict(_ log: String) throws -> JSON? {
      let result = try Tool.replay.run("run", log, "--format", "json")
      let json = try JSON(parsing: result.output)["logs"]?.array?.first
      return [json?["verdict"] ?? .null, json?["at"] ?? .null]
    }
    #expect(try verdict(path) == verdict(sample))
  }
}
