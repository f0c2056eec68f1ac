import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// Logs with changed structures instead of changed bytes.
///
/// Every command ends with a documented status and explains why it refuses a log. `.ci/fuzz-logs` does the same for
/// hours, in processes with limits.
@MainActor @Suite struct StructureFuzzTests {
  private static let commands = [
    ["run", "a.jsonl"], ["run", "a.jsonl", "--continue"], ["run", "a.jsonl", "--format", "json"],
    ["show", "a.jsonl"], ["show", "a.jsonl", "--raw"], ["show", "a.jsonl", "--at", "3"],
    ["verify", "a.jsonl"], ["stats", "a.jsonl"], ["blame", "a.jsonl", "count"],
    ["coverage", "a.jsonl"], ["diff", "a.jsonl", "b.jsonl"], ["test", "a.jsonl"],
    ["test", "a.jsonl", "--style", "store"], ["mask", "a.jsonl", "--check"],
    ["mask", "a.jsonl", "--path", "/id", "--allow-unmatched", "-o", "/dev/null"],
    ["trace", "a.jsonl", "-o", "/dev/null"], ["view", "a.jsonl", "-o", "/dev/null"],
    ["debug", "a.jsonl", "--batch", "-ex", "goto 5", "-ex", "effects"],
  ]

  @Test(.timeLimit(.minutes(30)), arguments: Thoroughness.seeds(20, thorough: 300))
  func `commands read or refuse a log whose JSON structure was changed at random`(
    seed: UInt64
  ) async throws {
    let terminal = try Terminal()
    var random = SplitMix64(seed: seed)
    var lines = try SampleLog.lines.map { try JSON(parsing: $0) }
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      Self.change(&lines, using: &random)
    }
    let text = lines.map { "\($0)\n" }.joined()
    try terminal.folder.write(text, to: "a.jsonl")
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    for _ in 0..<4 {
      let command = try #require(Self.commands.randomElement(using: &random))
      let result = try await terminal.run(command)
      let all = result.output + result.error
      #expect(
        [0, 1, 64, 65, 66, 69].contains(result.status),
        "seed \(seed), \(command): \(result)"
      )
      #expect(result.status == 0 || !all.isEmpty, "seed \(seed), \(command)")
      let hidden = all.unicodeScalars.first { $0.isHidden && $0 != "\n" && $0 != "\t" }
      #expect(hidden == nil, "seed \(seed), \(command): \(all)")
    }
  }

  private static let numbers: [JSON] = [
    -1, 0, 1, 2_147_483_648, 9_007_199_254_740_991, 9_007_199_254_740_992, 0.5, 1e300,
    .number(JSON.Number(Int.max)), .number(JSON.Number(Int.min)),
  ]

  private static func change(_ lines: inout [JSON], using random: inout SplitMix64) {
    guard let index = lines.indices.randomElement(using: &random),
      let other = lines.randomElement(using: &random),
      let place = places(of: lines[index]).randomElement(using: &random),
      let source = places(of: other).randomElement(using: &random), let value = other[source]
    else { return }
    let line = lines[index]
    switch Int.random(in: 0..<8, using: &random) {
    case 0: lines.insert(other, at: index)
    case 1: lines.append(lines.remove(at: index))
    case 2: lines[index] = line.replacing(place, with: value)
    case 3:
      let number = numbers.randomElement(using: &random) ?? 0
      let places = places(of: line).filter { line[$0]?.number != nil }
      lines[index] = line.replacing(places.randomElement(using: &random) ?? place, with: number)
    case 4:
      var nested = line[place] ?? .null
      for _ in 0..<[1, 5, 60, 200][Int.random(in: 0..<4, using: &random)] {
        nested = Bool.random(using: &random) ? ["op": "merge", "effects": [nested]] : [nested]
      }
      lines[index] = line.replacing(place, with: nested)
    case 5:
      guard case .object(let object) = line[place] else { return }
      lines[index] = line.replacing(
        place,
        with: .object(JSON.Object(members: object.reversed()))
      )
    case 6:
      guard case .object(var object) = line[place],
        let name = object.keys.randomElement(using: &random)
      else { return }
      object["seq"] = object[name]
      object[name] = nil
      lines[index] = line.replacing(place, with: .object(object))
    default:
      guard let patch = line["patch"]?.array else { return }
      let operations: [JSON] = [
        ["op": "copy", "from": "", "path": "/count"],
        ["op": "copy", "from": "/count", "path": "/id"],
        ["op": "move", "from": "/count", "path": "/a"], ["op": "remove", "path": "/id"],
        ["op": "add", "path": .string(String(repeating: "/a", count: 600)), "value": 1],
      ]
      let added = (0..<Int.random(in: 1...30, using: &random)).compactMap { _ in
        operations.randomElement(using: &random)
      }
      lines[index] = line.replacing(JSON.Pointer(["patch"]), with: .array(patch + added))
    }
  }

  private static func places(
    of json: JSON,
    below place: JSON.Pointer = JSON.Pointer()
  ) -> [JSON.Pointer] {
    switch json {
    case .object(let object):
      [place] + object.flatMap { places(of: $0.value, below: place.appending($0.key)) }
    case .array(let elements):
      [place]
        + elements.enumerated().flatMap {
          places(of: $0.element, below: place.appending(String($0.offset)))
        }
    default: [place]
    }
  }
}
