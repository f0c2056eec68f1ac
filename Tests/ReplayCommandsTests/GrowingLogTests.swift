import ActionLog
import Foundation
import TestSupport
import Testing

@testable import ReplayCommands

/// Growing logs: the new lines from any file.
@Suite struct GrowingLogTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: - What a recorder does

  private static func header(_ id: String, segment: Int = 1) -> String {
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"\#(id)","feature":"F","segment":\#(segment)}"#
      + "\n"
  }

  private static let segmentEnd = #"{"kind":"end","seq":1,"reason":"segment"}"# + "\n"

  private static func action(_ seq: Int) -> String {
    #"{"kind":"action","seq":\#(seq),"at":1,"origin":"view","action":{"tap":{}}}"# + "\n"
  }

  private func append(_ text: String, to name: String) throws {
    if !folder.contains(name) { try folder.write(to: name) }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
  }

  /// Sets the age of a file in seconds.
  private func age(_ name: String, _ seconds: Double) throws {
    let date = Date(timeIntervalSince1970: 1_800_000_000 - seconds)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path(name))
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Returns the changes as text: the file of a new log, and its lines.
  private func news(_ log: inout GrowingLog) throws -> [String] {
    var texts: [String] = []
    while let news = try log.next() {
      switch news {
      case .began(let path): texts.append("began \(path.replacing(folder.path + "/", with: ""))")
      case .lines(let lines): texts.append(String(decoding: lines, as: UTF8.self))
      }
    }
    return texts
  }

  // MARK: - One file

  @Test func `GrowingLog waits for a file that does not exist yet`() throws {
    var log = GrowingLog(path("a.jsonl"))
    #expect(try news(&log) == [])
    #expect(log.path == nil)
    try append(Self.header("A"), to: "a.jsonl")
    #expect(try news(&log) == ["began a.jsonl", Self.header("A")])
    #expect(try news(&log) == [])
  }

  @Test func `GrowingLog returns lines only when they are complete`() throws {
    try append(Self.header("A") + Self.action(1) + #"{"kind":"#, to: "a.jsonl")
    var log = GrowingLog(path("a.jsonl"))
    #expect(try news(&log) == ["began a.jsonl", Self.header("A") + Self.action(1)])
    #expect(String(decoding: log.incompleteLine, as: UTF8.self) == #"{"kind":"#)
    try append(#""action","#, to: "a.jsonl")
    #expect(try news(&log) == [])
    try append(String(Self.action(2).dropFirst(#"{"kind":"action","#.count)), to: "a.jsonl")
    #expect(try news(&log) == [Self.action(2)])
    #expect(log.incompleteLine == [])
  }

  /// The lines do not depend on the size of reads.
  @Test(arguments: [1, 7, 64, 100_000])
  func `GrowingLog returns the same text for any limit of bytes per read`(longestRead: Int) throws {
    let text = Self.header("é👩‍💻") + (1...20).map(Self.action).joined()
    try append(text, to: "a.jsonl")
    var log = GrowingLog(path("a.jsonl"), longestRead: longestRead)
    let news = try news(&log)
    #expect(news.first == "began a.jsonl")
    #expect(news.dropFirst().joined() == text)
  }

  @Test func `GrowingLog starts a new log if its file is truncated`() throws {
    try append(Self.header("A") + Self.action(1) + "{", to: "a.jsonl")
    var log = GrowingLog(path("a.jsonl"))
    _ = try news(&log)
    truncate(path("a.jsonl"), 0)
    #expect(try news(&log) == [])
    try append(Self.header("B"), to: "a.jsonl")
    #expect(try news(&log) == ["began a.jsonl", Self.header("B")])
  }

  /// The new text is longer than the old one, so the length does not reveal the change.
  @Test func `GrowingLog starts a new log if its file is rewritten in place`() throws {
    try append(Self.header("A") + Self.action(1), to: "a.jsonl")
    var log = GrowingLog(path("a.jsonl"))
    _ = try news(&log)
    truncate(path("a.jsonl"), 0)
    let text = Self.header("B") + (1...9).map(Self.action).joined()
    try append(text, to: "a.jsonl")
    #expect(try news(&log) == ["began a.jsonl", text])
  }

  @Test func `GrowingLog reads a replaced file to its end, and then starts the new one`() throws {
    try append(Self.header("A") + Self.action(1), to: "a.jsonl")
    var log = GrowingLog(path("a.jsonl"))
    _ = try news(&log)
    try append(Self.header("B"), to: "b.jsonl")
    // The last lines of the old file are not lost.
    try append(Self.action(2), to: "a.jsonl")
    rename(path("b.jsonl"), path("a.jsonl"))
    #expect(try news(&log) == [Self.action(2), "began a.jsonl", Self.header("B")])
  }

  @Test func `GrowingLog starts a new log if its file is removed and created again`() throws {
    try append(Self.header("A"), to: "a.jsonl")
    var log = GrowingLog(path("a.jsonl"))
    _ = try news(&log)
    unlink(path("a.jsonl"))
    #expect(try news(&log) == [])
    try append(Self.header("B"), to: "a.jsonl")
    #expect(try news(&log) == ["began a.jsonl", Self.header("B")])
  }

  /// Another log may follow in the same file.
  @Test func `GrowingLog starts a new log at each header in a file`() throws {
    try append(Self.header("A") + Self.action(1) + Self.header("B") + Self.action(1), to: "a.jsonl")
    var log = GrowingLog(path("a.jsonl"))
    #expect(
      try news(&log) == [
        "began a.jsonl", Self.header("A") + Self.action(1), "began a.jsonl",
        Self.header("B") + Self.action(1),
      ]
    )
  }

  @Test func `GrowingLog throws if its file cannot be read`() throws {
    guard geteuid() != 0 else { return }
    try append(Self.header("A"), to: "a.jsonl")
    chmod(path("a.jsonl"), 0)
    var log = GrowingLog(path("a.jsonl"))
    #expect(throws: LogReadError.system(path: path("a.jsonl"), code: EACCES)) { try log.next() }
  }

  // MARK: - Several files

  @Test func `GrowingLog starts with the newest recording, and continues with later recordings`()
    throws
  {
    try append(Self.header("A"), to: "a.jsonl")
    try append(Self.header("B"), to: "a-2.jsonl")
    try append(Self.header("C"), to: "a-3.jsonl")
    try append(Self.header("other"), to: "another.jsonl")
    for (name, seconds) in [
      ("a.jsonl", 30.0), ("a-2.jsonl", 10), ("a-3.jsonl", 20), ("another.jsonl", 0),
    ] {
      try age(name, seconds)
    }
    var log = GrowingLog(path("a.jsonl"))
    #expect(try news(&log) == ["began a-2.jsonl", Self.header("B")])
    // An older log that continues is not a new one.
    try append(Self.action(1), to: "a-3.jsonl")
    #expect(try news(&log) == [])
    try append(Self.header("D"), to: "a-4.jsonl")
    #expect(try news(&log) == ["began a-4.jsonl", Self.header("D")])
    #expect(log.path == path("a-4.jsonl"))
  }

  @Test func `GrowingLog reads the segments of a ring as one log`() throws {
    try append(
      Self.header("A", segment: 2) + Self.action(1) + Self.segmentEnd,
      to: "a.segment-2.jsonl"
    )
    try append(Self.header("A", segment: 3) + Self.action(2), to: "a.segment-3.jsonl")
    var log = GrowingLog(path("a.jsonl"))
    #expect(
      try news(&log) == [
        "began a.segment-2.jsonl", Self.header("A", segment: 2) + Self.action(1), Self.action(2),
      ]
    )
    // The recorder deletes the oldest segment and the current one, and continues.
    try append(Self.action(3) + Self.segmentEnd, to: "a.segment-3.jsonl")
    try append(Self.header("A", segment: 4) + Self.action(4), to: "a.segment-4.jsonl")
    unlink(path("a.segment-2.jsonl"))
    unlink(path("a.segment-3.jsonl"))
    #expect(try news(&log) == [Self.action(3), Self.action(4)])
    // The app starts again.
    try append(Self.header("B"), to: "a-2.segment-1.jsonl")
    #expect(try news(&log) == ["began a-2.segment-1.jsonl", Self.header("B")])
  }

  @Test
  func `GrowingLog accepts the name of a segment and reads the other segments of its recording`()
    throws
  {
    try append(Self.header("A"), to: "a-2.segment-1.jsonl")
    try append(Self.header("B"), to: "a.segment-1.jsonl")
    var log = GrowingLog(path("a-2.segment-7.jsonl"))
    #expect(try news(&log) == ["began a-2.segment-1.jsonl", Self.header("A")])
  }

  /// After its file was cut or deleted, a recorder continues in a new file with a new segment of the same log.
  @Test(arguments: ["a.jsonl", "a-2.jsonl"])
  func `GrowingLog reads the next segment of a recording from a new file or from the same file`(
    name: String
  ) throws {
    try append(Self.header("A") + Self.action(1), to: "a.jsonl")
    var log = GrowingLog(path("a.jsonl"))
    _ = try news(&log)
    if name == "a.jsonl" { unlink(path(name)) } else { truncate(path("a.jsonl"), 0) }
    try append(Self.header("A", segment: 2) + Self.action(2), to: name)
    #expect(try news(&log) == [Self.action(2)])
  }

  // MARK: - Waiting

  @Test func `a pause ends when an interruption is requested`() async {
    let interruption = Interruption()
    interruption.allowPartialResult()
    async let pause: Void = interruption.pause(seconds: 3600)
    _ = interruption.request(by: SIGINT)
    await pause
    await interruption.pause(seconds: 3600)
    interruption.fulfil()
    #expect(!interruption.isRequested)
  }
}
