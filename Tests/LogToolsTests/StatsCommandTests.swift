import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// `stats`: numbers about logs.
@MainActor @Suite struct StatsCommandTests {
  @Test func whatALogConsistsOf() async throws {
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
              actions
                .increment  5  2.0 µs each, longest 2 µs
                .load       2
                .add        1  2.0 µs each, longest 2 µs
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
              effects
                send  4
                load  2
                run   2
              effects that
                finished   4
                cancelled  3
                started    1
              largest event: change on line 9, 209 bytes

            """
        )
    )
  }
}
