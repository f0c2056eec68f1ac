import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools

/// Properties of the comparison of two aligned logs, with random scripts.
@Suite struct AlignedComparisonTests {
  typealias Command = ScriptedLog.Command

  private static func compare(
    _ first: [String],
    _ second: [String],
    ignoring places: [JSON.Pointer] = []
  ) throws -> AlignedComparisonResult {
    func events(_ lines: [String]) -> LogComparison.Events {
      var events = lines.compactMap { LogEvent(line: $0.utf8) }[...]
      return { events.popFirst() }
    }
    var comparison = try AlignedComparison(
      { events(first) },
      { events(second) },
      options: LogComparison.Options(ignored: places)
    )
    return try comparison.run()
  }

  @Test(arguments: Thoroughness.seeds(12, thorough: 40))
  func `aligning a log with itself finds no difference`(seed: UInt64) throws {
    let random = RandomLog(seed: seed, actions: 30).lines
    let logs = try Self.compare(random, random)
    #expect(logs.isSame, "\(logs.groups)")
    #expect(logs.mapped.isEmpty)
    #expect(logs.matches == [AlignedComparisonResult.Match(first: 1...30, second: 1...30)])
    let script = ScriptedLog(ScriptedLog.script(40, seed: seed), seed: seed)
    #expect(try Self.compare(script.lines, script.lines).isSame)
  }

  @Test(arguments: Thoroughness.seeds(12, thorough: 40))
  func `aligning two recordings of one script finds no difference, and maps ids and dates`(
    seed: UInt64
  ) throws {
    let script = ScriptedLog.script(60, seed: seed)
    let first = ScriptedLog(script, seed: 2 * seed)
    let logs = try Self.compare(first.lines, ScriptedLog(script, seed: 2 * seed + 1).lines)
    #expect(logs.isSame, "\(logs.groups)")
    let adds = script.count { if case .add = $0 { true } else { false } }
    let loads = script.count { if case .load = $0 { true } else { false } }
    #expect(logs.mappedCounts == .init(ids: adds + loads, dates: adds, masked: 0))
  }

  // MARK: - Edits

  enum Edit: CaseIterable { case delete, insert, repeated, move }

  /// Returns a script with one edit of a command on which no other command depends.
  private static func edited(
    _ script: [Command],
    _ edit: Edit,
    _ random: inout SplitMix64
  ) -> [Command] {
    var edited = script
    let free = script.indices.filter {
      switch script[$0] {
      // The first two rows exist from the second command on, even if a command moves.
      case .rename(let row, _), .toggle(let row), .select(let row): edit != .move || row < 2
      case .add, .load: false
      }
    }
    guard let index = free.randomElement(using: &random) else { return script }
    switch edit {
    case .delete: edited.remove(at: index)
    case .insert: edited.insert(.rename(row: 0, title: "inserted"), at: index)
    case .repeated: edited.insert(script[index], at: index)
    case .move:
      let command = edited.remove(at: index)
      edited.insert(command, at: Int.random(in: 2...edited.count, using: &random))
    }
    return edited
  }

