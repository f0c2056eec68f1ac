import Foundation
import TestSupport
import Testing

@testable import ActionLog

/// A small complete log, one event per line.
private let lines = [
  #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"A","feature":"Counter","stateType":"Counter.State","startedAt":"","recorder":"","environment":{},"segment":1}"#,
  #"{"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]}"#,
  #"{"kind":"action","seq":1,"at":0,"origin":"view","action":{"tap":{}}}"#,
  #"{"kind":"read","seq":1,"key":"uuid","value":"00000000-0000-0000-0000-000000000001"}"#,
  #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}],"effects":[{"id":"1.0","op":"run","name":"save","cancelID":{"type":"CancelID","value":{"save":{}}},"cancelInFlight":true,"source":"A/B.swift:1"}],"us":2}"#,
  #"{"kind":"effect","id":"1.0","event":"cancelled","by":{"action":1},"at":3}"#,
  #"{"kind":"effect","id":"1.0","event":"finished","sent":0,"at":4}"#,
  #"{"kind":"somethingNew","seq":1,"value":[1]}"#,
  #"{"kind":"end","seq":1,"reason":"closed"}"#,
]

private func read(_ text: String) throws -> (events: [LogEvent], tail: LogReader.TornTail?) {
  try read(Array(text.utf8))
}

private func read(_ bytes: [UInt8]) throws -> (events: [LogEvent], tail: LogReader.TornTail?) {
  var reader = LogReader(bytes: bytes)
  var events: [LogEvent] = []
  while let entry = try reader.next() { events.append(entry.event) }
  return (events, reader.tornTail)
}

@Suite("LogReader")
struct LogReaderTests {
  private static let whole = lines.joined(separator: "\n") + "\n"

  @Test("LogReader reads events that are written with the same bytes again")
  func roundTrip() throws {
    let (events, tail) = try read(Self.whole)
    #expect(tail == nil)
    #expect(events.map { String(decoding: $0.line, as: UTF8.self) } == lines)
  }

  @Test("An event keeps members that this version does not know", arguments: lines.indices)
  func unknownMembers(index: Int) throws {
    let line = lines[index].dropLast() + #","later":{"a":1}}"#
    let event = try LogEvent(json: JSON(parsing: String(line)))
    #expect(String(decoding: event.line, as: UTF8.self) == line)
  }

  @Test("LogReader ends a log that was cut anywhere at its last complete event")
  func tornAnywhere() throws {
    let bytes = Array(Self.whole.utf8)
    var starts = [0]
    for (index, byte) in bytes.enumerated() where byte == 0x0A { starts.append(index + 1) }
    let header = bytes.prefix { $0 != 0x0A }
    for cut in 0..<header.count {
      let error = cut == 0 ? LogReadError.empty : .tornHeader(bytes: cut)
      #expect(throws: error) { try read(Array(header[..<cut])) }
    }
    for cut in header.count..<bytes.count {
      let begun = starts.filter { $0 < cut }
      let isWhole =
        bytes[cut - 1] == UInt8(ascii: "}") && bytes[cut] == 0x0A || bytes[cut - 1] == 0x0A
      let (events, tail) = try read(Array(bytes[..<cut]))
      #expect(events.count == begun.count - (isWhole ? 0 : 1), "cut at \(cut)")
      let expected = LogReader.TornTail(line: begun.count, bytes: cut - (begun.last ?? 0))
      #expect(tail == (isWhole ? nil : expected), "cut at \(cut)")
    }
  }

  @Test("LogReader reports NULs at the end of a log as a torn tail")
  func nulTail() throws {
    let (events, tail) = try read(Array((lines[0] + "\n").utf8) + [UInt8](repeating: 0, count: 100))
    #expect(events.count == 1)
    #expect(tail == LogReader.TornTail(line: 2, bytes: 100))
  }

