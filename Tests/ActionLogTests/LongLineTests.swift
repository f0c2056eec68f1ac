import Foundation
import Testing

@testable import ActionLog

/// Long lines: what is read of one is bounded, and its memory is given back.
@Suite struct LongLineTests {
  /// A file of nothing but room, with a line behind it; the system gives zeros for what was never written.
  private func sparse(_ length: Int) throws -> String {
    let path = NSTemporaryDirectory() + "/long-line-\(UUID().uuidString).jsonl"
    let header = SkimmedEventTests.header + "\n"
    try Data(header.utf8).write(to: URL(fileURLWithPath: path))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: UInt64(length))
    try handle.write(contentsOf: Data("\n{}\n".utf8))
    try handle.close()
    return path
  }

  @Test func ofAHundredMegabytesNoMoreIsReadThanTheLimit() throws {
    let path = try sparse(100_000_000)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let handle = try #require(FileHandle(forReadingAtPath: path))
    var reader = LogReader(handle, name: path, longest: 1_000_000)
    #expect(try reader.next()?.event.kind == "header")
    #expect(throws: LogReadError.lineTooLong(line: 2)) { try reader.next() }
    // The file was read up to the limit and a buffer beyond it.
    #expect(try handle.offset() < 1_000_000 + 4 * UInt64(LineMemory.chunk))
    #expect(reader.memory < 4_000_000)
  }

  @Test func aLineAtTheLimitIsRead() throws {
    let line = #"{"kind":"note","seq":0,"at":0,"text":"\#(String(repeating: "x", count: 1000))"}"#
    let bytes = Array("\(SkimmedEventTests.header)\n\(line)\n".utf8)
    for (longest, isRead) in [(line.utf8.count, true), (line.utf8.count - 1, false)] {
      var reader = LogReader(bytes: bytes, longest: longest)
      _ = try reader.next()
      let entry = Result { try reader.next() }
      #expect(((try? entry.get())??.event.kind == "note") == isRead)
    }
  }

  @Test func theMemoryOfALongLineIsGivenBack() throws {
    let pipe = Pipe()
    let text = String(repeating: "x", count: 6_000_000)
    let note = #"{"kind":"note","seq":0,"at":0,"text":""#
    Thread.detachNewThread {
      let log = "\(SkimmedEventTests.header)\n\(note)\(text)\"}\n"
      try? pipe.fileHandleForWriting.write(contentsOf: Data(log.utf8))
      for _ in 0..<10_000 {
        try? pipe.fileHandleForWriting.write(contentsOf: Data("\(note)a\"}\n".utf8))
      }
      try? pipe.fileHandleForWriting.close()
    }
    var reader = LogReader(pipe.fileHandleForReading, name: "pipe", longest: 7_000_000)
    var most = 0
    var notes = 0
    while let entry = try reader.nextSkimmed() {
      most = max(most, reader.memory)
      if entry.event.kind == "note" { notes += 1 }
    }
    #expect(notes == 10_001)
    #expect(most > 6_000_000)
    #expect(reader.memory < 1_000_000)
  }

  @Test func aLineBehindOneWithNULsIsNotLost() throws {
    let note = #"{"kind":"note","seq":0,"at":0,"text":"a"}"#
    let log = "\(SkimmedEventTests.header)\n\u{0}\u{0}\n\n\(note)\n\(note)\n"
    var reader = LogReader(bytes: Array(log.utf8))
    _ = try reader.next()
    #expect(throws: LogReadError.self) { try reader.next() }
    #expect(try reader.next()?.line == 4)
    #expect(try reader.next()?.line == 5)
    #expect(try reader.next() == nil)
  }

  @Test func aCopyOfAReaderReadsByItself() throws {
    let log = SkimmedEventTests.header + "\n" + SkimmedEventTests.lines.joined(separator: "\n")
    var reader = LogReader(bytes: Array(log.utf8))
    _ = try reader.next()
    var copy = reader
    var lines: [Int] = []
    while let entry = try reader.next() { lines.append(entry.line) }
    var others: [Int] = []
    while let entry = try copy.next() { others.append(entry.line) }
    #expect(lines == others)
    #expect(lines.count == SkimmedEventTests.lines.count)
  }
}
