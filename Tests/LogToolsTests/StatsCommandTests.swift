import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// `stats`: statistics of logs.
@MainActor @Suite struct StatsCommandTests {
  @Test func `stats prints the events, actions, effects and sizes of a log`() async throws {
    let terminal = try Terminal()
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    #expect(
      try await terminal.run("stats", "a.jsonl")
        == .init(
          status: 0,
          output: """
            a.jsonl: Counter, 16 actions in 90 µs, 45 lines, 4.2 kB
              events
                action      16  1.3 kB
                change      16  1.8 kB
                effect       8  531 bytes
                checkpoint   2  277 bytes
                end          1  41 bytes
                header       1  205 bytes
                read         1  50 bytes
              actions           p50   p95   max
                .increment  5  2 µs  2 µs  2 µs
                .load       2
                .add        1  2 µs  2 µs  2 µs
                .burst      1
                .cancel     1
                .chain      1
                .done       1
                .first      1
                .loaded     1
                .second     1
                .third      1
              sent by
                effect     7
                view       7
                parent     1
                reentrant  1
              reads
                uuid  1
              effects       p50    p95    max
                send   4
                load   2  21 µs  26 µs  26 µs  2 canceled
                run    2   2 µs   9 µs   9 µs  1 canceled
              state  19 bytes at the start, 23 bytes at the end
                id     2 bytes → 5 bytes
                count  1 byte → 2 bytes
              largest changes
                137 bytes   7  .first
                86 bytes    2  .add
                85 bytes    1  .increment
                80 bytes   11  .increment
                80 bytes   12  .done
              largest event: change on line 9, 209 bytes

            """
        )
    )
  }

  @Test func `stats lists effects that have not ended, and values that grow`() async throws {
    let terminal = try Terminal()
    let log = """
      {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"1","feature":"Rows"}
      {"kind":"checkpoint","seq":0,"state":{"rows":[],"note":"a"},"effects":[{"id":"0.0","op":"run","name":"watch"}]}
      {"kind":"action","seq":1,"at":1000,"origin":"view","action":{"rows":{"_0":{"element":{"id":3,"action":{"go":{}}}}}}}
      {"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/0","value":"\(String(repeating: "x", count: 900))"}],"effects":[{"op":"concatenate","effects":[{"id":"1.0","op":"run","name":"first"},{"id":"1.1","op":"run","name":"second"}]},{"id":"1.2","op":"run","source":"App/Rows.swift:9"}],"us":5}
      {"kind":"effect","id":"1.0","event":"finished","sent":0,"at":3000}
      {"kind":"effect","id":"1.1","event":"started","at":4000}
      {"kind":"action","seq":2,"at":9000,"origin":"view","action":{"clear":{}}}
      {"kind":"change","seq":2,"patch":[{"op":"remove","path":"/rows/0"},{"op":"replace","path":"/note","value":"abc"}],"us":7}
      {"kind":"effect","id":"1.2","event":"failed","error":"x","at":9500}

      """
    try terminal.folder.write(log, to: "a.jsonl")
    let output = try await terminal.run("stats", "a.jsonl").output
    let start = try #require(output.firstRange(of: "  actions"))
    #expect(
      output[start.lowerBound...] == """
          actions           p50   p95   max
            .clear      1  7 µs  7 µs  7 µs
            .rows[].go  1  5 µs  5 µs  5 µs
          sent by
            view  2
          effects               p50     p95     max
            Rows.swift:9  1  8.5 ms  8.5 ms  8.5 ms  1 failed
            first         1  2.0 ms  2.0 ms  2.0 ms
            second        1
            watch         1
          effects that had not ended
            watch 0.0
            second 1.1  for 5.5 ms
          state  22 bytes at the start, 24 bytes at the end, 924 bytes after action 1
            note  3 bytes → 5 bytes
          largest changes
            1.2 kB     1  .rows[].go
            121 bytes  2  .clear
          largest event: change on line 4, 1.2 kB

        """
    )
    let json = try await terminal.run("stats", "a.jsonl", "--format", "json").output
    let document = try #require(try JSON(parsing: json)["logs"]?.array?.first)
    #expect(
      document["unended"] == [
        ["id": "0.0", "name": "watch"], ["id": "1.1", "name": "second", "at": 4000],
      ]
    )
    #expect(document["state"]?["largest"] == ["seq": 1, "bytes": 924])
    #expect(
      document["effects"]?["first"] == [
        "count": 1, "finished": 1, "cancelled": 0, "failed": 0, "timed": 1, "microseconds": 2000,
        "p50": 2000, "p95": 2000, "longest": 2000,
      ]
    )
  }
}
