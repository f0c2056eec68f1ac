import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools
@testable import ReplayEngine

/// Seeking in a log by its checkpoints.
@MainActor @Suite struct SeekTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    // A second log after the first one. Its checkpoints do not belong to the first log.
    path = try folder.write(SampleLog.text + "\n" + SampleLog.text + "\n", to: "a.jsonl")
  }

  private func index() throws -> LogIndex? {
    try LogIndex.index(of: path, keptIn: folder.path + "/cache", smallestFile: 0)
  }

  @Test func `LogIndex stores the position of each checkpoint of the first log`() throws {
    let index = try #require(try index())
    #expect(index.places.map(\.seq) == [0, 9])
    #expect(index.places.map(\.start.line) == [2, 24])
    let bytes = Array(SampleLog.text.utf8)
    for place in index.places {
      #expect(bytes[place.start.offset...].starts(with: #"{"kind":"checkpoint""#.utf8))
    }
    let found = [0, 5, 8, 9, 10, 99].map { index.checkpoint(before: $0)?.seq }
    #expect(found == [0, 0, 0, 9, 9, 9])
  }

  @Test func `LogIndex reuses its cached index until the file changes`() throws {
    let first = try index()
    let cache = folder.path + "/cache"
    let names = try FileManager.default.contentsOfDirectory(atPath: cache)
    #expect(names.count == 1)
    // The cached index is used. An incorrect one shows this.
    let kept = cache + "/" + (names.first ?? "")
    let wrong = LogIndex(places: [.init(seq: 3, start: .init(line: 4, offset: 5))])
    wrong.save(at: kept, in: cache)
    #expect(try index() == wrong)
    try #"{"places":[[3,4,5]]}"#.write(toFile: kept, atomically: false, encoding: .utf8)
    #expect(try index() == first)
    try folder.write(SampleLog.text, to: "a.jsonl")
    #expect(try index()?.places == first?.places)
    #expect(try index()?.next == nil)
    #expect(first?.next?.line == SampleLog.lines.count + 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache).count == 2)
  }

  @Test func `LogIndex makes an index even if it cannot write its cache`() throws {
    let file = try folder.write("", to: "file")
    let index = try LogIndex.index(of: path, keptIn: file + "/cache", smallestFile: 0)
    #expect(try index == self.index())
    #expect(try folder.read("file") == "")
  }

  @Test func `LogIndex makes no index for a small or missing file`() throws {
    #expect(try LogIndex.index(of: path, keptIn: nil) == nil)
    #expect(try LogIndex.index(of: folder.path + "/none", keptIn: nil) == nil)
  }

  @Test(arguments: 0...16)
  func `StateSeek returns the same state with and without an index`(seq: Int) throws {
    var seek = try StateSeek(path, for: seq, cache: nil, smallestFile: 0)
    var plain = StateSeek(LogReader(bytes: Array(SampleLog.text.utf8)))
    #expect(try seek.state(after: seq) == plain.state(after: seq))
  }

  @Test func `StateSeek applies external and excluded changes`() throws {
    let lines =
      SampleLog.lines.prefix(4)
      + [
        #"{"kind":"external","seq":1,"patch":[{"op":"add","path":"/x","value":1}]}"#,
        #"{"kind":"excluded","seq":2,"at":5,"origin":"view","patch":[{"op":"replace","path":"/x","value":2}]}"#,
      ]
    let log = Array(lines.joined(separator: "\n").utf8)
    var first = StateSeek(LogReader(bytes: log))
    #expect(try first.state(after: 1)["x"] == nil)
    var second = StateSeek(LogReader(bytes: log))
    #expect(try second.state(after: 2)["x"]?.int == 2)
  }

  nonisolated static let paths: [JSON.Pointer?] = [nil, JSON.Pointer(["count"])]
  nonisolated static let ranges: [ClosedRange<Int>] = [
    0...0, 0...3, 3...8, 9...9, 10...12, 12...16, 15...Int.max, 99...100,
  ]

  @Test(arguments: ranges, paths)
  func `show --range prints the same with and without an index`(
    range: ClosedRange<Int>,
    pointer: JSON.Pointer?
  ) throws {
    func show(smallestFile: Int) throws -> String {
      var events = try RangeReader(path, range, cache: nil, smallestFile: smallestFile)
      var printer = LogPrinter(
        TimelineText(style: .plain),
        LogPrinter.Selection(range: range, place: pointer.map { ValuePath($0) })
      )
      while let entry = try events.next() {
        if try !printer.printEvent(entry.event) { try events.skipLog() }
      }
      return String(decoding: printer.output, as: UTF8.self)
    }
    #expect(try show(smallestFile: 0) == show(smallestFile: .max))
  }

  @Test func `RangeReader reads only lines between the checkpoints around its range`() throws {
    var lines = SampleLog.lines
    lines[5] = "rubbish"
    lines[lines.count - 2] = "rubbish"
    let broken = try folder.write(lines.joined(separator: "\n") + "\n", to: "d.jsonl")
    var events = try RangeReader(broken, 11...12, cache: nil, smallestFile: 0)
    var printer = LogPrinter(TimelineText(style: .plain), LogPrinter.Selection(range: 11...12))
    while let entry = try events.next() {
      if try !printer.printEvent(entry.event) { try events.skipLog() }
    }
    #expect(String(decoding: printer.output, as: UTF8.self).contains("\n12  "))
  }

  @Test func `StateSeek reads no lines before the checkpoint from which it starts`() throws {
    var lines = SampleLog.lines
    lines[5] = "rubbish"
    let broken = try folder.write(lines.joined(separator: "\n") + "\n", to: "c.jsonl")
    var seek = try StateSeek(broken, for: 12, cache: nil, smallestFile: 0)
    #expect(try seek.state(after: 12)["count"]?.int == 12)
    var early = try StateSeek(broken, for: 8, cache: nil, smallestFile: 0)
    #expect(throws: LogReadError.self) { try early.state(after: 8) }
  }
}
