import Foundation
import TestSupport
import Testing

/// Alternative timelines, replayed by a real host: their output, and that they run.
@Suite("Fork") struct ForkTests {
  /// A fork of a sample log.
  struct Case: Sendable, CustomTestStringConvertible {
    let log: String
    let edits: [String]
    let report: String

    var testDescription: String { "\(log) \(edits.joined(separator: " "))" }
  }

  static let cases = [
    Case(
      log: "search",
      edits: ["--skip", "4"],
      report: """
        another timeline from action 4 on, with 1 edit: 8 actions in the place of 10
          skip 4
        actions 1 to 3 match; actions 4 to 5 are only in the old timeline; 6 to 10 match 4 to 8; 1 other event is only in the old timeline

        left out
          action 5  .answered(.failure(.notAWord("l1ma")))  effect 4.0 never starts: action 4 does not come

        the same state at the end

        """
    ),
    Case(
      log: "counter",
      edits: ["--skip", "5", "--skip", "6"],
      report: """
        another timeline from action 5 on, with 2 edits: 10 actions in the place of 12
          skip 5
          skip 6
        actions 1 to 4 match; actions 5 to 6 are only in the old timeline; 7 to 12 match 5 to 10

        the same state at the end

        """
    ),
    Case(
      log: "counter",
      edits: ["--skip", "1"],
      report: """
        another timeline from action 1 on, with 1 edit: 11 actions in the place of 12
          skip 1
        action 1 is only in the old timeline; 2 to 12 match 1 to 11

        the same state at the end

        """
    ),
    Case(
      log: "counter",
      edits: ["--skip", "4"],
      report: """
        another timeline from action 4 on, with 1 edit: 8 actions in the place of 12
          skip 4
        actions 1 to 3 match; actions 4 to 6 are only in the old timeline; 7 to 9 match 4 to 6; action 10 is only in the old timeline; 11 to 12 match 7 to 8; 4 other events are only in the old timeline; 1 other event is only in the new one

        left out
          action 5  .timerTicked  effect 4.0 never starts: action 4 does not come
          action 6  .timerTicked  effect 4.0 never starts: action 4 does not come
          action 10  .timerTicked  action 9 does not start effect 9.0 any more

        the same state at the end

        """
    ),
    Case(
      log: "search",
      edits: ["--edit", "4=.clearButtonTapped"],
      report: """
        another timeline from action 4 on, with 1 edit: 9 actions in the place of 10
          edit 4 .clearButtonTapped
        actions 1 to 3 match; actions 4 to 5 are only in the old timeline; action 4 is only in the new one; 6 to 10 match 5 to 9; 1 other event is only in the old timeline

        left out
          action 5  .answered(.failure(.notAWord("l1ma")))  action 4 does not start effect 4.0 any more

        other reads
          action 4 does not ask for date any more

        the same state at the end

        """
    ),
    Case(
      log: "search",
      edits: ["--edit", "7=.queryChanged(\"La\")"],
      report: """
        another timeline from action 7 on, with 1 edit: 9 actions in the place of 10
          edit 7 .queryChanged("La")
        actions 1 to 7 match; action 8 is only in the old timeline; 9 to 10 match 8 to 9; 1 other event is only in the new one

        left out
          action 8  .clearButtonTapped  the reducer does not send it any more, after action 7

        other reads
          action 7 asks for date, which was not recorded; 1970-01-01T00:00:00Z stands in

        the same state at the end

        """
    ),
    Case(
      log: "search",
      edits: ["--edit", "6=.queryChanged(\"\")"],
      report: """
        another timeline from action 6 on, with 1 edit: 11 actions in the place of 10
          edit 6 .queryChanged("")
        actions 1 to 6 match; action 7 is only in the new one; 7 to 10 match 8 to 11; 2 other events are only in the old timeline

        new
          action 7  .clearButtonTapped  sent by effect 6.0 of action 6

        other reads
          action 6 does not ask for date any more

        the same state at the end

        """
    ),
    Case(
      log: "todos",
      edits: ["--edit", "2 titleChanged.1 = \"\""],
      report: """
        another timeline from action 2 on, with 1 edit: 16 actions in the place of 16
          edit 2 titleChanged.1 = ""

        at the end
          − before, + after
          state
            titles["Buy milk"]
              − 1
            titles[""]
              + 1

        """
    ),
    Case(
      log: "search",
      edits: ["--insert", "3=.queryChanged(\"x\")"],
      report: """
        another timeline from action 4 on, with 1 edit: 11 actions in the place of 10
          insert 3 .queryChanged("x")
        actions 1 to 3 match; action 4 is only in the new one; 4 to 10 match 5 to 11; 2 other events are only in the new one

        new
          action 4  .queryChanged("x")  inserted

        other reads
          action 4 asks for date, which was not recorded; 1970-01-01T00:00:00Z stands in

        the same state at the end

        """
    ),
    Case(
      log: "search",
      edits: ["--reorder", "9 before 7"],
      report: """
        another timeline from action 7 on, with 1 edit: 9 actions in the place of 10
          reorder 9 before 7
        actions 1 to 6 match; 7 to 8 match 8 to 9; action 9 is action 7 of the new one; action 10 is only in the old timeline; 1 event of an effect has moved; 1 other event is only in the new one

        left out
          action 10  .answered(.success([(name: "Lima", tags: ["capital", "harbour", "desert"])]))  effect 9.0 is canceled before

        at the end
          − before, + after
          state
            query
              − "Lima"
              + ""
            results[0]
              − "Lima"
            tags[2]
              − "harbour"
            tags[1]
              − "desert"
            tags[0]
              − "capital"
            askedAt
              − 2026-11-21T05:21:05.2649367Z
              + nil

        """
    ),
    Case(
      log: "search",
      edits: ["--reorder", "4 after 5"],
      report: """
        another timeline from action 5 on, with 1 edit: 9 actions in the place of 10
          reorder 4 after 5
        actions 1 to 4 match; action 5 is only in the old timeline; 6 to 10 match 5 to 9

        left out
          action 5  .answered(.failure(.notAWord("l1ma")))  effect 4.0 has not started by then

        the same state at the end

        """
    ),
    Case(
      log: "todos",
      edits: ["--reorder", "4 after 5"],
      report: """
        another timeline from action 4 on, with 1 edit: 15 actions in the place of 16
          reorder 4 after 5
        actions 1 to 3 match; action 4 is only in the old timeline; 5 to 16 match 4 to 15; 1 other event is only in the old timeline; 2 other events are only in the new one

        left out
          action 4  .saved(.success(1))  effect 2.0 is canceled before

        the same state at the end

        """
    ),
    Case(
      log: "todos",
      edits: ["--answer", "1 uuid = \"00000000-0000-0000-0000-000000000009\""],
      report: """
        another timeline from action 1 on, with 1 edit: 14 actions in the place of 16
          answer 1 uuid = …0009
        actions 1 to 3 match; action 4 is only in the old timeline; 5 matches 4; action 6 is only in the old timeline; 7 to 16 match 5 to 14; 2 other events are only in the old timeline; 1 id mapped

        left out
          action 4  .saved(.success(1))  action 2 does not start effect 2.0 any more
          action 6  .saved(.failure(.emptyTitle(…E68E)))  action 5 does not start effect 5.0 any more

        at the end
          − before, + after
          state
            todos[1]
              + (id: …0009, title: "", isDone: false, addedAt: 2026-11-21T05:21:04.9111813Z)
            titles["Buy milk"]
              − 1

        """
    ),
    Case(
      log: "search",
      edits: ["--answer", "4.0 .answered(.success([]))"],
      report: """
        another timeline from action 5 on, with 1 edit: 10 actions in the place of 10
          answer 4.0 .answered(.success([]))

        the same state at the end

        """
    ),
    Case(
      log: "search",
      edits: ["--answer", "6.0 .answered(.success([]))"],
      report: """
        another timeline from action 8 on, with 1 edit: 11 actions in the place of 10
          answer 6.0 .answered(.success([]))
        actions 1 to 7 match; action 8 is only in the new one; 8 to 10 match 9 to 11

        new
          action 8  .answered(.success([]))  inserted, sent by effect 6.0 of action 6

        the same state at the end

        """
    ),
    Case(
      log: "search",
      edits: ["--answer", "4.0 failed"],
      report: """
        another timeline from action 5 on, with 1 edit: 9 actions in the place of 10
          answer 4.0 failed Error("failed")
        actions 1 to 4 match; action 5 is only in the old timeline; 6 to 10 match 5 to 9; 1 other event is only in the old timeline; 1 other event is only in the new one

        the same state at the end

        """
    ),
    Case(
      log: "search",
      edits: ["--answer", "9.0 cancelled"],
      report: """
        another timeline from action 10 on, with 1 edit: 9 actions in the place of 10
          answer 9.0 cancelled
        actions 1 to 9 match; action 10 is only in the old timeline; 1 other event is only in the new one

        at the end
          − before, + after
          state
            results[0]
              − "Lima"
            tags[2]
              − "harbour"
            tags[1]
              − "desert"
            tags[0]
              − "capital"
            isSearching
              − false
              + true

        """
    ),
    Case(
      log: "search",
      edits: ["--set", "9 query = \"zz\"", "--skip", "10"],
      report: """
        another timeline from action 9 on, with 2 edits: 9 actions in the place of 10
          skip 10
          set 9 query = "zz"
        actions 1 to 9 match; action 10 is only in the old timeline; 1 other event is only in the new one

        at the end
          − before, + after
          state
            query
              − "Lima"
              + "zz"
            results[0]
              − "Lima"
            tags[2]
              − "harbour"
            tags[1]
              − "desert"
            tags[0]
              − "capital"
            isSearching
              − false
              + true

        """
    ),
  ]

