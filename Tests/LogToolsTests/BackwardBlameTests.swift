import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayEngine

/// `blame` goes back through a log in stretches: where they are cut makes no difference.
@Suite struct BackwardBlameTests {
  private static let paths = ["", "/a", "/rows/0", "/rows/1", "/rows/2", "/text", "/é", "/x~1y~0"]

  @Test("the same is found in stretches of any length", arguments: 0..<40 as Range<UInt64>)
  func stretches(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var lines = RandomLog(seed: seed, actions: 40).lines
    if seed.isMultiple(of: 3) {
      // What stands before a gap is not looked at.
      let checkpoint = lines.lastIndex { $0.hasPrefix(#"{"kind":"checkpoint""#) } ?? 1
      lines.insert(#"{"kind":"gap","seq":1,"at":1,"dropped":1,"reason":"x"}"#, at: checkpoint)
    }
    // Another log behind it is none of its business.
    lines += SampleLog.lines
    let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let log = try LogSlice.slices(of: path, name: "a")[0]
    for text in Self.paths {
      let pointer = try JSON.Pointer(parsing: text)
      for at in [nil, 0, 1, 17, 40, 41] as [Int?] {
        let results = [1, 500, Int.max].map { stretch in
          Result {
            try Blame(
              log: log,
              path: pointer,
              at: at,
              stretch: stretch,
              smallestFile: stretch == .max ? .max : 0
            )
            .run()
          }
        }
        let texts = results.map { result in
          switch result {
          case .success(let found): "\(found)"
          case .failure(let error): "\(error)"
          }
        }
        #expect(
          Set(texts).count == 1,
          "seed \(seed), \(text), \(at.map(String.init) ?? "end"): \(texts)"
        )
      }
    }
  }

  @Test("no more than a stretch of a log is held")
  func bounds() throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(
      RandomLog(seed: 1, actions: 400).lines.joined(separator: "\n") + "\n",
      to: "a.jsonl"
    )
    let slice = LogSlice(path: log, name: "a")
    let stretches = try LogStretches(of: slice, atLeast: 2000)
    let all = stretches.indices(through: .max)
    #expect(all.count > 10)
    var lines: [Int] = []
    for index in all {
      let events = try stretches.events(in: index)
      var bytes = 0
      while let entry = try events() {
        lines.append(entry.line)
        bytes += entry.bytes
      }
      // Down to the next line's beginning.
      #expect(bytes < 2000 + 4000)
    }
    #expect(lines == Array(1...lines.count))
  }
}
