import ActionLog
import Foundation
import ReplayCommands

/// The scripts beside a page from which it learns what comes: `now.js`, which says what there is, and `1.js`, `2.js` and so on with the
/// lines that have come.
///
/// `now.js` is also the sign that the command still runs. It is written again before `patience` has passed, with the next number: a command
/// that was killed takes nothing away, and its pages would wait forever.
///
/// A page that is a file may load scripts and nothing else, so these are scripts. Each calls one function of the page with data. Texts of a
/// log stand there in string literals, from which nothing gets out.
struct PageNews {
  /// Where a page learns what comes, and how much it holds already.
  struct NewsSource {
    /// The folder of the scripts, beside the page.
    let folder: String
    /// Which writing of the page it is: a page that finds another one loads itself again.
    let generation: String
    /// The first part that the page does not hold.
    let next: Int
    /// Whether lines come; if not, the page is only written anew.
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
  /// The first part that the page does not hold.
  private var next = 1
  /// The last part that was written.
  private var last = 0
  /// The first part that is kept.
  private var first = 1
  /// How often `now.js` was written.
  private var beat = 0
  /// Seconds within which `now.js` is written again.
  var patience: Int

  /// Makes the folder beside a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - patience: Seconds within which `now.js` is written again.
  /// - Throws: `PageError` when another command writes the page, `StreamError`.
  init(besides page: String, patience: Int) throws {
    let path = page + ".live"
    guard let folder = try LockedFolder(at: path, isOwn: Self.isScript) else {
      throw PageError.isWritten(page, folder: path)
    }
    self.folder = folder
    self.patience = patience
    name = URL(fileURLWithPath: path).lastPathComponent
  }

  /// Whether a file of this name may be one of the scripts, or one that is being written.
  private static func isScript(_ name: String) -> Bool {
    name.wholeMatch(of: /\.?([0-9]+|now)\.js(\.tca-replay(-[0-9]+)?)?/) != nil
  }

  /// How many parts a page that opens now has to load.
  var parts: Int { last + 1 - next }

  /// The longest text of a part, unless a line is longer.
  private static let longestPart = 1 << 20

  /// Adds lines, which the page gets when `publish` is called.
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

  /// A text within a string literal of a script, as a page holds lines.
  private static func quote(_ text: ArraySlice<UInt8>, into script: inout [UInt8]) {
    var escaped: [UInt8] = []
    PageWriter.escape(text, into: &escaped)
    var rest = escaped[...]
    while let byte = rest.first {
      // U+2028 and U+2029 end a line of script in old browsers.
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

  /// Tells open pages what there is, and that the command runs.
  ///
  /// - Throws: `StreamError`.
  mutating func publish() throws(StreamError) { try publish(isLast: false) }

  /// Tells open pages that nothing more comes: a page that looks for what is gone fails.
  ///
  /// - Throws: `StreamError`.
  mutating func publishEnd() throws(StreamError) { try publish(isLast: true) }

  /// Seconds between two looks of an open page, and a little more.
  static let farewell = 0.8

  private mutating func publish(isLast: Bool) throws(StreamError) {
    beat += 1
    let sign = Sign(
      generation: generation,
      next: next,
      last: last,
      beat: beat,
      patience: patience,
      isLast: isLast
    )
    try write(sign.script, to: "now.js")
  }

  /// What open pages are told once in a while.
  struct Sign {
    let generation: String
    let next: Int
    let last: Int
    let beat: Int
    let patience: Int
    /// Whether nothing more comes.
    let isLast: Bool

    /// The script that tells it.
    var script: [UInt8] {
      let now: JSON = [
        "generation": .string(generation), "next": .number(JSON.Number(next)),
        "last": .number(JSON.Number(last)), "beat": .number(JSON.Number(beat)),
        "patience": .number(JSON.Number(patience)), "ended": .bool(isLast),
      ]
      return Array("tcaReplay(".utf8) + now.bytes + ");\n".utf8
    }
  }

  /// What a page that is written now has to know.
  ///
  /// - Parameters:
  ///   - isSame: Whether open pages go on with the parts, because the new page only holds more of them.
  ///   - grows: Whether lines come.
  /// - Returns: What it has to know.
  mutating func source(isSame: Bool, grows: Bool) -> NewsSource {
    if !isSame { generation = UUID().uuidString }
    return NewsSource(folder: name, generation: generation, next: last + 1, grows: grows)
  }

  /// Removes the parts that open pages need no more, now that the page was written.
  ///
  /// Those that came after the page was written before are kept, for pages that are slow.
  mutating func pageIsWritten(_ source: NewsSource) {
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
