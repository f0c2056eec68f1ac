import ActionLog
import ReplayCommands

/// Writes a page: one HTML file that holds logs as they are, and the script that shows them.
///
/// ```swift
/// var page = PageWriter(to: sink)
/// _ = try page.open(title: "todos.jsonl", about: ["name": "todos.jsonl"], live: nil)
/// try page.openBlock(.log)
/// try page.add(line: bytes)
/// try page.close()
/// ```
///
/// The policy of the page lets it run this script, by its digest, and load nothing; a page that is still written may load what this script
/// names (`LivePage`). The text of a log stands in blocks of data, which nothing runs.
package struct PageWriter {
  /// The role of a log on the page.
  package enum LogRole: String {
    /// The displayed log.
    case log
    /// The replay or the other log, for comparison.
    case other
  }

  private let sink: any ByteSink
  private var buffer: [UInt8] = []
  /// The start tag of the log's blocks.
  private var opening: [UInt8] = []
  /// The number of bytes in the open block.
  private var blockLength = 0

  package init(to sink: any ByteSink) { self.sink = sink }

  /// The maximum size of a block in bytes, unless a single line is longer.
  ///
  /// A browser would store a larger block as one string, which costs a copy.
  private static let longestBlock = 1 << 20

  /// Writes everything before the logs.
  ///
  /// - Parameters:
  ///   - title: The title of the page.
  ///   - about: Information other than logs.
  ///   - live: The source of later updates; `nil` for a complete page.
  ///   - hasPictures: Whether pictures follow the logs.
  /// - Returns: The head of the page.
  /// - Throws: `StreamError`.
  mutating func open(
    title: String,
    about: JSON.Object,
    live: PageUpdateScripts.PageUpdateSource?,
    hasPictures: Bool = false
  ) throws(StreamError) -> PageHead {
    let head = PageHead(title: title, about: about, live: live, hasPictures: hasPictures)
    buffer += head.written
    buffer += "<script>\(PageSource.script)</script>\n".utf8
    try flush()
    return head
  }

  /// Begins a log.
  ///
  /// - Parameters:
  ///   - part: The role of the log.
  ///   - number: The number of the log on the page; the first is 1.
  /// - Throws: `StreamError`.
  mutating func openBlock(_ part: LogRole, number: Int = 1) throws(StreamError) {
    try endBlock()
    opening = Array(
      "<script type=\"application/x-tca-replay-\(part.rawValue)\"\(number > 1 ? " data-log=\"\(number)\"" : "")>"
        .utf8
    )
  }

  /// Adds a line without its line feed.
  ///
  /// - Throws: `StreamError`.
  package mutating func add(line: some Collection<UInt8>) throws(StreamError) {
    if blockLength > 0, blockLength + line.count >= Self.longestBlock { try endBlock() }
    if blockLength == 0 { buffer += opening }
    Self.escape(line, into: &buffer)
    buffer.append(UInt8(ascii: "\n"))
    blockLength += line.count + 1
    if buffer.count > 1 << 18 { try flush() }
  }

  /// Adds a block of data that is not part of a log.
  ///
  /// - Parameters:
  ///   - type: The type of the data, after `x-tca-replay-`.
  ///   - attributes: The attributes of the block, which the script uses to find it.
  ///   - text: The data, without the character `<`.
  /// - Throws: `StreamError`.
  mutating func add(
    block type: String,
    _ attributes: String,
    _ text: some Collection<UInt8>
  ) throws(StreamError) {
    try endBlock()
    buffer += "<script type=\"application/x-tca-replay-\(type)\" \(attributes)>".utf8
    buffer += text
    buffer += "</script>\n".utf8
    if buffer.count > 1 << 18 { try flush() }
  }

  /// Appends the text of lines in the form of a page.
  ///
  /// Characters that a script element cannot contain, or would change, are written as U+0001 and a letter. No line of
  /// JSON contains U+0001.
  static func escape(_ text: some Collection<UInt8>, into bytes: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "<"): bytes += [1, UInt8(ascii: "l")]
      case UInt8(ascii: "\r"): bytes += [1, UInt8(ascii: "r")]
      case 0: bytes += [1, UInt8(ascii: "0")]
      case 1: bytes += [1, UInt8(ascii: "1")]
      default: bytes.append(byte)
      }
    }
  }

  /// Returns a value in the form of a script.
  ///
  /// In JSON, the character `<` occurs only in strings, where it can be escaped.
  static func escaped(_ value: JSON) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in value.bytes {
      if byte == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(byte) }
    }
    return bytes
  }

  /// Writes the end of the page.
  ///
  /// - Throws: `StreamError`.
  package mutating func close() throws(StreamError) {
    try endBlock()
    buffer += "</body>\n</html>\n".utf8
    try flush()
  }

  private mutating func endBlock() throws(StreamError) {
    guard blockLength > 0 else { return }
    buffer += "</script>\n".utf8
    blockLength = 0
  }

  private mutating func flush() throws(StreamError) {
    try sink.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

/// The file of a page.
///
/// It may replace a page, but no other file.
package enum PageOutput {
  /// The beginning of every page.
  static let beginning = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="generator" content="tca-replay view">

    """
}
