import Foundation
import TestSupport
import Testing

/// What `record` makes of scripts and places for the log that it cannot use.
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

  @Test("a line that is no action is named", arguments: scripts)
  func badActions(script: Script) throws {
    let folder = try TemporaryFolder()
    let actions = try folder.write(script.text, to: "script.actions")
    let result = try Tool.replay.run(
      ["record", "Counter", "--actions", actions, "-o", folder.path + "/log.jsonl"]
    )
    #expect(result.status == 65)
    #expect(result.error == "tca-replay: \(actions):\(script.problem)\n")
  }

  @Test("a folder is no script")
  func folderInsteadOfActions() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.replay.run(
      ["record", "Counter", "--actions", folder.path, "-o", folder.path + "/log.jsonl"]
    )
    #expect(result.status == 74)
    #expect(result.error == "tca-replay: cannot read \(folder.path): Is a directory\n")
  }

  @Test("a device takes the log and stays alone in its place")
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
