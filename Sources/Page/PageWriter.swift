import ActionLog
import ReplayCommands

/// Writes a page: one HTML file that holds logs as they are, and the script that shows them.
///
/// ```swift
/// var page = PageWriter(to: sink)
/// try page.open(title: "todos.jsonl", about: ["name": "todos.jsonl"])
/// try page.begin(.log)
/// try page.add(line: bytes)
/// try page.close()
/// ```
///
/// The policy of the page lets it run this script, by its digest, and load nothing. The text of a log stands in blocks of data, which
/// nothing runs.
package struct PageWriter {
  /// The log that lines belong to.
  package enum Part: String {
    /// The log that is shown.
    case log
    /// The replay, or the other log, that it is compared with.
    case other
  }

  private let sink: any ByteSink
  private var buffer: [UInt8] = []
  private var part: Part?
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
  /// - Throws: `StreamError`.
  package mutating func open(title: String, about: JSON) throws(StreamError) {
    let policy =
      "default-src 'none'; script-src '\(PageSource.scriptHash)'; style-src '\(PageSource.styleHash)'; "
      + "base-uri 'none'; form-action 'none'"
    buffer.append(PageOutput.beginning)
    buffer.append(
      """
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(Self.escaped(title))</title>
      <style>
      """
    )
    buffer.append(PageSource.style)
    buffer.append("</style>\n</head>\n<body>\n")
    buffer.append(PageSource.body)
    buffer.append("\n<script type=\"application/json\" id=\"about\">")
    // In JSON, '<' stands in strings alone.
    for byte in about.bytes {
      if byte == UInt8(ascii: "<") { buffer.append("\\u003c") } else { buffer.append(byte) }
    }
    buffer.append("</script>\n<script>")
    buffer.append(PageSource.script)
    buffer.append("</script>\n")
    try flush()
  }

  /// Begins a log.
  ///
  /// - Throws: `StreamError`.
  package mutating func begin(_ part: Part) throws(StreamError) {
    try endBlock()
    self.part = part
  }

  /// Adds a line, without its end.
  ///
  /// - Throws: `StreamError`.
  package mutating func add(line: some Collection<UInt8>) throws(StreamError) {
    guard let part else { return }
    if blockLength > 0, blockLength + line.count >= Self.longestBlock { try endBlock() }
    if blockLength == 0 {
      buffer.append("<script type=\"application/x-tca-replay-\(part.rawValue)\">")
    }
    for byte in line {
      // What a page cannot hold in a script, or would change, is written as U+0001 and a letter. U+0001 stands in no line of JSON.
      switch byte {
      case UInt8(ascii: "<"): buffer.append("\u{1}l")
      case UInt8(ascii: "\r"): buffer.append("\u{1}r")
      case 0: buffer.append("\u{1}0")
      case 1: buffer.append("\u{1}1")
      default: buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\n"))
    blockLength += line.count + 1
    if buffer.count > 1 << 18 { try flush() }
  }

  /// Writes the end of the page.
  ///
  /// - Throws: `StreamError`.
  package mutating func close() throws(StreamError) {
    try endBlock()
    buffer.append("</body>\n</html>\n")
    try flush()
  }

  private mutating func endBlock() throws(StreamError) {
    guard blockLength > 0 else { return }
    buffer.append("</script>\n")
    blockLength = 0
  }

  private mutating func flush() throws(StreamError) {
    try sink.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private static func escaped(_ text: String) -> String {
    Notation.visible(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }
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
