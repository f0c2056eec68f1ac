public import Foundation

/// A reader of a log, which returns one event at a time and keeps one line in memory.
///
/// ```swift
/// var reader = try LogReader(path: "session.jsonl")
/// while let entry = try reader.next() {
///   print(entry.line, entry.event.kind)
/// }
/// if let torn = reader.tornTail { print("the last \(torn.bytes) bytes are not a whole event") }
/// ```
///
/// If the writer was killed, a log can end in the middle of a line, or in NUL bytes that a file system allocated. This
/// is not an error: the reader returns the complete events and sets `tornTail`.
public struct LogReader {
  /// The maximum length of a line in bytes: 512 MiB.
  ///
  /// The limit bounds the memory that reading a file can take. For a longer line, the reader throws a `LogReadError`.
  ///
  /// ```swift
  /// if event.line.count > LogReader.longestLine { print("no reader would take this event back") }
  /// ```
  public static let longestLine = 512 * 1024 * 1024

  private var lines: LineReader
  /// The number of the last line that was read, counted from 1.
  private var line = 0
  /// The members of the current line, reused to avoid allocations.
  private var members = EventMembers()
  private var firstLine = 1
  private var hasHeader = false
  /// The offsets of the last line that was read and of the next one, in bytes.
  private var (offset, nextOffset) = (0, 0)
  /// A line that was read ahead, to check whether the line before it was the last one.
  private var held: (line: Int, offset: Int, text: LineReader.Line)?
  /// The incomplete event at the end of the log, or `nil` if the last event is complete.
  ///
  /// Set when the reader reaches the end.
  public private(set) var tornTail: TornTail?
  /// Whether the last error concerns a note, on which no other event depends.
  package private(set) var hasBrokenNote = false
  /// The complete events in the line that caused the last error, if they lack only the line feeds between them.
  package private(set) var gluedEntries: [Entry] = []
  /// Whether an incomplete event precedes `gluedEntries` in the line, because another writer was stopped.
  package var hasTornStart: Bool { gluedEntries.first.map { $0.offset > offset } ?? false }

  /// An incomplete event at the end of a log.
  ///
  /// ```swift
  /// if let tail = reader.tornTail { print("line \(tail.line): \(tail.bytes) bytes are not a whole event") }
  /// ```
  public struct TornTail: Hashable, Sendable {
    /// The number of the incomplete event's line, counted from 1.
    public let line: Int
    /// The number of bytes from the start of the line to the end of the file.
    public let bytes: Int
  }

  /// An event and its position in the log.
  ///
  /// ```swift
  /// while let entry = try reader.next() { print(entry.line, entry.event.kind, entry.bytes) }  // 1 header 212
  /// ```
  public struct Entry: Sendable {
    /// The number of the event's line, counted from 1.
    public let line: Int
    /// The event that was decoded from the line.
    public let event: LogEvent
    /// The length of the event in bytes, without the line feed.
    public let bytes: Int
    /// The offset of the event in bytes, from the start of the file or from an open file's initial position.
    package let offset: Int

    /// The position at which the event's line starts.
    package var start: LineStart { LineStart(line: line, offset: offset) }
  }

  /// Opens a log file for reading.
  ///
  /// - Throws: A `LogReadError` if the system can't open the file.
  public init(path: String) throws(LogReadError) {
    lines = LineReader(
      try FileHandle(readingLog: path),
      path: path,
      longest: Self.longestLine
    )
  }

  /// Creates a reader for an open file, such as standard input.
  ///
  /// - Parameters:
  ///   - handle: The file handle, read from its current position.
  ///   - name: The file's name in messages.
  ///   - firstLine: The number of the line at the current position.
  public init(_ handle: FileHandle, name: String, firstLine: Int = 1) {
    self.init(handle, name: name, firstLine: firstLine, isContinued: false)
  }

  /// Creates a reader for an open file with a limit for the length of lines, in bytes.
  init(_ handle: FileHandle, name: String, longest: Int) {
    lines = LineReader(handle, path: name, longest: longest)
  }

  /// The number of bytes that the reader has reserved for lines.
  var memory: Int { lines.room }

  /// Creates a reader that starts at a line after the log's header.
  ///
  /// - Throws: A `LogReadError` if the system can't open the file.
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

  /// Creates a reader for bytes in memory that starts at a line after the log's header.
  package init(_ bytes: LogBytes, from start: LineStart) {
    hasHeader = true
    line = start.line - 1
    firstLine = start.line
    nextOffset = start.offset
    lines = LineReader(bytes, from: start.offset, longest: Self.longestLine)
  }

  /// Creates a reader for a log in memory, in UTF-8.
  public init(bytes: [UInt8]) { self.init(bytes: bytes, longest: Self.longestLine) }

  init(bytes: [UInt8], longest: Int) { lines = LineReader(bytes, longest: longest) }
}

extension LogReader {
  /// Returns the next event, or `nil` after the last complete one.
  ///
  /// - Throws: A `LogReadError` with the number of the line that is not an event, or with another reason why the log
  ///   can't be read.
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
        // The log's first line is incomplete and contains only NUL bytes, so the log is empty.
        guard hasText else { throw .empty }
        guard case .notJSON(_, let problem) = error, problem.isOfTornText else { throw error }
        throw .tornHeader(bytes: count)
      }
    }
    // A log that consists of blank lines is empty.
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
    // The line is not a JSON object. The parser determines the exact error.
    let json: JSON
    do throws(JSON.ParseError) { json = try JSON(parsing: text.bytes) } catch {
      throw .notJSON(line: line, error)
    }
    do throws(LogEvent.SyntaxError) { return try LogEvent(json: json) } catch {
      throw .notAnEvent(line: line, error)
    }
  }

  /// Returns the events at the end of a line that lack the line feeds between them.
  ///
  /// The line can start with an incomplete event.
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

  /// Returns the events between an offset in a line and the line's end, or `nil` if the line contains other text there.
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

  /// Returns the next offset in a line at which an event can start, or `nil` if there is none.
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

  /// Skips the incomplete last line of a log, and sets `tornTail`.
  ///
  /// - Throws: `problem` if the line is not an incomplete event, or if lines with text follow. A `LogReadError` if the
  ///   following lines can't be read.
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
  /// Whether the text is the start of valid JSON, possibly followed by NUL bytes.
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
