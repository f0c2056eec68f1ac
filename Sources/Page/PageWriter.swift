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
  /// The log that lines belong to.
  package enum LogRole: String {
    /// The log that is shown.
    case log
    /// The replay, or the other log, that it is compared with.
    case other
  }

  private let sink: any ByteSink
  private var buffer: [UInt8] = []
  /// How the blocks of the log begin.
  private var opening: [UInt8] = []
  /// The bytes in the open block.
  private var blockLength = 0

  package init(to sink: any ByteSink) { self.sink = sink }

  /// Larger blocks would be kept as one text, which costs a browser a copy; a longer line has a block of its own.
  private static let longestBlock = 1 << 20

  /// Writes everything before the logs.
  ///
  /// - Parameters:
  ///   - title: The title of the page.
  ///   - about: What the page says besides the logs.
  ///   - live: How the page learns what comes later; `nil` when it is complete.
  ///   - hasPictures: Whether pictures follow the logs.
  /// - Returns: What stands before the script.
  /// - Throws: `StreamError`.
  mutating func open(
    title: String,
    about: JSON.Object,
    live: PageNews.NewsSource?,
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
  ///   - part: What it is.
  ///   - number: Which log of the page it belongs to; the first is 1.
  /// - Throws: `StreamError`.
  mutating func openBlock(_ part: LogRole, number: Int = 1) throws(StreamError) {
    try endBlock()
    opening = Array(
      "<script type=\"application/x-tca-replay-\(part.rawValue)\"\(number > 1 ? " data-log=\"\(number)\"" : "")>"
        .utf8
    )
  }

  /// Adds a line, without its end.
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

  /// Adds data that is neither of a log nor run.
  ///
  /// - Parameters:
  ///   - type: What the data is, after `x-tca-replay-`.
  ///   - attributes: The attributes of the block, by which the script finds it.
  ///   - text: The data, without the sign `<`.
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

  /// Adds the text of lines as a page holds it.
  ///
  /// What it cannot hold in a script, or would change, is written as U+0001 and a letter. U+0001 stands in no line of JSON.
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

  /// A value as a script holds it: in JSON, the sign `<` is in texts alone, where it can be written by its number.
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

/// The file of a page: it may replace a page, but no other file.
package enum PageOutput {
  /// What every page begins with.
  static let beginning = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="generator" content="tca-replay view">

    """
}