  private static let otherFiles: [([UInt8], String)] = [
    ([0x1F, 0x8B, 0x08], "the file seems to be compressed with gzip: unpack it first"),
    ([0x28, 0xB5, 0x2F, 0xFD], "the file seems to be compressed with zstd: unpack it first"),
    ([0x50, 0x4B, 0x03, 0x04], "the file seems to be a zip archive: unpack it first"),
    ([0xEF, 0xBB, 0xBF], "found a byte order mark: write the file as UTF-8 without it"),
    ([0xFF, 0xFE], "the file seems to be UTF-16: write it as UTF-8"),
    ([0xFE, 0xFF], "the file seems to be UTF-16: write it as UTF-8"),
  ]

  @Test(
    "The error for a file that is compressed or not UTF-8 says what the file contains",
    arguments: otherFiles
  )
  func otherForms(bytes: [UInt8], text: String) throws {
    #expect {
      try read(bytes + Array((lines[0] + "\n").utf8))
    } throws: {
      "\($0)" == "line 1 is not JSON: \(text)"
    }
  }

  private static let broken: [(String, String)] = [
    ("", "the log is empty; expected an event 'header' on the first line"),
    ("\u{0}\u{0}", "the log is empty; expected an event 'header' on the first line"),
    ("{nope", "line 1 is not JSON: found 'n' where a member name was expected, at byte 1"),
    ("{nope\n", "line 1 is not JSON: found 'n' where a member name was expected, at byte 1"),
    (
      "{nope\u{0}\u{0}",
      "line 1 is not JSON: found 'n' where a member name was expected, at byte 1"
    ),
    (
      "{",
      "the log ends after 1 byte, within its first line; expected an event 'header' there"
    ),
    (
      String(lines[0].prefix(20)),
      "the log ends after 20 bytes, within its first line; expected an event 'header' there"
    ),
    (
      lines[0].prefix(20) + "\u{0}\u{0}",
      "the log ends after 22 bytes, within its first line; expected an event 'header' there"
    ),
    (lines[1], "line 1 is an event 'checkpoint'; a log begins with an event 'header'"),
    (
      lines[0] + "\nrubbish\n" + lines[1],
      "line 2 is not JSON: found 'r' where a value was expected, at byte 0"
    ),
    (
      lines[0] + "\n{\"a\":1}\n",
      "line 2 is not a log event: an event has no member 'kind'; expected a string"
    ),
    (
      lines[0] + "\n{\"kind\":\"action\",\"seq\":-1}\n",
      "line 2 is not a log event: event 'action' has -1 as 'seq'; expected a whole number from 0 to 9007199254740991"
    ),
    (
      lines[0] + "\n\u{0}\u{0}\n" + lines[1],
      "line 2 is not JSON: found byte 0x0 where a value was expected, at byte 0"
    ),
    (
      lines[0].replacing("\"version\":1", with: "\"version\":2"),
      "line 1: the log has format version 2, this program reads up to version 1: use a newer tca-replay"
    ),
    (
      lines[0].replacing("\"requires\":[]", with: "\"requires\":[\"x\"]"),
      "line 1: the log requires x, which this program does not know: use a newer tca-replay"
    ),
    (
      lines[0].replacing("tca-replay", with: "other"),
      "line 1 is not a log event: event 'header' has \"other\" as 'format'; expected the string \"tca-replay\""
    ),
  ]

  @Test("The error for a malformed log says which line is not an event", arguments: broken)
  func refuses(text: String, message: String) {
    #expect {
      try read(text)
    } throws: {
      String(describing: $0) == message
    }
  }

  @Test("LogReader refuses a missing file and a folder")
  func files() {
    #expect(throws: LogReadError.noSuchFile("/no/such/file")) {
      try LogReader(path: "/no/such/file")
    }
    #expect(throws: LogReadError.system(path: "/", code: EISDIR)) {
      var reader = try LogReader(path: "/")
      _ = try reader.next()
    }
  }

  @Test(
    "LogReader returns events or an error for any damage to a log",
    arguments: [21, 22] as [UInt64]
  )
  func fuzz(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1000 {
      var bytes = Array(Self.whole.utf8)
      for _ in 0..<Int.random(in: 1..<5, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(index...)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      if let (events, _) = try? read(bytes) {
        #expect(events.count <= lines.count + 4, "seed \(seed)")
      }
    }
  }
}

