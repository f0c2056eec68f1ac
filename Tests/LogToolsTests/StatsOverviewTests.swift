import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools

/// `stats` of several logs: totals, a line for each log, and the slowest, largest and most frequent items.
@MainActor @Suite struct StatsOverviewTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(TerminalWidthTests.log, to: "logs/orders.jsonl")
    try terminal.folder.write(SampleLog.text, to: "logs/counter.jsonl")
  }

  private static let rest = """

    slowest actions
      1.5 ms  logs/orders.jsonl   1  .addButtonTapped
      20 µs   logs/orders.jsonl   2  .rows[].titleChanged
      2 µs    logs/counter.jsonl  1  .increment
      2 µs    logs/counter.jsonl  2  .add

    largest changes
      570 bytes  logs/orders.jsonl    1  .addButtonTapped
      137 bytes  logs/counter.jsonl   7  .first
      134 bytes  logs/orders.jsonl    2  .rows[].titleChanged
      86 bytes   logs/counter.jsonl   2  .add
      85 bytes   logs/counter.jsonl   1  .increment
      80 bytes   logs/counter.jsonl  11  .increment
      80 bytes   logs/counter.jsonl  12  .done
      80 bytes   logs/counter.jsonl  14  .increment
      80 bytes   logs/counter.jsonl  15  .increment
      80 bytes   logs/counter.jsonl  16  .increment

    most frequent actions               p50   p95   max
      .increment           Counter  5  2 µs  2 µs  2 µs
      .load                Counter  2
      .add                 Counter  1  2 µs  2 µs  2 µs
      .burst               Counter  1
      .cancel              Counter  1
      .chain               Counter  1
      .done                Counter  1
      .first               Counter  1
      .loaded              Counter  1
      .second              Counter  1

    --verbose shows each log in full, --sort count|time|size|name sorts the lines

    """

  private static let title = "2 logs of 2 features, 18 actions in 9.1 ms, 61 lines, 6.3 kB\n"
  private static let head = "  actions    time  slowest    size\n"
  private static let counter =
    "  logs/counter.jsonl  Counter       16   90 µs     2 µs  4.2 kB\n"
  private static let orders =
    "  logs/orders.jsonl   Orders         2  9.0 ms   1.5 ms  2.1 kB\n"

  @Test(arguments: [
    ([], ["counter", "orders"]), (["--sort", "name"], ["counter", "orders"]),
    (["--sort", "count"], ["counter", "orders"]), (["--sort", "time"], ["orders", "counter"]),
    (["--sort", "size"], ["counter", "orders"]),
  ])
  func `stats prints one line for each of several logs, sorted as --sort asks`(
    options: [String],
    order: [String]
  ) async throws {
    let lines = order.map { $0 == "orders" ? Self.orders : Self.counter }
    let result = try await terminal.run(["stats", "logs"] + options)
    // The header is aligned to names with the folder, which differs in each run.
    let output = result.output.replacing(#/\n +actions/#, with: "\n  actions")
    #expect(output == Self.title + Self.head + lines.joined() + Self.rest)
    #expect(result.status == 0 && result.error.isEmpty, "\(result)")
  }

  @Test func `stats --verbose prints each of several logs in full`() async throws {
    let logs = ["logs/counter.jsonl", "logs/orders.jsonl"]
    var output = ""
    for log in logs { output += try await terminal.run("stats", log).output }
    #expect(
      try await terminal.run(["stats"] + logs + ["--verbose"]) == .init(status: 0, output: output)
    )
  }

  @Test func `stats prints the only readable log of a folder in full`() async throws {
    try terminal.folder.write("", to: "logs/empty.jsonl")
    try terminal.folder.write("", to: "logs/counter.jsonl")
    let alone = try await terminal.run("stats", "logs/orders.jsonl").output
    let result = try await terminal.run("stats", "logs")
    #expect(result.output == alone)
    #expect(result.status == 65)
  }

  @Test
  func `stats --format json lists slow actions and the effects that the store's end cut short`()
    async throws
  {
    let output = try await terminal.run("stats", "logs/orders.jsonl", "--format", "json").output
    let document = try #require(try JSON(parsing: output)["logs"]?.array?.first)
    #expect(
      document["slowestActions"] == [
        ["seq": 1, "action": ".addButtonTapped", "microseconds": 1500],
        ["seq": 2, "action": ".rows[].titleChanged", "microseconds": 20],
      ]
    )
    #expect(
      document["cutByStore"] == [
        ["id": "1.2", "name": "OrderRow.TimerID(id: 1)", "at": 1000, "end": 9000],
        ["id": "1.3", "name": "OrderRow.TimerID(id: 2)", "at": 1000, "end": 9000],
      ]
    )
    // There, each id has separate numbers.
    #expect(document["effects"]?["OrderRow.TimerID(id: 1)"]?["cancelled"] == 1)
  }
}
