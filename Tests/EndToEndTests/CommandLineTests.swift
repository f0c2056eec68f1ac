import ActionLog
import Foundation
import TestSupport
import Testing

/// The built program with valid, unusual and broken input.
@Suite("Command line")
struct CommandLineTests {
  @Test("every sample log has the verdict that its expectation file states")
  func samples() throws {
    let run = try Tool.replay.run("run", Project.sample(""), "--expected")
    #expect(run.status == 0, "\(run.output)\(run.error)")
  }

  @Test("run shows the first difference of a folder in full, and one line for each other log")
  func folder() throws {
    let run = try Tool.replay.run("run", "SampleLogs", in: Project.folder)
    let stack = /\ \ the host wrote:\n(?:\ {4}.*\n)+/
    #expect(run.output.matches(of: stack).count == 1)
    #expect(
      run.output.replacing(stack, with: "")
        == """
        SampleLogs/account.jsonl: identical, through action 34
        SampleLogs/board.jsonl: identical, through action 74
        SampleLogs/counter-diverged.jsonl: diverged at action 3: state count

          action 3  .decrementButtonTapped
            sent by the view

          − recorded, + replayed
          state
            count
              − 3
              + 1

          next:
            tca-replay blame SampleLogs/counter-diverged.jsonl count --at 3  # who set this value last, and why
            tca-replay run SampleLogs/counter-diverged.jsonl --continue      # whether later actions differ, too
        SampleLogs/counter.jsonl: identical, through action 12
        SampleLogs/draft.jsonl: identical, through action 38
        SampleLogs/exchange.jsonl: identical, through action 8
        SampleLogs/inspections.jsonl: identical, through action 45
        SampleLogs/memos.jsonl: identical, through action 73
        SampleLogs/search-effects.jsonl: diverged at action 2: effects 2.0/cancelID
          effect 2.0: cancelID  − (type: "Search.CancelID", value: .lookup)  + (type: "Search.CancelID", value: .search)
        SampleLogs/search.jsonl: identical, through action 10
        SampleLogs/signup.jsonl: identical, through action 75
        SampleLogs/todos-cut.jsonl: cut after action 9, the same as far as it goes
        SampleLogs/todos-trap.jsonl: trap reproduced at action 4 (SIGILL)
        SampleLogs/todos.jsonl: identical, through action 16
        14 logs, 2 failed
          --verbose shows the details of each

        """.replacing("SIGILL", with: run.output.contains("SIGTRAP") ? "SIGTRAP" : "SIGILL")
    )
    #expect(run.status == 1)
  }

  @Test("replay writes the actions up to a trap to its output file")
  func replayOfATrap() throws {
    let folder = try TemporaryFolder()
    let output = folder.path + "/out.jsonl"
    let log = Project.sample("todos-trap.jsonl")
    let run = try Tool.replay.run(
      ["replay", log, "-o", output],
      environment: ["SWIFT_BACKTRACE": "enable=no"]
    )
    #expect(run.isSignal)
    #expect([SIGILL, SIGTRAP].contains(run.status))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.jsonl"])
    let lines = try folder.read("out.jsonl").split(separator: "\n")
    #expect(
      lines.last
        == #"{"kind":"action","seq":4,"at":30245,"origin":"view","action":{"deleted":{"at":3}}}"#
    )
    let recorded = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.dropFirst() == recorded.dropFirst())
  }

  @Test("run reports another nextStackElement in a checkpoint as a divergence")
  func nextElementAtACheckpoint() throws {
    var lines = try String(contentsOfFile: Project.sample("counter.jsonl"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    lines.insert(
      #"{"kind":"checkpoint","seq":3,"state":{"count":1,"isTimerRunning":false,"die":null},"effects":[],"nextStackElement":5}"#,
      at: 8
    )
    let folder = try TemporaryFolder()
    try folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let run = try Tool.replay.run("run", "a.jsonl", in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.output == """
        a.jsonl: diverged at action 3: log sequence

          action 3  .decrementButtonTapped
            sent by the view

          − recorded, + replayed
          log sequence
            nextStackElement
              the checkpoint says that the next element of a stack gets the number 5; expected 0

          next:
            tca-replay show a.jsonl --range 3  # the action as it was recorded
            tca-replay run a.jsonl --continue  # whether later actions differ, too

        """
    )
  }

  @Test("run reports a divergence with its action, path, recorded value and replayed value")
  func divergence() throws {
    let run = try Tool.replay.run("run", "SampleLogs/counter-diverged.jsonl", in: Project.folder)
    #expect(
      run.output == """
        SampleLogs/counter-diverged.jsonl: diverged at action 3: state count

          action 3  .decrementButtonTapped
            sent by the view

          − recorded, + replayed
          state
            count
              − 3
              + 1

          next:
            tca-replay blame SampleLogs/counter-diverged.jsonl count --at 3  # who set this value last, and why
            tca-replay run SampleLogs/counter-diverged.jsonl --continue      # whether later actions differ, too

        """
    )
  }

  @Test("the output of run --continue starts with the output of run", arguments: Project.samples)
  func continuing(name: String) throws {
    let log = Project.sample(name)
    let run = try Tool.replay.run("run", log)
    let continued = try Tool.replay.run("run", log, "--continue")
    let text = continued.output.replacing(/, and \d+ more after it/, with: "")
    // The suggested next steps differ.
    let first = run.output.split(separator: "\n  next:")[0].dropLast()
    #expect(text.hasPrefix(first), "\(text)\(run.output)")
    #expect(continued.status == run.status)
  }

  @Test func `the verdicts of run --continue in JSON are those of run`() throws {
    func found(_ arguments: String...) throws -> [JSON] {
      let logs = Project.samples.map(Project.sample)
      let result = try Tool.replay.run(["run"] + logs + ["--format", "json"] + arguments)
      return try (JSON(parsing: result.output)["logs"]?.array ?? []).map { log in
        var log = log.object ?? [:]
        for name in ["further", "actions", "notes", "hostOutput"] { log[name] = nil }
        return .object(log)
      }
    }
    let verdicts = try found()
    #expect(verdicts.count == Project.samples.count)
    #expect(try found("--continue") == verdicts)
  }

  @Test("replaying a replayed log gives the same bytes, and diff finds no difference")
  func filter() throws {
    let folder = try TemporaryFolder()
    for name in ["account", "counter", "draft", "inspections", "search", "todos"] {
      let once = try Tool.replay.run("replay", Project.sample("\(name).jsonl"))
      #expect(once.status == 0, "\(once.error)")
      let file = try folder.write(once.output, to: "\(name).jsonl")
      let twice = try Tool.replay.run("replay", "-", input: once.output)
      #expect(twice.output == once.output)
      let diff = try Tool.replay.run("diff", Project.sample("\(name).jsonl"), file)
      #expect(diff.status == 0, "\(diff.output)")
    }
  }

  struct Misuse: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    let error: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test("replay writes sets and dictionaries in an order that is the same in every process")
  func stableBytes() throws {
    for (name, path) in [("search", "/tags"), ("todos", "/titles/Buy milk")] {
      let logs = try (1...3).map { _ in
        try Tool.replay.run("replay", Project.sample("\(name).jsonl")).output
      }
      #expect(Set(logs).count == 1)
      #expect(logs[0].contains("\"path\":\"\(path)\""))
    }
  }

  @Test("run ignores a change of line numbers in the code")
  func movedSource() throws {
    let text = try String(contentsOfFile: Project.sample("todos.jsonl"), encoding: .utf8)
    let folder = try TemporaryFolder()
    let path = try folder.write(
      text.replacing(/Todos\.swift:\d+/, with: "Elsewhere.swift:1"),
      to: "todos.jsonl"
    )
    #expect(try Tool.replay.run("run", path).status == 0)
  }

  @Test("run refuses a log that is damaged after the point where the replay diverged")
  func brokenFurtherOn() throws {
    var lines = try String(contentsOfFile: Project.sample("todos.jsonl"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    lines.insert("rubbish", at: 5)
    let folder = try TemporaryFolder()
    let path = try folder.write(lines.joined(separator: "\n"), to: "log.jsonl")
    let run = try Tool.replay.run("run", path)
    #expect(
      run.output
        == """
        \(path): line 6 is not JSON: found 'r' where a value was expected, at byte 0
          next:
            tca-replay verify \(path)  # what of the log is damaged; --repair FILE keeps the rest

        """
    )
    #expect(run.status == 65)
  }

  @Test("run kills a host that hangs, with the processes that it has started")
  func hangingHost() throws {
    let folder = try TemporaryFolder()
    let host = try folder.script("sleep 1000\n", named: "host")
    let run = try Tool.replay.run(
      "run",
      Project.sample("todos.jsonl"),
      "--host",
      host,
      "--timeout",
      "0.2"
    )
    #expect(run.output.contains("the host took longer than 0.2 s and was killed"), "\(run)")
    #expect(run.status == 69)
  }
}
