import ActionLog
import Foundation
import SchemaChanges
import TCAReplay
import TestSupport
import Testing

@testable import ReplayEngine

/// The table of schema changes: a log of the previous version is identical after a migration.
@MainActor @Suite(.serialized) struct SchemaChangeTests {
  /// Returns the lines of a log of the shop.
  private func lines() async throws -> [String] {
    let folder = try TemporaryFolder()
    await Shop.record(to: folder.path + "/log.jsonl")
    return try folder.read("log.jsonl").split(separator: "\n").map(String.init)
  }

  private func feature(_ migrations: [Migration]) -> FeatureEntry {
    ReplayFeature("Shop", migrations: migrations) {
      Shop()
    } initialState: {
      Shop.State()
    }.entry
  }

  private func check(_ lines: [String], _ migration: Migration) throws -> ReplayedLog {
    let folder = try TemporaryFolder()
    let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "log.jsonl")
    return try #require(try ReplayedLog.check(logsAt: path, of: feature([migration])).first)
  }

  private func events(_ lines: [String]) throws -> LogComparison.Events {
    var rest = try lines.map { try LogEvent(json: JSON(parsing: $0)) }.makeIterator()
    return { rest.next() }
  }

  private nonisolated static let kinds = [
    "rename", "add", "remove", "reorder", "wrap", "split", "change the type of",
  ]

  private nonisolated static let values = [
    "the state", "action", "read", "call", "input", "error", "element of the stack",
    "shared value", "cancellation id",
  ]

  @Test(arguments: values)
  func `the table of schema changes covers each kind of change for each kind of value`(
    value: String
  ) {
    let names = SchemaChange.all.map(\.name).filter { $0.hasSuffix(" \(value)") }
    let kinds = Self.kinds.filter { kind in names.contains { $0.hasPrefix("\(kind) ") } }
    #expect(kinds == Self.kinds)
  }

  @Test
  func `an older log replays as identical with its migration, and migrate gives it current values`()
    async throws
  {
    let now = try await lines()
    for change in SchemaChange.all {
      let before = try change.before(now)
      let replayed = try check(before, change.migration)
      #expect(replayed.verdict == .identical, "\(change.name): \(replayed.text)")
      let plan = try MigrationPlan(feature([change.migration]))
      let migrator = LogMigrator { _ in plan }
      let next = try events(before)
      var migrated: [LogEvent] = []
      while let event = try migrator.next(next) { migrated.append(event) }
      let values = try migrated.map { try JSON(parsing: $0.line).withoutPatch }
      #expect(values == (try now.map { try JSON(parsing: $0).withoutPatch }), "\(change.name)")
    }
  }

  @Test func `logs of three schema versions replay as identical with their migrations`()
    async throws
  {
    let now = try await lines()
    let changes = SchemaChange.all
    for (index, second) in changes.enumerated() {
      let first = changes[(index + Self.distance) % changes.count]
      let shop = feature([])
      let entry = FeatureEntry(
        name: "Shop",
        stateType: "Shop.State",
        schemaVersion: 3,
        migrations: [first.migration, second.migration.beginning(at: 2)],
        makeEngine: shop.makeEngine
      )
      let third = try second.before(now, stating: 2)
      let versions = [now.stating(3), third, try first.before(third, stating: 1)]
      let folder = try TemporaryFolder()
      // Logs of the later versions need at most one migration, as in the test above.
      for (version, lines) in zip([3, 2, 1], versions)
      where version == 1 || index.isMultiple(of: 8) {
        let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "\(version).jsonl")
        let replayed = try #require(try ReplayedLog.check(logsAt: path, of: entry).first)
        let title = "\(first.name), \(second.name), version \(version): \(replayed.text)"
        #expect(replayed.verdict == .identical, Comment(rawValue: title))
      }
    }
  }

  /// The distance in the table between the two changes of a log, chosen so that most affect different values.
  private static let distance = 11

  @Test func `a store with a migration opens a log of the previous schema version`() async throws {
    let now = try await lines()
    for change in SchemaChange.all {
      let before = RecordedLog.lines(try change.before(now).joined(separator: "\n") + "\n")
      let store = try Store(replaying: before, through: 8, migrations: [change.migration]) {
        Shop()
      }
      #expect(
        store.title == "Shop" && store.limit == 21 && store.lines.count == 2,
        "\(change.name)"
      )
      #expect(store.path.count == 1, "\(change.name)")
    }
  }

  @Test func `segments of a ring and exports contain the schema version in their headers`() throws {
    let folder = try TemporaryFolder()
    let ring = LogDestination.ring(folder.path + "/log.jsonl", megabytes: 0.002)
    let recorder = Recorder(RecorderConfiguration(ring))
    let store = Store(initialState: Shop.State()) { Shop().recorded(as: "Shop", to: recorder) }
    for zip in 20001...20020 {
      store.send(.zipChanged("\(zip)"))
    }
    try recorder.export(to: URL(fileURLWithPath: folder.path + "/export.jsonl"))
    #expect(folder.files.count > 2, "\(folder.files)")
    for file in folder.files {
      let header = try folder.read(file).prefix { $0 != "\n" }
      #expect(header.contains(#""schemaVersion":2"#), "\(file): \(header)")
    }
  }

  /// The reasons why the suggestion is not sufficient.
  nonisolated static let open: [String: String] = [
    "change the type of a member of an input":
      "the input of effect 'save': the log has {\"title\":\"Shop\",\"zip\":20095,\"count\":{\"value\":7}}, the code"
      + " {\"title\":\"Shop\",\"zip\":\"20095\",\"count\":{\"value\":7}}",
    "change the type of a member of the state":
      "/zip: 'zip' should be a string for String; found 10115",
    "change the type of a read":
      "ShopClient.firstName: the value: the read 'ShopClient.firstName': the value should be a string for String; found [\"Ada\"]",
    "change the type of a shared value":
      "/limit: 'limit' should be a whole number from -9223372036854775808 to 9223372036854775807 for Int; found \"10\"",
    "change the type of a value of an action":
      "/zipChanged/_0: 'zipChanged.0' should be a string for String; found 20095",
    "change the type of a member of an element of the stack":
      "/path/*/element/detail/_0/page: 'path[0].detail.page' should be a whole number from -9223372036854775808 to"
      + " 9223372036854775807 for Int; found \"1\"",
    "change the type of a value of an error":
      "/problem/unknown/code: 'problem.unknown.code' should be a whole number from -9223372036854775808 to"
      + " 9223372036854775807 for Int; found \"7\"",
    "change the type of a value of a cancellation id":
      "the cancellation id of type 'Shop.CancelID': the log has {\"save\":{\"list\":\"1\",\"amount\":{\"value\":2},"
      + "\"buyer\":{\"first\":\"Ada\",\"last\":\"Lovelace\"}}}, the code {\"save\":{\"list\":1,\"amount\":{\"value\":2},"
      + "\"buyer\":{\"first\":\"Ada\",\"last\":\"Lovelace\"}}}",
    "split a member of an element of the stack":
      "diverged at action 5: state path[#0].detail.author.first and 1 more",
    "split a member of a shared value":
      "diverged at action 5: state path[#0].detail.preferences.owner.last",
    "split a read":
      "the code reads 'ShopClient.lastName', which the log lacks: read.add(\"ShopClient.lastName\", value: …) adds it",
    "split a value of a cancellation id":
      "the cancellation id of type 'Shop.CancelID': the log has {\"save\":{\"list\":1,\"amount\":{\"value\":2},"
      + "\"buyer\":\"Ada Lovelace\"}}, the code {\"save\":{\"list\":1,\"amount\":{\"value\":2},"
      + "\"buyer\":{\"first\":\"Ada\",\"last\":\"Lovelace\"}}}",
    "split the case of an error":
      "the log has the case '/problem/any', which the code lacks; cases that no value of the log has: 'unknown', 'soldOut'",
    "split an action":
      "the log has the case '/tapped', which the code lacks; cases that no value of the log has: 'limitRaised', 'stopTapped'",
  ]

  @Test
  func `the suggested migration is sufficient for renamed, added, removed and wrapped members`()
    async throws
  {
    let now = try await lines()
    var open: [String: String] = [:]
    for change in SchemaChange.all {
      let before = try change.before(now)
      guard case .header(let header)? = try events(before)() else { return }
      let suggestion = try #require(
        try MigrationSuggester(header, feature([]), events: { try events(before) }).suggestion()
      )
      let replayed = try check(before, suggestion.migration)
      let isEnough = replayed.verdict == .identical
      #expect(isEnough == change.isSuggested, "\(change.name): \(suggestion.swift)\(replayed.text)")
      guard !isEnough else { continue }
      let line = replayed.text.split(separator: "\n").first ?? ""
      let verdict = line.split(separator: "log.jsonl: ").last.map(String.init)
      open[change.name] = suggestion.unclear.first ?? verdict
    }
    #expect(open == Self.open)
  }
}

extension Migration {
  /// Returns the same migration for another version.
  fileprivate func beginning(at version: Int) -> Migration {
    Migration(
      from: version,
      state: state,
      action: action,
      read: read,
      call: call,
      input: input,
      cancelID: cancelID
    )
  }
}

extension [String] {
  /// Returns the lines of a log with another version in the header.
  fileprivate func stating(_ version: Int) -> [String] {
    var lines = self
    lines[0] = lines[0].replacing(#""schemaVersion":2,"#, with: #""schemaVersion":\#(version),"#)
    return lines
  }
}

extension JSON {
  /// The value without a patch, because another patch may have the same result.
  fileprivate var withoutPatch: JSON {
    guard var object else { return self }
    object["patch"] = nil
    return .object(object)
  }
}