  @Test(
    "fork reports the differences of a new timeline, and writes a log that replays",
    arguments: cases
  )
  func reports(fork: Case) throws {
    let folder = try TemporaryFolder()
    let output = "\(folder.path)/fork.jsonl"
    let log = "SampleLogs/\(fork.log).jsonl"
    let result = try Tool.replay.run(
      ["fork", log, "-o", output] + fork.edits,
      in: Project.folder
    )
    #expect(result.output == "\(log): \(fork.report)")
    #expect(result.error == "")
    #expect(result.status == 0)
    let run = try Tool.replay.run("run", output, "--format", "json")
    #expect(run.output.contains(#""verdict":"identical""#), "\(run.output)")
    let verify = try Tool.replay.run("verify", output)
    #expect(verify.status == 0, "\(verify.output)")
  }

  static let refusals: [(edits: [String], status: Int32, message: String)] = [
    (["--skip", "99"], 1, "skip 99: the log has no action 99; it has actions 1 to 10"),
    (
      ["--edit", "4=.nosuch"], 64,
      "edit 4 .nosuch: the host cannot read action 4, .nosuch: the value names the case 'nosuch', which Search.Action lacks"
    ),
    (
      ["--edit", "4=.anwered(4)"], 64,
      "edit 4 .anwered(4): the host cannot read action 4, .anwered(4): the value names the case 'anwered', which Search.Action lacks; did you mean '.answered'?"
    ),
    (
      ["--insert", #"4=.qeryChanged("x")"#], 64,
      #"insert 4 .qeryChanged("x"): the host cannot read action 5, .qeryChanged("x"): the value names the case 'qeryChanged', which Search.Action lacks; did you mean '.queryChanged'?"#
    ),
    (
      ["--insert", "4=.queryChanged(5)"], 64,
      "insert 4 .queryChanged(5): the host cannot read action 5, .queryChanged(5): 'queryChanged.0' should be a string for String; found 5"
    ),
    (
      ["--set", "4 query = 5"], 64,
      "set 4 query = 5: the host cannot read the state after action 4: 'query' should be a string for String; found 5"
    ),
    (
      ["--edit", "8=.clearButtonTapped"], 64,
      "edit 8 .clearButtonTapped: the reducer itself sends action 8, with effect 7.0; edit or skip action 7, which leads to it"
    ),
    (
      ["--answer", "1 date = 5"], 64,
      "answer 1 date = 5: the host cannot read this answer: the read 'date': the value should be a date such as 2001-01-01T00:00:00Z for Date; found 5"
    ),
    (
      ["--answer", "1 uuid = 1"], 1, "answer 1 uuid = 1: the action did not read that; it read date"
    ),
    (
      ["--answer", "99.0 nothing"], 1,
      "answer 99.0 nothing: the log has no effect 99.0; expected one that 'info effects' or 'show' lists"
    ),
    (
      ["--answer", "7.0 nothing"], 64,
      "answer 7.0 nothing: the reducer itself sends an action with effect 7.0; edit or skip action 7, which leads to it"
    ),
    (
      ["--reorder", "5 before 4"], 64,
      "reorder 5 before 4: the action follows from action 4; expected a place after that"
    ),
    (["--reorder", "5 after 5"], 64, "reorder 5 after 5: expected two different actions"),
    (
      ["--skip", "4", "--edit", "4=.clearButtonTapped"], 64,
      "edit 4 .clearButtonTapped: skip 4 is about the same action; expected one edit for each"
    ),
    (
      ["--set", "4 quer = 5"], 1,
      "set 4 quer = 5: the state after action 4 has nothing at 'quer'; did you mean 'query'?"
    ),
    (
      ["--set", "4 tags[*] = 5"], 64,
      "set 4 tags[*] = 5: 'tags[*]' stands for 4 places; expected one of tags[0], tags[1], tags[2], tags[3]"
    ),
    (
      ["--edit", "4 queryChanged.1 = \"x\""], 1,
      "edit 4 queryChanged.1 = \"x\": action 4 has nothing at 'queryChanged.1'; 'queryChanged' is \"l1ma\""
    ),
    (
      ["--answer", "4.0 .answered(.failure(_))"], 64,
      "answer 4.0 .answered(.failure(_)): '_' leaves open what is meant; expected the value itself"
    ),
  ]

  @Test("fork refuses an edit that does not fit the log", arguments: refusals)
  func refuses(edits: [String], status: Int32, message: String) throws {
    let log = Project.sample("search.jsonl")
    let result = try Tool.replay.run(["fork", log] + edits)
    #expect(result.error == "tca-replay: \(message)\n")
    #expect(result.output == "")
    #expect(result.status == status)
  }

  @Test("fork ends the new timeline at the action in which the host traps")
  func trap() throws {
    let folder = try TemporaryFolder()
    let output = "\(folder.path)/fork.jsonl"
    let host = Tool.crashingApp.path
    let result = try Tool.replay.run(
      ["fork", "SampleLogs/counter.jsonl", "--skip", "2", "--host", host, "-o", output],
      in: Project.folder
    )
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.first
        == "SampleLogs/counter.jsonl: another timeline from action 2 on, with 1 edit: 6 actions in the place of 12"
    )
    #expect(
      lines[2]
        == "action 1 matches; action 2 is only in the old timeline; 3 to 7 match 2 to 6; actions 8 to 12 are only in the old timeline; 4 other events are only in the old timeline"
    )
    #expect(lines[3].hasPrefix("the host trapped in action 6 (SIG"))
    #expect(lines[3].hasSuffix("), at which the timeline ends"))
    #expect(
      lines[4...] == ["", "left out", "  actions 8 to 12  the timeline ends before", ""]
    )
    #expect(result.status == 0)
    let run = try Tool.replay.run("run", output, "--host", host)
    #expect(run.output.hasPrefix("\(output): trap reproduced at action 6"), "\(run.output)")
    #expect(run.status == 0)
  }

  @Test("an edit whose replay hangs is undone after the time limit, and the debugger continues")
  func hang() throws {
    let folder = try TemporaryFolder()
    let sign = try folder.write(to: "sign")
    let result = try Tool.replay.run(
      [
        "debug", Project.sample("counter.jsonl"), "--host", Tool.crashingApp.path, "--timeout", "2",
        "-ex", "goto 3", "-ex", "skip 2", "-ex", "print count", "-ex", "edits",
      ],
      environment: ["TCA_REPLAY_TEST_SIGN": sign]
    )
    #expect(
      result.error
        == """
        tca-replay: the host took longer than 2 s and was killed at action 6; --timeout SECONDS gives it more time

        """
    )
    #expect(result.output.hasSuffix("1\nnone: this is the recorded timeline\n"), "\(result.output)")
    #expect(result.status == 69)
  }
}
