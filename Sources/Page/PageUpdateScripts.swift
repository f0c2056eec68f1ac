import ActionLog
import Foundation
import ReplayCommands

/// The scripts next to a page that deliver updates: `now.js` with the current status, and `1.js`, `2.js` and so on with
/// new lines.
///
/// `now.js` also shows that the command still runs. It is rewritten with the next number within `patience` seconds. A
/// killed command cannot remove the file, and its pages would otherwise wait forever.
///
/// A page in a file may load only scripts, so the updates are scripts. Each calls one function of the page with data.
/// Texts of a log are string literals with escapes, so they cannot run as code.
struct PageUpdateScripts {
  /// The source of a page's updates, and the extent of the data that the page already contains.
  struct PageUpdateSource {
    /// The folder of the scripts, next to the page.
    let folder: String
    /// The generation of the page.
    ///
    /// A page that finds another generation reloads itself.
    let generation: String
    /// The number of the first part that the page does not contain.
    let next: Int
    /// Whether lines are added.
    ///
    /// If `false`, the page is only rewritten.
    let grows: Bool

    var json: JSON {
      [
        "folder": .string(folder), "generation": .string(generation),
        "next": .number(JSON.Number(next)), "grows": .bool(grows),
      ]
    }
  }

  private let folder: LockedFolder
  private let name: String
  private var generation = ""
  /// The number of the first part that the page does not contain.
  private var next = 1
  /// The number of the last written part.
  private var last = 0
  /// The number of the first stored part.
  private var first = 1
  /// The number of times that `now.js` was written.
  private var beat = 0
  /// The number of seconds within which `now.js` is rewritten.
  var patience: Int

  /// Creates the folder next to a page.
  ///
  /// - Parameters:
  ///   - page: The path of the page.
  ///   - patience: The number of seconds within which `now.js` is rewritten.
  /// - Throws: `PageError` if another command writes the page, `StreamError`.
  init(besides page: String, patience: Int) throws {
    let path = page + ".live"
    guard let folder = try LockedFolder(at: path, isOwn: Self.isScript) else {
      throw PageError.isWritten(page, folder: path)
    }
    self.folder = folder
    self.patience = patience
    name = URL(fileURLWithPath: path).lastPathComponent
  }

  /// Returns whether a file with this name may be one of the scripts or a temporary file of one.
  private static func isScript(_ name: String) -> Bool {
    name.wholeMatch(of: /\.?([0-9]+|now)\.js(\.tca-replay(-[0-9]+)?)?/) != nil
  }

  /// The number of parts that a newly opened page must load.
  var parts: Int { last + 1 - next }

  /// The maximum size of a part in bytes, unless a single line is longer.
  private static let longestPart = 1 << 20

  /// Adds lines.
  ///
  /// The page receives them with the next call of `publish`.
  ///
  /// - Throws: `StreamError`.
  mutating func add(_ lines: [UInt8]) throws(StreamError) {
    var rest = lines[...]
    while !rest.isEmpty {
      var end = min(rest.startIndex + Self.longestPart, rest.endIndex)
      if end < rest.endIndex {
        let feed = UInt8(ascii: "\n")
        end = (rest[..<end].lastIndex(of: feed) ?? rest[end...].firstIndex(of: feed) ?? end) + 1
      }
      last += 1
      var script = Array("tcaReplay({\"part\":\(last),\"text\":\"".utf8)
      Self.quote(rest[..<end], into: &script)
      script += "\"});\n".utf8
      try write(script, to: "\(last).js")
      rest = rest[end...]
    }
  }

  /// Appends a text inside a string literal of a script, in the same form as in a page.
  private static func quote(_ text: ArraySlice<UInt8>, into script: inout [UInt8]) {
    var escaped: [UInt8] = []
    PageWriter.escape(text, into: &escaped)
    var rest = escaped[...]
    while let byte = rest.first {
      // In old browsers, U+2028 and U+2029 end a line of a script.
      if byte == 0xE2,
        rest.starts(with: [0xE2, 0x80, 0xA8]) || rest.starts(with: [0xE2, 0x80, 0xA9])
      {
        script += (rest[rest.startIndex + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8
        rest = rest.dropFirst(3)
        continue
      }
      switch byte {
      case UInt8(ascii: "\n"): script += "\\n".utf8
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): script += [UInt8(ascii: "\\"), byte]
      case ..<0x20: script += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: script.append(byte)
      }
      rest = rest.dropFirst()
    }
  }

  /// Announces the available parts to open pages, and that the command still runs.
  ///
  /// - Throws: `StreamError`.
  mutating func publish() throws(StreamError) { try publish(isLast: false) }

  /// Announces the end to open pages, because a page that requests removed scripts fails.
  ///
  /// - Throws: `StreamError`.
  mutating func publishEnd() throws(StreamError) { try publish(isLast: true) }

  /// The polling interval of an open page in seconds, with a margin.
  static let farewell = 0.8

  private mutating func publish(isLast: Bool) throws(StreamError) {
    beat += 1
    let sign = Heartbeat(
      generation: generation,
      next: next,
      last: last,
      beat: beat,
      patience: patience,
      isLast: isLast
    )
    try write(sign.script, to: "now.js")
  }

  /// The periodic message to open pages.
  struct Heartbeat {
    let generation: String
    let next: Int
    let last: Int
    let beat: Int
    let patience: Int
    /// Whether this is the last message.
    let isLast: Bool

    /// The script that delivers the message.
    var script: [UInt8] {
      let now: JSON = [
        "generation": .string(generation), "next": .number(JSON.Number(next)),
        "last": .number(JSON.Number(last)), "beat": .number(JSON.Number(beat)),
        "patience": .number(JSON.Number(patience)), "ended": .bool(isLast),
      ]
      return Array("tcaReplay(".utf8) + now.bytes + ");\n".utf8
    }
  }

  /// Returns the source of updates for a page that is about to be written.
  ///
  /// - Parameters:
  ///   - isSame: Whether open pages continue with the parts, because the new page only contains more of them.
  ///   - grows: Whether lines are added.
  /// - Returns: The source.
  mutating func source(isSame: Bool, grows: Bool) -> PageUpdateSource {
    if !isSame { generation = UUID().uuidString }
    return PageUpdateSource(folder: name, generation: generation, next: last + 1, grows: grows)
  }

  /// Removes the parts that open pages no longer need after the page was written.
  ///
  /// The parts since the previous writing are kept for slow pages.
  mutating func pageIsWritten(_ source: PageUpdateSource) {
    for part in first..<max(next, first) { unlink("\(folder.path)/\(part).js") }
    first = max(next, first)
    next = source.next
  }

  private func write(_ text: some Collection<UInt8>, to name: String) throws(StreamError) {
    let file = try AtomicFile("\(folder.path)/\(name)")
    try file.write(text)
    try file.finish()
  }
}
