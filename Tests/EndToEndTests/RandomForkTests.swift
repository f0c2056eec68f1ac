import ActionLog
import Foundation
import TestSupport
import Testing

/// Random edits of the sample logs, replayed by a real host.
///
/// The result is a log that runs, or a refusal with a reason.
@Suite("Random forks") struct RandomForkTests {
  private static let logs = Project.samples.filter { !$0.hasPrefix("counter-diverged") }

  /// A log of other code.
  private static let diverging = "search-effects.jsonl"

  @Test("fork reports that the code replays the log differently even without an edit")
  func otherCode() throws {
    let result = try Tool.replay.run(
      ["fork", "SampleLogs/\(Self.diverging)", "--skip", "9"],
      in: Project.folder
    )
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.prefix(4) == [
        "SampleLogs/search-effects.jsonl: another timeline from action 2 on, with 1 edit: 8 actions in the place of 10",
        "  skip 9",
        "actions 1 to 8 match; actions 9 to 10 are only in the old timeline; 1 other event is only in the old timeline",
        "the host does not replay the log as it was recorded: without any edit it differs from action 2 on",
      ]
    )
    #expect(result.status == 0)
  }

  /// The material for random edits.
  private struct Source {
    var actions: [(seq: Int, action: JSON)] = []
    var reads: [(seq: Int, key: String, value: JSON)] = []
    var effects: [String] = []
    var places: [String] = []

    init(_ path: String) throws {
      for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
        // The last line of a log may be torn.
        guard let json = try? JSON(parsing: line.utf8), let event = try? LogEvent(json: json) else {
          continue
        }
        switch event {
        case .checkpoint(let checkpoint):
          places = (checkpoint.state.object?.keys ?? []).map { JSON.Pointer([$0]).description }
        case .action(let action): actions.append((action.seq, action.action))
        case .read(let read): reads.append((read.seq, read.key, read.value))
        case .change(let change):
          effects += change.effects.flatMap(\.flattened).compactMap { $0.id?.description }
        default: break
        }
      }
    }
  }

  private static func edit(_ source: Source, _ random: inout SplitMix64) -> JSON? {
    let last = source.actions.last?.seq ?? 0
    func seq(_ random: inout SplitMix64) -> JSON {
      // Rarely a number that is not in the log.
      .number(JSON.Number(Int.random(in: 1...(last + (last / 20) + 1), using: &random)))
    }
    func action(_ random: inout SplitMix64) -> JSON {
      source.actions.randomElement(using: &random)?.action ?? [:]
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: return ["skip": seq(&random)]
    case 3: return ["edit": seq(&random), "action": action(&random)]
    case 4, 5: return ["insert": action(&random), "after": seq(&random)]
    case 6: return ["reorder": seq(&random), "before": seq(&random)]
    case 7: return ["reorder": seq(&random), "after": seq(&random)]
    case 8:
      guard let read = source.reads.randomElement(using: &random),
        let other = source.reads.filter({ $0.key == read.key }).randomElement(using: &random)
      else { return nil }
      return [
        "answer": .number(JSON.Number(read.seq)), "read": .string(read.key), "value": other.value,
      ]
    case 9, 10:
      guard let effect = source.effects.randomElement(using: &random) else { return nil }
      let answers: [(String, JSON)] = [
        ("action", action(&random)), ("failed", "offline"), ("cancelled", true), ("nothing", true),
      ]
      let answer = answers[Int.random(in: 0..<answers.count, using: &random)]
      return .object(["answer": .string(effect), answer.0: answer.1])
    default:
      guard let place = source.places.randomElement(using: &random) else { return nil }
      let values: [JSON] = [0, "", true, [], .null]
      return [
        "set": .string(place), "value": values[Int.random(in: 0..<values.count, using: &random)],
        "after": seq(&random),
      ]
    }
  }

  @Test(
    "A random fork replays as identical, or fork refuses its edits with a reason",
    arguments: logs,
    Thoroughness.seeds(1, thorough: 8)
  )
  func forksRun(name: String, seed: UInt64) throws {
    var random = SplitMix64(seed: seed &* 1_000_003 &+ UInt64(name.utf8.count))
    let source = try Source(Project.sample(name))
    let edits = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
      Self.edit(source, &random)
    }
    let folder = try TemporaryFolder()
    let output = "\(folder.path)/fork.jsonl"
    let text = edits.map { "\($0)\n" }.joined()
    let result = try Tool.replay.run(
      ["fork", Project.sample(name), "--edits", "-", "-o", output],
      input: text
    )
    let what: Comment = "\(name), seed \(seed), edits\n\(text)\(result.output)\(result.error)"
    guard folder.files.contains("fork.jsonl") else {
      #expect([1, 64, 65].contains(result.status), what)
      #expect(result.error.hasPrefix("tca-replay: "), what)
      #expect(result.error.split(separator: "\n").count == 1, what)
      return
    }
    #expect(result.status == 0, what)
    let run = try Tool.replay.run("run", output)
    #expect(run.status == 0, "\(what)\n\(run.output)\(run.error)")
    let verify = try Tool.replay.run("verify", output)
    #expect(verify.status == 0, "\(what)\n\(verify.output)\(verify.error)")
  }

  @Test("fork without edits writes a timeline that equals the recorded one")
  func sameTimeline() throws {
    let folder = try TemporaryFolder()
    for name in Self.logs where name != Self.diverging {
      let output = "\(folder.path)/\(name)"
      let log = Project.sample(name)
      let result = try Tool.replay.run("fork", log, "-o", output)
      let seq = try Source(log).actions.last?.seq ?? 0
      #expect(result.error == "")
      #expect(
        result.output.hasPrefix("\(log): the same timeline with 0 edits, through action \(seq)\n"),
        "\(result.output)"
      )
      // If a log ends in the middle of an action, the replay completes it.
      if name != "todos-cut.jsonl" {
        #expect(try Tool.replay.run("diff", log, output).status == 0, "\(name)")
      }
    }
    let run = try Tool.replay.run("run", folder.path)
    #expect(run.status == 0, "\(run.output)")
  }
}
