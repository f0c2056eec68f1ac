import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Logs that are replayed in parallel ranges give the same output as logs that are replayed from beginning to end.
@MainActor @Suite struct StretchedRunTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    // Every checkpoint is a possible boundary.
    terminal.leastStretch = 1
  }

  private static let formats = ["text", "json", "junit", "github", "markdown"]

  /// Runs a command on a log with and without `--serial`, and expects the same output.
  ///
  /// - Returns: The output.
  @discardableResult
  private func compare(
    _ command: [String],
    _ lines: [String],
    _ comment: @autoclosure () -> String = ""
  ) async throws -> Terminal.Result {
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let stretched = try await terminal.run(command + ["a.jsonl"])
    let serial = try await terminal.run(command + ["a.jsonl", "--serial"])
    #expect(stretched == serial, "\(comment())")
    return serial
  }

  @Test(arguments: Thoroughness.seeds(4, thorough: 40))
  func `run, verify and stats print the same whether or not they process a random log in stretches`(
    seed: UInt64
  ) async throws {
    let lines = try LongLog.lines(
      seed: seed,
      actions: 120,
      effects: seed.isMultiple(of: 2) ? 12 : 60
    )
    for format in Self.formats {
      let result = try await compare(["run", "--format", format], lines, "seed \(seed) \(format)")
      #expect(result.status == 0, "seed \(seed): \(result)")
    }
    #expect(terminal.proved.value > 8, "seed \(seed)")
    for command in [["verify"], ["stats"]] {
      for format in ["text", "json"] {
        let result = try await compare(command + ["--format", format], lines, "seed \(seed)")
        #expect(result.status == 0, "seed \(seed): \(result)")
      }
    }
  }

  @Test(arguments: CounterEngine.Change.allCases)
  func `run prints the same for changed code whether or not it replays a log in stretches`(
    change: CounterEngine.Change
  ) async throws {
    terminal.change = change
    for seed in 100..<Thoroughness.count(101, thorough: 103) as Range<UInt64> {
      let lines = try LongLog.lines(seed: seed, actions: 50)
      for options in [[], ["--strict"], ["--ignore", "/count"], ["--continue"], ["--verbose"]] {
        try await compare(["run"] + options, lines, "seed \(seed) \(options)")
      }
      try await compare(["run", "--format", "json", "--ignore", "/count"], lines, "seed \(seed)")
    }
  }

  /// Returns a manually edited log: a line is deleted, repeated, swapped with the next, cut off, changed, or followed
  /// by another.
  private static func tampered(_ lines: [String], _ random: inout SplitMix64) -> [String] {
    var lines = lines
    let place = Int.random(in: 0..<lines.count, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: lines.remove(at: place)
    case 1: lines.insert(lines[place], at: place)
    case 2: lines.swapAt(place, min(place + 1, lines.count - 1))
    case 3: lines[place] = String(lines[place].dropLast())
    case 4: lines.removeSubrange(place...)
    case 5:
      let others = [
        "", "{}", "\u{0}", #"{"kind":"note","seq":1,"at":1,"text":"x"}"#,
        #"{"kind":"new","seq":1}"#, #"{"kind":"gap","seq":1,"dropped":1,"reason":"x"}"#,
        #"{"kind":"external","seq":1,"at":1,"patch":[{"op":"replace","path":"/count","value":1}]}"#,
        #"{"kind":"end","seq":1,"reason":"closed"}"#, lines[0], lines[1],
      ]
      lines.insert(others.randomElement(using: &random) ?? "", at: place)
    default:
      let digits = "0123456789"
      let spots = lines[place].indices.filter { digits.contains(lines[place][$0]) }
      guard let spot = spots.randomElement(using: &random) else { break }
      let digit = digits.randomElement(using: &random) ?? "0"
      lines[place].replaceSubrange(spot...spot, with: String(digit))
    }
    return lines
  }

  @Test(arguments: Thoroughness.seeds(2, thorough: 20))
  func `run, verify and stats print the same for a tampered log with and without stretches`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let lines = try LongLog.lines(seed: seed, actions: 40, effects: 30)
    for number in 0..<Thoroughness.count(15, thorough: 30) {
      let tampered = Self.tampered(lines, &random)
      let comment = "seed \(seed), number \(number)"
      try await compare(["run", "--format", number % 4 == 0 ? "json" : "text"], tampered, comment)
      try await compare(["verify"], tampered, comment)
      try await compare(["stats", "--format", "json"], tampered, comment)
    }
  }

  @Test
  func `run and verify in stretches print the same for a log in which any one line is changed`()
    async throws
  {
    // In each range of a log, one line of each kind is changed.
    let lines = try LongLog.lines(seed: 7, actions: 20, effects: 20)
    for place in lines.indices.dropFirst() {
      var tampered = lines
      tampered[place] = tampered[place].replacing(/"value":\d+|"count":\d+|"seq":\d+|"id":"\d+/) {
        "\($0.output)1"
      }
      try await compare(["run"], tampered, "line \(place + 1)")
      try await compare(["verify"], tampered, "line \(place + 1)")
    }
  }

  @Test func `run, verify and stats print the same for several logs of a file with stretches`()
    async throws
  {
    let logs = try (0..<3 as Range<UInt64>).map { try LongLog.lines(seed: $0, actions: 40) }
    for command in [["run"], ["verify", "--format", "json"], ["stats", "--format", "json"]] {
      try await compare(command, Array(logs.joined()))
    }
    #expect(terminal.proved.value > 0)
  }

  @Test func `run does not replay in stretches with one job, with --serial or for a short log`()
    async throws
  {
    let lines = try LongLog.lines(seed: 1, actions: 40)
    try terminal.folder.write(lines.joined(separator: "\n"), to: "a.jsonl")
    #expect(try await terminal.run("run", "a.jsonl", "--jobs", "1").status == 0)
    #expect(try await terminal.run("run", "a.jsonl", "--serial").status == 0)
    #expect(terminal.proved.value == 0)
    terminal.leastStretch = 1_000_000
    #expect(try await terminal.run("run", "a.jsonl").status == 0)
    #expect(terminal.proved.value == 0)
  }
}
