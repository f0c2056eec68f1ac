import Foundation
import TestSupport
import Testing

/// The errors of `record` for scripts and unusable log paths.
@Suite("record") struct RecordTests {
  struct Script: Sendable {
    let text: String
    let problem: String
  }

  static let scripts = [
    Script(
      text: "{\"incrementButtonTapped\":{}}\n\n{\"nope\":{}}\n",
      problem: "3: the value names the case 'nope', which Counter.Action lacks"
    ),
    Script(
      text: "{\"incrementButtonTapped\":{\"$state\":\"/nope\"}}\n",
      problem: """
        1: the script refers to {"$state":"/nope"}, but the state has no value there: {"count":0,"isTimerRunning":false,"die":null}
        """
    ),
  ]

  @Test("record reports the line of a script that is no action of the feature", arguments: scripts)
  func badActions(script: Script) throws {
    let folder = try TemporaryFolder()
    let actions = try folder.write(script.text, to: "script.actions")
    let result = try Tool.replay.run(
      ["record", "Counter", "--actions", actions, "-o", folder.path + "/log.jsonl"]
    )
    #expect(result.status == 65)
    #expect(result.error == "tca-replay: \(actions):\(script.problem)\n")
  }

  @Test("$finish in a script does not wait for presented children or stack elements")
  func presentedChildren() throws {
    let folder = try TemporaryFolder()
    let actions = try folder.write(
      #"""
      {"addButtonTapped":{}}
      {"$finish":true}
      {"destination":{"_0":{"presented":{"_0":{"add":{"_0":{"binding":{"_0":{"set":{"_0":"site.name","_1":"Mill"}}}}}}}}}}
      {"destination":{"_0":{"presented":{"_0":{"add":{"_0":{"saveButtonTapped":{}}}}}}}}
      {"$finish":true}
      {"siteTapped":{"_0":{"$state":"/sites/0/id"}}}
      {"$finish":true}
      {"path":{"_0":{"element":{"id":{"$state":"/path/0/id"},"action":{"site":{"_0":{"editButtonTapped":{}}}}}}}}
      {"$finish":true}

      """#,
      to: "script.actions"
    )
    let log = folder.path + "/log.jsonl"
    let result = try Tool.replay.run(
      ["record", "Inspections", "--actions", actions, "-o", log, "--timeout", "60"],
      environment: ["HOME": folder.path]
    )
    #expect(result.error == "")
    #expect(result.status == 0)
    #expect(try Tool.replay.run("run", log).status == 0)
  }

  @Test(
    "record ends the log at its time limit, and lists the effects that still run",
    arguments: [false, true]
  )
  func timeout(writesToOutput: Bool) throws {
    let folder = try TemporaryFolder()
    let actions = try folder.write(
      "{\"timerButtonTapped\":{}}\n\n{\"$finish\":true}\n",
      to: "script.actions"
    )
    let log = folder.path + "/log.jsonl"
    let result = try Tool.replay.run(
      [
        "record", "Counter", "--actions", actions, "-o", writesToOutput ? "-" : log,
        "--timeout", "0.25",
      ]
    )
    #expect(
      result.error == """
        tca-replay: \(actions):3: 0.25 s were not enough for this, so the recording ends here; --timeout SECONDS gives it \
        more time; what still ran was canceled
          effect 1.0 'tick' at SampleFeatures/Counter.swift:71, started by action 1  .timerButtonTapped

        """
    )
    #expect(result.status == 69)
    if writesToOutput { try folder.write(result.output, to: "log.jsonl") }
    let run = try Tool.replay.run("run", log)
    #expect(run.output.contains("identical, through action"))
  }

  @Test("record reports a wait of the script that its time limit cuts short")
  func timeoutOfAWait() throws {
    let folder = try TemporaryFolder()
    let actions = try folder.write("{\"$wait\":3600}\n", to: "script.actions")
    let log = folder.path + "/log.jsonl"
    let result = try Tool.replay.run(
      ["record", "Counter", "--actions", actions, "-o", log, "--timeout", "0.01"]
    )
    #expect(
      result.error == """
        tca-replay: \(actions):1: 0.01 s were not enough for this, so the recording ends here; --timeout SECONDS gives it \
        more time

        """
    )
    #expect(result.output == "recorded 0 actions in \(log)\n")
    #expect(result.status == 69)
  }

  @Test("record refuses a folder as its script")
  func folderInsteadOfActions() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.replay.run(
      ["record", "Counter", "--actions", folder.path, "-o", folder.path + "/log.jsonl"]
    )
    #expect(result.status == 74)
    #expect(result.error == "tca-replay: cannot read \(folder.path): Is a directory\n")
  }

  @Test("record writes to a device without replacing it")
  func recordingIntoADevice() throws {
    let folder = try TemporaryFolder()
    let actions = try folder.write("{\"incrementButtonTapped\":{}}\n", to: "script.actions")
    let result = try Tool.replay.run(["record", "Counter", "--actions", actions, "-o", "/dev/null"])
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(result.error == "")
    #expect(!FileManager.default.fileExists(atPath: "/dev/null-2"))
    #expect(
      try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        == .typeCharacterSpecial
    )
  }
}
