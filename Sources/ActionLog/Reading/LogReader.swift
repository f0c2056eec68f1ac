public import Foundation

/// Reads a log event by event, holding one line at a time.
///
/// ```swift
/// var reader = try LogReader(path: "session.jsonl")
/// while let entry = try reader.next() {
///   print(entry.line, entry.event.kind)
/// }
/// if let torn = reader.tornTail { print("the last \(torn.bytes) bytes are not a whole event") }
/// ```
///
/// A log whose writer was killed may end in the middle of a line, or in NULs where a file system had made room for bytes
/// that it lost. That is a normal end: the reader returns what came before and reports `tornTail`.
public struct LogReader {
  /// The longest line that is read, in bytes: 512 MiB.
  ///
  /// It bounds the memory that a file can take. A longer line is a `LogReadError`.
  ///
  /// ```swift
  /// if event.line.count > LogReader.longestLine { print("no reader would take this event back") }
  /// ```
  public static let longestLine = 512 * 1024 * 1024

  private var lines: LineReader
  /// The number of the last line that was read.
  private var line = 0
  /// The members of the line that is read, kept for their memory.
  private var members = EventMembers()
  private var firstLine = 1
  private var hasHeader = false
  /// The offset of the last line that was read, and of the next one.
  private var (offset, nextOffset) = (0, 0)
  /// The line after one that might have been the end, read to find out.
  private var held: (line: Int, offset: Int, text: LineReader.Line)?
  /// The bytes after the last whole event, once the end is reached.
  public private(set) var tornTail: TornTail?
  /// Whether the last error was about a broken note, on which nothing in the log depends.
  package private(set) var hasBrokenNote = false
  /// The whole events at the end of the line that the last error was about, without a line feed between them.
  package private(set) var gluedEntries: [Entry] = []
  /// Whether a part of an event stands before `gluedEntries`: the writer of another process was stopped.
  package var hasTornStart: Bool { gluedEntries.first.map { $0.offset > offset } ?? false }

  /// Bytes at the end of a log that are not a whole event.
  ///
  /// ```swift
  /// if let tail = reader.tornTail { print("line \(tail.line): \(tail.bytes) bytes are not a whole event") }
  /// ```
  public struct TornTail: Hashable, Sendable {
    /// The line on which they begin, counted from 1.
    public let line: Int
    /// The number of bytes.
    public let bytes: Int
  }

  /// An event and its place in the log.
  ///
  /// ```swift
  /// while let entry = try reader.next() { print(entry.line, entry.event.kind, entry.bytes) }  // 1 header 212
  /// ```
  public struct Entry: Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// The event.
    public let event: LogEvent
    /// The length of the line in bytes, without its end.
    public let bytes: Int
    /// The bytes of the file before the line, or those after the place from which an open file was read.
    package let offset: Int

    /// Where the line begins.
    package var start: LineStart { LineStart(line: line, offset: offset) }
  }

  /// Opens a file.
  ///
  /// - Throws: `LogReadError` when the system refuses.
  public init(path: String) throws(LogReadError) {
    lines = LineReader(
      try FileHandle(readingLog: path),
      path: path,
      longest: Self.longestLine
    )
  }

  /// Reads from an open file, such as standard input.
  ///
  /// - Parameters:
  ///   - handle: The file, at the place from which it is read.
  ///   - name: Its name in messages.
  ///   - firstLine: The number of the line at that place.
  public init(_ handle: FileHandle, name: String, firstLine: Int = 1) {
    self.init(handle, name: name, firstLine: firstLine, isContinued: false)
  }

  /// Reads from an open file whose lines have another limit.
  init(_ handle: FileHandle, name: String, longest: Int) {
    lines = LineReader(handle, path: name, longest: longest)
  }

  /// The bytes that are held for lines.
  var memory: Int { lines.room }

  /// Reads a file on from a place within a log, whose header was read before.
  ///
  /// - Throws: `LogReadError` when the system refuses.
  package init(path: String, from start: LineStart) throws(LogReadError) {
    self.init(
      try FileHandle(readingLog: path, from: start.offset),
      name: path,
      firstLine: start.line,
      isContinued: true
    )
    nextOffset = start.offset
  }

  private init(_ handle: FileHandle, name: String, firstLine: Int, isContinued: Bool) {
    hasHeader = isContinued
    line = firstLine - 1
    self.firstLine = firstLine
    lines = LineReader(handle, path: name, longest: Self.longestLine)
  }

  /// Reads bytes on from a place within a log, whose header was read before.
  package init(_ bytes: LogBytes, from start: LineStart) {
    hasHeader = true
    line = start.line - 1
    firstLine = start.line
    nextOffset = start.offset
    lines = LineReader(bytes, from: start.offset, longest: Self.longestLine)
  }

  /// Reads a log that is in memory.
  public init(bytes: [UInt8]) { self.init(bytes: bytes, longest: Self.longestLine) }

  init(bytes: [UInt8], longest: Int) { lines = LineReader(bytes, longest: longest) }
}