/// Long lines: a bounded part is read, and its memory is released.
@Suite struct LongLineTests {
  /// Returns a sparse file with a line at its end.
  ///
  /// The system reads zeros from the unwritten part.
  private func sparse(_ length: Int) throws -> String {
    let path = NSTemporaryDirectory() + "/long-line-\(UUID().uuidString).jsonl"
    let header = EventTextTests.header + "\n"
    try Data(header.utf8).write(to: URL(fileURLWithPath: path))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: UInt64(length))
    try handle.write(contentsOf: Data("\n{}\n".utf8))
    try handle.close()
    return path
  }

  @Test func `LogReader stops at the length limit when it reads a line of 100 megabytes`() throws {
    let path = try sparse(100_000_000)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let handle = try #require(FileHandle(forReadingAtPath: path))
    var reader = LogReader(handle, name: path, longest: 1_000_000)
    #expect(try reader.next()?.event.kind == "header")
    #expect(throws: LogReadError.lineTooLong(line: 2)) { try reader.next() }
    // The reader has read up to the limit and one additional buffer.
    #expect(try handle.offset() < 1_000_000 + 4 * UInt64(LogBytes.chunk))
    #expect(reader.memory < 4_000_000)
  }

  @Test
  func `LogReader reads a line of the maximum length and refuses a line that is one byte longer`()
    throws
  {
    let line = #"{"kind":"note","seq":0,"at":0,"text":"\#(String(repeating: "x", count: 1000))"}"#
    let bytes = Array("\(EventTextTests.header)\n\(line)\n".utf8)
    for (longest, isRead) in [(line.utf8.count, true), (line.utf8.count - 1, false)] {
      var reader = LogReader(bytes: bytes, longest: longest)
      _ = try reader.next()
      let entry = Result { try reader.next() }
      #expect(((try? entry.get())??.event.kind == "note") == isRead)
    }
  }

  @Test func `LogReader frees the memory of a long line after reading it`() throws {
    let pipe = Pipe()
    let text = String(repeating: "x", count: 6_000_000)
    let note = #"{"kind":"note","seq":0,"at":0,"text":""#
    Thread.detachNewThread {
      let log = "\(EventTextTests.header)\n\(note)\(text)\"}\n"
      try? pipe.fileHandleForWriting.write(contentsOf: Data(log.utf8))
      for _ in 0..<10_000 {
        try? pipe.fileHandleForWriting.write(contentsOf: Data("\(note)a\"}\n".utf8))
      }
      try? pipe.fileHandleForWriting.close()
    }
    var reader = LogReader(pipe.fileHandleForReading, name: "pipe", longest: 7_000_000)
    var most = 0
    var notes = 0
    while let entry = try reader.next() {
      most = max(most, reader.memory)
      if entry.event.kind == "note" { notes += 1 }
    }
    #expect(notes == 10_001)
    #expect(most > 6_000_000)
    #expect(reader.memory < 1_000_000)
  }

  @Test func `LogReader reads the lines after a line of NULs`() throws {
    let note = #"{"kind":"note","seq":0,"at":0,"text":"a"}"#
    let log = "\(EventTextTests.header)\n\u{0}\u{0}\n\n\(note)\n\(note)\n"
    var reader = LogReader(bytes: Array(log.utf8))
    _ = try reader.next()
    #expect(throws: LogReadError.self) { try reader.next() }
    #expect(try reader.next()?.line == 4)
    #expect(try reader.next()?.line == 5)
    #expect(try reader.next() == nil)
  }

  @Test func `a copy of a LogReader reads independently of the original`() throws {
    let log = EventTextTests.header + "\n" + EventTextTests.lines.joined(separator: "\n")
    var reader = LogReader(bytes: Array(log.utf8))
    _ = try reader.next()
    var copy = reader
    var lines: [Int] = []
    while let entry = try reader.next() { lines.append(entry.line) }
    var others: [Int] = []
    while let entry = try copy.next() { others.append(entry.line) }
    #expect(lines == others)
    #expect(lines.count == EventTextTests.lines.count)
  }
}