  /// Returns the commands without those that have moved or whose actions only one log has.
  private static func rest(
    _ log: ScriptedLog,
    without lone: [AlignedComparisonResult.UnpairedStep],
    of side: AlignedComparisonResult.Side
  ) -> [Command] {
    let seqs = Set(lone.filter { $0.side == side && $0.isAction }.map(\.seq))
    return log.commands.filter { !seqs.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  @Test(arguments: Edit.allCases, Thoroughness.seeds(8, thorough: 25))
  func `aligning two logs finds the action at which their scripts differ`(
    edit: Edit,
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    for ids in ScriptedLog.IDs.allCases {
      let script = ScriptedLog.script(50, seed: seed)
      let other = Self.edited(script, edit, &random)
      let first = ScriptedLog(script, seed: 2 * seed, ids: ids)
      let second = ScriptedLog(other, seed: 2 * seed + 1, ids: ids)
      let logs = try Self.compare(first.lines, second.lines)
      let lone = logs.lone
      // Several positions give the same script, and each of them is correct.
      #expect(
        Self.rest(first, without: lone, of: .first) == Self.rest(second, without: lone, of: .second)
      )
      let sides = [AlignedComparisonResult.Side.first, .second].map { side in
        lone.count { $0.side == side }
      }
      switch edit {
      case .delete: #expect(sides == [1, 0])
      case .insert, .repeated: #expect(sides == [0, 1])
      case .move:
        #expect(sides == (script == other ? [0, 0] : [1, 1]))
        #expect(lone.allSatisfy { $0.movedTo != nil })
      }
    }
  }

  @Test(arguments: Thoroughness.seeds(10, thorough: 25))
  func `aligning two logs finds one difference if a changed action has no further consequences`(
    seed: UInt64
  ) throws {
    var script = ScriptedLog.script(50, seed: seed)
    script.append(.rename(row: 0, title: "old"))
    let first = ScriptedLog(script, seed: 2 * seed)
    script[script.count - 1] = .rename(row: 0, title: "new")
    let logs = try Self.compare(first.lines, ScriptedLog(script, seed: 2 * seed + 1).lines)
    #expect(logs.lone.isEmpty)
    #expect(logs.differences.map(\.cause) == [.action, .state])
    #expect(logs.differences.map(\.expected) == ["old", "old"])
    #expect(logs.differences.map(\.actual) == ["new", "new"])
  }

  /// States are compared at their touched paths, so every difference at the end must have been found before.
  @Test(arguments: Thoroughness.seeds(12, thorough: 40))
  func `aligning two logs reports a difference at the action that causes it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for ids in ScriptedLog.IDs.allCases {
      let script = ScriptedLog.script(60, seed: seed)
      var other = script
      for _ in 0..<6 {
        other = Self.edited(other, Edit.allCases.randomElement(using: &random) ?? .move, &random)
      }
      // A row that only one log has shifts the others.
      let place = Int.random(in: 2...other.count, using: &random)
      if seed.isMultiple(of: 2) { other.insert(.add(row: 1000), at: place) }
      let logs = try Self.compare(
        ScriptedLog(script, seed: 2 * seed, ids: ids).lines,
        ScriptedLog(other, seed: 2 * seed + 1, ids: ids).lines
      )
      #expect(
        logs.groups.allSatisfy { $0.place != .end || $0.differences.isEmpty },
        "\(logs.groups.last.map { "\($0)" } ?? "")"
      )
    }
  }

  // MARK: - Ids

  /// Returns a log in which one id is replaced by another id of the log.
  private static func mutant(_ lines: [String], _ random: inout SplitMix64) -> [String]? {
    let pattern = /[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}/
    let known = Set(lines.flatMap { $0.matches(of: pattern).map { String($0.output) } }).sorted()
    let places = lines.indices.filter { $0 > 1 && lines[$0].contains(pattern) }
    guard known.count > 1, let place = places.randomElement(using: &random),
      let match = lines[place].matches(of: pattern).randomElement(using: &random),
      let wrong = known.filter({ $0 != match.output }).randomElement(using: &random)
    else { return nil }
    var mutant = lines
    mutant[place].replaceSubrange(match.range, with: wrong)
    return mutant
  }

  @Test(arguments: Thoroughness.seeds(30, thorough: 150))
  func `aligning two logs reports a difference if one id is replaced by another`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    for ids in ScriptedLog.IDs.allCases {
      let script = ScriptedLog.script(25, seed: seed)
      let first = ScriptedLog(script, seed: 2 * seed, ids: ids).lines
      for other in [2 * seed, 2 * seed + 1] {
        let second = ScriptedLog(script, seed: other, ids: ids).lines
        guard let mutant = Self.mutant(second, &random) else { continue }
        let logs = try Self.compare(first, mutant)
        let changed = zip(second, mutant).first { $0 != $1 }
        #expect(!logs.isSame, "\(changed.map { "\($0.0)\n\($0.1)" } ?? "")")
        #expect(try !Self.compare(mutant, first).isSame)
      }
    }
  }

  @Test func `aligning two logs reports a difference if the interval between two dates changes`()
    throws
  {
    func log(_ read: String, _ until: String) -> [String] {
      [
        SampleLog.lines[0],
        #"{"kind":"checkpoint","seq":0,"state":{"until":null},"effects":[]}"#,
        #"{"kind":"action","seq":1,"at":10,"origin":"view","action":{"begin":{}}}"#,
        #"{"kind":"read","seq":1,"key":"date","value":"\#(read)"}"#,
        #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/until","value":"\#(until)"}]}"#,
      ]
    }
    let first = log("2026-01-01T10:00:00Z", "2026-01-01T10:01:00Z")
    let same = try Self.compare(first, log("2026-02-03T04:05:06.25Z", "2026-02-03T04:06:06.25Z"))
    #expect(same.isSame)
    #expect(same.mappedCounts == .init(ids: 0, dates: 2, masked: 0))
    let other = try Self.compare(first, log("2026-02-03T04:05:06.25Z", "2026-02-03T04:06:07.25Z"))
    #expect(other.differences.map(\.path) == ["/until"])
  }

  @Test(arguments: [
    "2026-01-01T10:00:00Z", "2026-01-01T10:00:00.120Z", "2026-01-01T10:00:00.12Z",
    "1999-12-31T23:59:59.0000001Z", "0001-01-01T00:00:00Z",
    "2026-01-01T10:00:00.01234567890123456Z",
    "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A", "00000000-0000-0000-0000-000000000000",
  ])
  func `ExtractedIDs finds ids and dates and keeps their spelling`(text: String) {
    #expect(ExtractedIDs(text).ids.map(\.text) == [text])
    #expect(ExtractedIDs("a=\(text), \(text)").ids.map(\.text) == [text, text])
  }

  @Test(arguments: [
    "", "-", "2026-01-01", "2026-01-01T10:00:00", "2026-01-01T10:00:00.Z", "2026-13-01T10:00:00Z",
    "x2026-01-01T10:00:00Z", "2026-01-01T10:00:00Zx", "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1",
    "G9CD9E26-6D94-4A10-AFA3-8EF0B221AC1A", "069CD9E26-6D94-4A10-AFA3-8EF0B221AC1A",
    "2026-01-01T10:00:00.012345678901234567Z",
  ])
  func `ExtractedIDs finds no ids and dates in similar texts`(text: String) {
    #expect(ExtractedIDs(text).ids.isEmpty)
  }

  @Test func `aligning maps ids also inside texts, in lowercase and as keys`()
    throws
  {
    func log(_ id: String) -> [String] {
      [
        SampleLog.lines[0],
        #"{"kind":"checkpoint","seq":0,"state":{"text":"","link":"","votes":{}},"effects":[]}"#,
        #"{"kind":"action","seq":1,"at":10,"origin":"view","action":{"begin":{}}}"#,
        #"{"kind":"read","seq":1,"key":"uuid","value":"\#(id)"}"#,
        #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/text","value":"no row \#(id)"},"#
          + #"{"op":"replace","path":"/link","value":"https://a/\#(id.lowercased())?x"},{"op":"add","path":"/votes/\#(id)","value":1}]}"#,
      ]
    }
    let logs = try Self.compare(
      log("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"),
      log("8E73A17C-4146-4013-86F5-3B03D481E573")
    )
    #expect(logs.isSame, "\(logs.differences)")
    #expect(logs.mappedCounts == .init(ids: 1, dates: 0, masked: 0))
  }

  @Test func `aligning two logs reports no difference in an ignored part of the state`() throws {
    let script = ScriptedLog.script(30, seed: 3)
    let first = ScriptedLog(script + [.select(row: 0)], seed: 1)
    let second = ScriptedLog(script + [.select(row: 1)], seed: 2)
    #expect(
      try Self.compare(first.lines, second.lines).differences.map(\.cause) == [.action, .state]
    )
    let logs = try Self.compare(first.lines, second.lines, ignoring: [JSON.Pointer(["selected"])])
    #expect(logs.differences.map(\.cause) == [.action])
  }

  // MARK: - Growth

  private static func work(_ count: Int, edits: Int, seed: UInt64) throws -> Int {
    var random = SplitMix64(seed: seed)
    let script = ScriptedLog.script(count, seed: seed)
    var other = script
    for _ in 0..<edits {
      other = edited(other, .allCases.randomElement(using: &random) ?? .delete, &random)
    }
    let logs = try compare(
      ScriptedLog(script, seed: 1).lines,
      ScriptedLog(other, seed: 2).lines
    )
    return logs.work
  }

  /// A search through all pairs of actions would visit millions.
  @Test(arguments: [500, 1000])
  func `aligning logs with a few edits does a bounded amount of work for each action`(
    count: Int
  ) throws {
    #expect(try Self.work(count, edits: 10, seed: 5) < 20 * count)
  }

  @Test
  func `aligning very different sequences takes at most three times the work for twice the length`()
  {
    func work(_ count: Int) -> Int {
      var random = SplitMix64(seed: 7)
      let sequences = (0..<2).map { _ in
        (0..<count).map { _ in Int32.random(in: 0..<400, using: &random) }
      }
      return SequenceAlignment(sequences[0], sequences[1], mostEdits: 128).work
    }
    // Sequences with many times more edits than the search follows.
    let (short, long) = (work(1000), work(2000))
    #expect(long < 3 * short, "\(short) \(long)")
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `the alignment of two sequences is a longest common subsequence`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let sequences = (0..<2).map { _ in
      (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Int32.random(in: 0..<5, using: &random)
      }
    }
    let (first, second) = (sequences[0], sequences[1])
    let found = SequenceAlignment(first, second).counterparts
    let pairs = found.enumerated().compactMap { index, other in other.map { (index, $0) } }
    #expect(pairs.allSatisfy { first[$0.0] == second[$0.1] })
    #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.1 < $1.1 })
    var lengths = Array(
      repeating: Array(repeating: 0, count: second.count + 1),
      count: first.count + 1
    )
    for (row, one) in first.enumerated() {
      for (column, other) in second.enumerated() {
        lengths[row + 1][column + 1] =
          one == other
          ? lengths[row][column] + 1 : max(lengths[row][column + 1], lengths[row + 1][column])
      }
    }
    #expect(pairs.count == lengths[first.count][second.count])
  }
}
