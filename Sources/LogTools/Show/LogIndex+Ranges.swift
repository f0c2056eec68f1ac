import ActionLog
import Foundation
import ReplayCommands

extension LogIndex {
  /// The minimum size, in bytes, of a file that gets an index.
  ///
  /// Smaller files can be read as fast without one.
  package static let smallestFile = 4 * 1024 * 1024

  /// Returns the index for a log in a file, and creates it if it is missing.
  ///
  /// The index is stored in a folder for later use. The name of the index file contains the log file's identity, size,
  /// and modification time, so the index of an older version is not used.
  ///
  /// - Parameters:
  ///   - path: The path of the log file.
  ///   - offset: The offset in bytes at which the log starts in the file.
  ///   - folder: The folder for stored indexes, or `nil` to store none.
  ///   - smallestFile: The minimum size, in bytes, of a file that gets an index.
  /// - Returns: The index, or `nil` if the file is too small.
  /// - Throws: `LogReadError`.
  package static func index(
    of path: String,
    from offset: Int = 0,
    keptIn folder: String?,
    smallestFile: Int = Self.smallestFile
  ) throws(LogReadError) -> LogIndex? {
    guard let trace = FileMetadata(path), trace.size >= smallestFile else { return nil }
    let kept = folder.map { "\($0)/\(name(trace, offset))" }
    if let kept, let index = LogIndex(keptAt: kept) { return index }
    let index = try LogIndex(scanning: path, from: offset)
    if let kept, let folder { index.save(at: kept, in: folder) }
    return index
  }

  private static func name(_ trace: FileMetadata, _ offset: Int) -> String {
    "index-\(trace.identity)-\(trace.size)-\(trace.modified)" + (offset > 0 ? "-\(offset)" : "")
  }
}

// MARK: - Storage

extension LogIndex {
  /// Stores the index in a file.
  ///
  /// Errors are ignored, because a missing index only makes the next search slower.
  func save(at path: String, in folder: String) {
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard let file = try? AtomicFile(path), (try? file.write(line)) != nil else { return }
    try? file.finish()
  }

  /// The contents of the index file.
  ///
  /// The line starts with a digest that detects damage, because a damaged index would lead to wrong actions.
  private var line: [UInt8] {
    let bytes = json.bytes
    return Array(bytes.digest.utf8) + [UInt8(ascii: " ")] + bytes
  }

  /// Reads a stored index, or returns `nil` if the file is missing or damaged.
  init?(keptAt path: String) {
    guard let data = FileManager.default.contents(atPath: path),
      let space = data.firstIndex(of: UInt8(ascii: " "))
    else { return nil }
    let bytes = data[(space + 1)...]
    guard data[..<space].elementsEqual(bytes.digest.utf8),
      let json = try? JSON(parsing: bytes)
    else { return nil }
    self.init(json: json)
  }

  private var json: JSON {
    let places = places.map { JSON.array([.number(JSON.Number($0.seq))] + $0.start.json) }
    var object: JSON.Object = ["places": .array(places)]
    object["next"] = next.map { .array($0.json) }
    return .object(object)
  }

  private init?(json: JSON) {
    guard let elements = json["places"]?.array else { return nil }
    var places: [CheckpointPosition] = []
    for element in elements {
      guard let numbers = element.array, numbers.count == 3, let seq = numbers[0].int,
        let start = LogReader.LineStart(json: numbers[1...])
      else { return nil }
      places.append(CheckpointPosition(seq: seq, start: start))
    }
    let next = json["next"]?.array.flatMap { LogReader.LineStart(json: $0[...]) }
    guard (next == nil) == (json["next"] == nil) else { return nil }
    self.init(places: places, next: next)
  }
}

extension LogReader.LineStart {
  fileprivate var json: [JSON] { [line, offset].map { .number(JSON.Number($0)) } }

  fileprivate init?(json: ArraySlice<JSON>) {
    let numbers = json.compactMap(\.int)
    guard json.count == 2, numbers.count == 2 else { return nil }
    self.init(line: numbers[0], offset: numbers[1])
  }
}

/// Reads the events of a log from the last checkpoint before a range of actions.
///
/// With an index, the reader skips the lines between the header and that checkpoint. Without an index, it reads all
/// events. It does not stop at the end of the range; the caller can skip the rest of an indexed log with `skipLog()`.
struct RangeReader {
  private let path: String
  private var reader: LogReader
  private let index: LogIndex?
  /// The line at which reading continues after the header, or `nil` to continue with the next line.
  private var start: LogReader.LineStart?
  private var isAtEnd = false

  /// Creates a reader for a stream, which can't skip lines.
  init(_ reader: LogReader) {
    path = ""
    self.reader = reader
    index = nil
  }

  /// Creates a reader for a file.
  ///
  /// - Parameters:
  ///   - path: The path of the log file.
  ///   - range: The numbers of the actions to read.
  ///   - cache: The folder for stored indexes, or `nil` to store none.
  ///   - smallestFile: The minimum size, in bytes, of a file that gets an index.
  /// - Throws: `LogReadError`.
  init(
    _ path: String,
    _ range: ClosedRange<Int>,
    cache: String?,
    smallestFile: Int = LogIndex.smallestFile
  ) throws(LogReadError) {
    self.path = path
    reader = try LogReader(path: path)
    index =
      range == 0...Int.max
      ? nil : try LogIndex.index(of: path, keptIn: cache, smallestFile: smallestFile)
    // The last checkpoint from which the first action of the range can be reached.
    start = index?.checkpoint(before: range.lowerBound - 1)?.start
  }

  /// Returns the next event, or `nil` after the last one.
  ///
  /// - Throws: `LogReadError`.
  mutating func next() throws(LogReadError) -> LogReader.Entry? {
    guard !isAtEnd, let entry = try reader.next() else { return nil }
    if let start {
      self.start = nil
      if case .header = entry.event {
        reader = try LogReader(path: path, from: start)
      }
    }
    return entry
  }

  /// Skips to the next log in the file, or to the end if the file has no other log.
  ///
  /// Does nothing without an index, or if the first log has already been skipped.
  ///
  /// - Throws: `LogReadError`.
  mutating func skipLog() throws(LogReadError) {
    guard let index, !hasSkipped else { return }
    hasSkipped = true
    guard let next = index.next else {
      isAtEnd = true
      return
    }
    reader = try LogReader(path: path, from: next)
  }

  /// Whether the first log has been skipped, after which the index no longer applies.
  private var hasSkipped = false
}