extension LogReader {
  /// The next event; `nil` after the last whole one.
  ///
  /// - Throws: `LogReadError` with the line that is not an event.
  public mutating func next() throws(LogReadError) -> Entry? {
    hasBrokenNote = false
    gluedEntries = []
    while let text = try nextLine() {
      if text.isTerminated, text.isBlank { continue }
      do throws(LogReadError) {
        let event = try accept(try event(text))
        return Entry(line: line, event: event, bytes: text.count, offset: offset)
      } catch {
        gluedEntries = glued(text, error)
        guard !text.isTerminated || text.hasNUL, gluedEntries.isEmpty else {
          hasBrokenNote = hasHeader && Self.begins(text.bytes, with: #"{"kind":"note""#)
          throw error
        }
        let count = text.count
        let hasText = text.bytes.contains { $0 != 0 && !Self.isBlank($0) }
        try passTail(from: text, error)
        guard !hasHeader else { return nil }
        // A log without a whole header has no events.
        guard hasText else { throw .empty }
        guard case .notJSON(_, let problem) = error, problem.isOfTornText else { throw error }
        throw .tornHeader(bytes: count)
      }
    }
    // A log of blank lines is empty.
    if line == firstLine - 1 || !hasHeader { throw .empty }
    return nil
  }

  private mutating func nextLine() throws(LogReadError) -> LineReader.Line? {
    if let held {
      self.held = nil
      (line, offset) = (held.line, held.offset)
      return held.text
    }
    guard let text = try lines.next(line: line + 1) else { return nil }
    line += 1
    pass(text)
    return text
  }

  private mutating func pass(_ text: LineReader.Line) {
    offset = nextOffset
    nextOffset += text.count + (text.isTerminated ? 1 : 0)
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  private mutating func event(_ text: LineReader.Line) throws(LogReadError) -> LogEvent {
    do throws(LogEvent.SyntaxError) {
      if let event = try members.event(text.memory, text.range) { return event }
    } catch { throw .notAnEvent(line: line, error) }
    // The parser finds out what is wrong.
    let json: JSON
    do throws(JSON.ParseError) { json = try JSON(parsing: text.bytes) } catch {
      throw .notJSON(line: line, error)
    }
    do throws(LogEvent.SyntaxError) { return try LogEvent(json: json) } catch {
      throw .notAnEvent(line: line, error)
    }
  }

  /// The events at the end of a line, one right after the other: the line feeds between them are missing.
  ///
  /// The line may begin with a part of an event.
  private mutating func glued(_ text: LineReader.Line, _ problem: LogReadError) -> [Entry] {
    guard case .notJSON = problem else { return [] }
    var start = 0
    var entries = events(in: text, from: start)
    while entries == nil, let next = Self.eventStart(in: text.bytes, after: start) {
      start = next
      entries = events(in: text, from: start)
    }
    guard let entries else { return [] }
    if !hasHeader {
      guard case .header(let header)? = entries.first?.event, header.refusal == nil else {
        return []
      }
      hasHeader = true
    }
    return entries
  }

  /// The events from a place in a line to its end; `nil` if there is anything else.
  private func events(in text: LineReader.Line, from start: Int) -> [Entry]? {
    let bytes = UnsafeBufferPointer(rebasing: text.bytes[start...])
    var parser = JSON.Parser(bytes: bytes)
    var entries: [Entry] = []
    while parser.position < bytes.count {
      let first = parser.position
      guard let json = try? parser.value(), let event = try? LogEvent(json: json) else {
        return nil
      }
      let length = parser.position - first
      entries.append(
        Entry(line: line, event: event, bytes: length, offset: offset + start + first)
      )
      parser.skipSpace()
    }
    return entries
  }

  /// The next place in a line at which an event may begin.
  private static func eventStart(
    in bytes: UnsafeBufferPointer<UInt8>,
    after start: Int
  ) -> Int? {
    let mark = Array(#"{"kind":""#.utf8)
    guard start + mark.count < bytes.count else { return nil }
    return (start + 1...bytes.count - mark.count).first { place in
      bytes[place] == mark[0] && bytes[place..<place + mark.count].elementsEqual(mark)
    }
  }

  /// Passes over the rest of a log whose last line is torn.
  ///
  /// - Throws: The problem of that line when something follows, or the line is whole.
  private mutating func passTail(
    from text: LineReader.Line,
    _ problem: LogReadError
  ) throws(LogReadError) {
    switch problem {
    case .notJSON: break
    case .notAnEvent where text.isTerminated: break
    default: throw problem
    }
    let first = line
    var last = line
    var count = text.count + (text.isTerminated ? 1 : 0)
    while let more = try lines.next(line: last + 1) {
      last += 1
      pass(more)
      count += more.count + (more.isTerminated ? 1 : 0)
      guard more.bytes.allSatisfy({ $0 == 0 || Self.isBlank($0) }) else {
        held = (last, offset, more)
        throw problem
      }
    }
    line = last
    tornTail = TornTail(line: first, bytes: count)
  }

  private mutating func accept(_ event: LogEvent) throws(LogReadError) -> LogEvent {
    if case .header(let header) = event {
      if let refusal = header.refusal { throw .refused(line: line, refusal) }
      hasHeader = true
    } else if !hasHeader {
      throw .noHeader(line: line, kind: event.kind)
    }
    return event
  }
}

extension JSON.ParseError {
  /// Whether the text is JSON as far as it goes: it ends in the middle, or in NULs.
  fileprivate var isOfTornText: Bool {
    switch problem {
    case .unexpectedEnd, .unexpectedByte(0, _): true
    default: false
    }
  }
}

extension LineReader.Line {
  fileprivate var isBlank: Bool { bytes.allSatisfy(LogReader.isBlank) }

  fileprivate var hasNUL: Bool {
    bytes.baseAddress.map { memchr($0, 0, count) != nil } ?? false
  }
}

/// The reason why a log cannot be read.
///
/// ```swift
/// do {
///   var reader = try LogReader(path: "todos.jsonl")
///   while let entry = try reader.next() { print(entry.event.kind) }
/// } catch {
///   print(error)  // line 7 is not a log event: event 'note' has no member 'text'; expected a string
/// }
/// ```
public enum LogReadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such file.
  case noSuchFile(String)
  /// The system refused to open or read the file.
  case system(path: String, code: Int32)
  /// A line is not JSON.
  case notJSON(line: Int, JSON.ParseError)
  /// A line is JSON, but not an event.
  case notAnEvent(line: Int, LogEvent.SyntaxError)
  /// A line is longer than `LogReader.longestLine`.
  case lineTooLong(line: Int)
  /// The log does not begin with a header.
  case noHeader(line: Int, kind: String)
  /// There is nothing in the log.
  case empty
  /// The log ends within the header: its writer was stopped there.
  case tornHeader(bytes: Int)
  /// The log has a version, or needs capabilities, that this code does not have.
  case refused(line: Int, String)

  /// What was found, what was expected, and where.
  public var description: String { Wording.describe(self) }
}

extension LogReadError {
  /// The line that is not an event, if that is the only problem and the next lines can be read.
  public var line: Int? {
    switch self {
    case .notJSON(let line, _), .notAnEvent(let line, _): line
    case .noSuchFile, .system, .lineTooLong, .noHeader, .empty, .tornHeader, .refused: nil
    }
  }
}
