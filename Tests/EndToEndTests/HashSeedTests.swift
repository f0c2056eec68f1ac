import ActionLog
import Foundation
import TestSupport
import Testing

/// The order of sets in real processes.
///
/// It is the same in all replays, but differs between recordings.
@Suite("Hash seeds")
struct HashSeedTests {
  private static let shelves = ["dairy", "bakery", "fruit", "household", "paper", "garden"]

  /// Records a receipt that lists its shelves.
  private static func record(
    in folder: TemporaryFolder,
    _ environment: [String: String] = [:]
  ) throws -> String {
    let scans = shelves.map { #"{"scanned":{"name":"a","shelf":"\#($0)"}}"# }
    try folder.write(
      (scans + [#"{"shelvesButtonTapped":{}}"#]).joined(separator: "\n") + "\n",
      to: "actions"
    )
    let log = "log\(folder.files.count).jsonl"
    let result = try Tool.replay.run(
      ["record", "Receipt", "--actions", "actions", "-o", log],
      environment: environment,
      in: folder.path
    )
    #expect(result.status == 0, "\(result.error)")
    return log
  }

  /// Returns a host that can only replay a log from its standard input.
  private static func filter(in folder: TemporaryFolder) throws -> String {
    try folder.script(
      """
      [ "$1" = serve ] && exit 2
      exec '\(Tool.replay.path)' "$@"

      """,
      named: "filter"
    )
  }

  @Test(
    "without a hash seed, sets and dictionaries have the same order in every replay",
    arguments: [true, false]
  )
  func repeats(isServing: Bool) throws {
    let folder = try TemporaryFolder()
    let log = try Self.record(in: folder, ["TCA_REPLAY_HASH_SEED": "7"])
    let host = try isServing ? Tool.replay.path : Self.filter(in: folder)
    func run(_ environment: [String: String]) throws -> (status: Int32, output: String) {
      let result = try Tool.replay.run(
        ["run", log, "--host", host],
        environment: environment,
        in: folder.path
      )
      return (result.status, result.output)
    }
    let plain = try (1...3).map { _ in try run([:]) }
    #expect(plain[0].output.hasPrefix("\(log): diverged at action 7: state shelves\n"))
    #expect(Set(plain.map(\.output)).count == 1)
    // A seed in the environment has precedence.
    #expect(try run(["TCA_REPLAY_HASH_SEED": "7"]) == (0, "\(log): identical, through action 7\n"))
    #expect(try run(["TCA_REPLAY_HASH_SEED": "0"]).output == plain[0].output)
  }

  @Test("different recordings have sets and dictionaries in different orders, as apps do")
  func recordings() throws {
    let folder = try TemporaryFolder()
    let lists = try (1...4)
      .map { _ in
        let text = try folder.read(Self.record(in: folder))
        return text.split(separator: "\n").first { $0.contains(#""/shelves""#) }
          .map { $0.replacing(/"us":\d+/, with: "") } ?? ""
      }
    // Four of 720 orders.
    #expect(Set(lists).count > 1, "\(lists)")
  }
}
