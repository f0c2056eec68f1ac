import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayAnalyses
@testable import ReplayEngine
@testable import ReplayHosts

/// Hosts with invalid answers, and damaged index files.
@Suite struct HostFuzzTests {
  /// A host that answers with given bytes.
  private final class Answer: ReplayEventSource {
    private var reader: LogReader
    let ending: ReplayEnd
    let hostOutput: [String] = []

    init(_ bytes: [UInt8], ending: ReplayEnd) {
      reader = LogReader(bytes: bytes)
      self.ending = ending
    }

    func next() throws -> LogEvent? { try reader.next()?.event }
    func end(isDone: Bool) -> ReplayEnd { ending }
  }

  static let endings: [ReplayEnd] = [
    .waiting, .exited(0), .exited(3), .signal("SIGILL"), .timedOut(1),
  ]

  @Test(arguments: Thoroughness.seeds(60, thorough: 200))
  func `a check of damaged answers from a host ends with a verdict or a specific error`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let path = try folder.write(SampleLog.text + "\n", to: "a.jsonl")
    let log = try #require(try LogSlice.slices(of: path, name: "a.jsonl").first)
    var bytes = Array(SampleLog.text.utf8)
    if seed.isMultiple(of: 2) {
      let lines = SampleLog.lines.damaged(1...6, with: SampleLog.lines, using: &random)
      bytes = Array(lines.joined(separator: "\n").utf8)
    } else {
      bytes = bytes.damaged(
        1...6,
        with: Array("{}[],:\"0917 \n\u{0}".utf8) + [0xFF],
        using: &random
      )
    }
    for ending in Self.endings {
      for isContinuing in [false, true] {
        let check = ReplayCheck(log: log, isContinuing: isContinuing)
        do {
          let result = try check.run(Answer(bytes, ending: ending))
          // An identical verdict means that only irrelevant parts differ.
          if result.verdict == .identical {
            #expect(bytes.count > SampleLog.text.utf8.count / 2, "seed \(seed)")
          }
          #expect(Verdict(json: result.verdict.json) == result.verdict, "seed \(seed)")
        } catch {
          let isNamed = error is HostFailure || error is LogReadError || error is ReplayError
          #expect(isNamed, "seed \(seed): \(error)")
          #expect(!"\(error)".isEmpty, "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `the answer of a host counts as a replay only if it contains the token of that replay`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let handshake = ReplayHandshake()
    var header = try LogReader.header(of: SampleLog.lines[0])
    header.rest["replayer"] = ReplayHandshake.replayer(handshake)
    #expect(handshake.matches(header))
    let damaged = ReplayHandshake.replayer(handshake).damaged(using: &random)
    header.rest["replayer"] = damaged
    #expect(
      handshake.matches(header) == (damaged["token"] == .string(handshake.token)),
      "seed \(seed): \(damaged)"
    )
  }

  /// A damaged index is rebuilt.
  ///
  /// No state is confused with another one.
  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `LogIndex replaces a damaged cached index`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let path = try folder.write(SampleLog.text + "\n" + SampleLog.text + "\n", to: "a.jsonl")
    let cache = folder.path + "/cache"
    let index = try LogIndex.index(of: path, keptIn: cache, smallestFile: 0)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cache).first)
    let kept = try folder.read("cache/\(name)")
    let text = kept.damaged(1...3, with: "0123456789-[],{}\": a", using: &random)
    try folder.write(text, to: "cache/\(name)")
    #expect(try LogIndex.index(of: path, keptIn: cache, smallestFile: 0) == index, "seed \(seed)")
    // The index is intact again.
    #expect(try folder.read("cache/\(name)") == kept, "seed \(seed): \(text)")
  }

  static let rubbish = [
    #"{"places":[[3,-9223372036854775808,5]]}"#, #"{"places":[[0,1,9223372036854775807]]}"#,
    #"{"places":[]}"#, #"{"places":[[3,4]]}"#, #"{"places":[[3,4,5]],"next":[1]}"#, "[]", "",
  ]

  @Test(arguments: rubbish)
  func `LogIndex refuses a cached index with invalid contents`(text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "index")
    #expect(LogIndex(keptAt: path) == nil)
    #expect(LogIndex(keptAt: folder.path + "/none") == nil)
  }
}

extension LogReader {
  fileprivate static func header(of line: String) throws -> LogEvent.Header {
    var reader = LogReader(bytes: Array(line.utf8))
    guard case .header(let header) = try reader.next()?.event else { throw LogReadError.empty }
    return header
  }
}
