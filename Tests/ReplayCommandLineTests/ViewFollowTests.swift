import ActionLog
import Foundation
import ReplayTestSupport
import Synchronization
import TestSupport
import Testing

/// `view --follow`: a page that is updated with its log.
@MainActor @Suite struct ViewFollowTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  nonisolated private static let lines = SampleLog.lines.map { $0 + "\n" }

  /// Returns the first lines of the log, up to the change of an action.
  nonisolated private static func log(id: String = "L1", through action: Int) -> String {
    let end = lines.lastIndex { $0.hasPrefix(#"{"kind":"change","seq":\#(action),"#) } ?? 0
    return lines[...end].joined().replacing(#""id":"L1""#, with: #""id":"\#(id)""#)
  }

  /// Returns the lines after those.
  nonisolated private static func rest(after action: Int, through last: Int) -> String {
    String(log(through: last).dropFirst(log(through: action).count))
  }

  /// The page and its scripts while the command waits.
  private final class Sight: Sendable {
    let folder: TemporaryFolder

    init(_ folder: TemporaryFolder) { self.folder = folder }

    func append(_ text: String, to name: String = "a.jsonl") throws {
      let file = try FileHandle(forWritingTo: folder.url.appendingPathComponent(name))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
    }

    var page: String { (try? folder.read("a.html")) ?? "" }

    /// The lines on the page.
    var lines: String {
      let blocks = page.components(separatedBy: #"<script type="application/x-tca-replay-log">"#)
      return blocks.dropFirst().map { $0.components(separatedBy: "</script>")[0] }.joined()
    }

    /// The page's information other than the log.
    var about: JSON? {
      let parts = page.components(separatedBy: #"id="about">"#)
      return try? JSON(
        parsing: parts.dropFirst().first?.components(separatedBy: "</script>")[0] ?? ""
      )
    }

    var scripts: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/a.html.live")) ?? [])
        .sorted()
    }

    /// Returns the message of a script to the page.
    func message(_ name: String) throws -> JSON {
      let text = try folder.read("a.html.live/\(name)")
      #expect(text.hasPrefix("tcaReplay(") && text.hasSuffix(");\n"))
      return try JSON(parsing: String(text.dropFirst("tcaReplay(".count).dropLast(3)))
    }

    var now: JSON? { try? message("now.js") }
  }

  private func follow(_ pauses: [@Sendable () throws -> Void]) async throws -> Terminal.Result {
    terminal.pauses = pauses
    let folder = terminal.folder.path
    return try await terminal.run("view", "--follow", "\(folder)/a.jsonl", "-o", "\(folder)/a.html")
  }

  @Test func `view --follow writes new lines as scripts, and includes them in the page at its end`()
    async throws
  {
    let sight = Sight(terminal.folder)
    try terminal.folder.write(Self.log(through: 3), to: "a.jsonl")
    let result = try await follow([
      {
        #expect(sight.lines == Self.log(through: 3))
        #expect(sight.scripts == ["now.js"])
        let live = sight.about?["live"]
        #expect(live?["folder"] == "a.html.live" && live?["next"] == 1 && live?["grows"] == true)
        #expect(sight.now?["generation"] == live?["generation"])
        #expect(sight.now?["next"] == 1 && sight.now?["last"] == 0)
        #expect(sight.page.contains("'strict-dynamic'"))
        try sight.append(Self.rest(after: 3, through: 4) + "{\"kind\":\"act")
      },
      {
        #expect(sight.scripts == ["1.js", "now.js"])
        #expect(try sight.message("1.js")["text"]?.string == Self.rest(after: 3, through: 4))
        #expect(sight.now?["last"] == 1)
        // The page itself is not rewritten.
        #expect(sight.lines == Self.log(through: 3))
        try sight.append(String(Self.rest(after: 4, through: 5).dropFirst(12)))
      },
      {
        #expect(try sight.message("2.js")["part"] == 2)
        #expect(try sight.message("2.js")["text"]?.string == Self.rest(after: 4, through: 5))
        // The last lines arrive while the command ends.
        try sight.append(Self.rest(after: 5, through: 6))
      },
    ])
    #expect(
      result
        == .init(
          status: 0,
          output: """
            a.html: 3 actions of a.jsonl so far; Ctrl-C ends
            a.html: 6 actions

            """
        )
    )
    #expect(sight.lines == Self.log(through: 6))
    #expect(sight.about?["live"] == nil)
    #expect(!sight.page.contains("strict-dynamic"))
    #expect(!terminal.folder.contains("a.html.live"))
    #expect(terminal.folder.files.filter { $0.hasPrefix(".") } == [])
    // In the end, the page of a followed log equals the page of the log.
    let folder = terminal.folder.path
    _ = try await terminal.run("view", "\(folder)/a.jsonl", "-o", "\(folder)/b.html")
    #expect(try terminal.folder.read("b.html") == sight.page)
  }

  /// A page cannot detect that a command was killed.
  ///
  /// The command sends a sign of life every second.
  @Test func `view --follow tells its page that the command is still running`() async throws {
    let sight = Sight(terminal.folder)
    try terminal.folder.write(Self.log(through: 3), to: "a.jsonl")
    let beats = Mutex<[JSON?]>([])
    let pause: @Sendable () throws -> Void = {
      beats.withLock { $0.append(sight.now?["beat"]) }
      #expect(sight.now?["patience"] == 10)
      #expect(sight.scripts == ["now.js"])
      #expect(sight.lines == Self.log(through: 3))
    }
    let result = try await follow(Array(repeating: pause, count: 9))
    #expect(result.status == 0)
    #expect(beats.withLock { $0 } == [1, 1, 1, 1, 2, 2, 2, 2, 3])
  }

  @Test func `view --follow waits for a log that does not exist yet`() async throws {
    let sight = Sight(terminal.folder)
    let folder = terminal.folder
    let result = try await follow([
      {
        #expect(sight.page.isEmpty)
        try folder.write(Self.lines[0], to: "a.jsonl")
      },
      {
        // A header alone has nothing to show.
        #expect(sight.page.isEmpty)
        try sight.append(Self.lines[1] + Self.lines[2])
      },
      { #expect(sight.lines == Self.lines[...2].joined()) },
    ])
    #expect(result.status == 0)
    #expect(result.output == "a.html: 1 action of a.jsonl so far; Ctrl-C ends\na.html: 1 action\n")
    #expect(result.error == "tca-replay: waiting for a.jsonl; Ctrl-C ends\n")
  }

  @Test func `view --follow exits with 69 if there was no log until its end`() async throws {
    #expect(
      try await follow([])
        == .init(
          status: 69,
          output: "",
          error: """
            tca-replay: waiting for a.jsonl; Ctrl-C ends
            tca-replay: interrupted by SIGINT: there is no result yet

            """
        )
    )
    #expect(terminal.folder.files == ["standard-input"])
  }

  @Test func `view --follow replaces the page when a new recording begins`() async throws {
    let sight = Sight(terminal.folder)
    let folder = terminal.folder
    try folder.write(Self.log(through: 3), to: "a.jsonl")
    let result = try await follow([
      { try sight.append(Self.rest(after: 3, through: 4)) },
      {
        #expect(sight.scripts == ["1.js", "now.js"])
        try folder.write(Self.log(id: "L2", through: 2), to: "a-2.jsonl")
      },
      {
        #expect(sight.lines == Self.log(id: "L2", through: 2))
        // Open pages find another generation. The parts of the older log do not belong to it.
        #expect(sight.now?["generation"] == sight.about?["live"]?["generation"])
        #expect(sight.about?["live"]?["next"] == 2 && sight.now?["last"] == 1)
        try sight.append(Self.rest(after: 2, through: 3), to: "a-2.jsonl")
      },
      { #expect(sight.scripts == ["1.js", "2.js", "now.js"]) },
    ])
    #expect(
      result.output == """
        a.html: 3 actions of a.jsonl so far; Ctrl-C ends
        a.html: 2 actions of a-2.jsonl so far; Ctrl-C ends
        a.html: 3 actions

        """
    )
    #expect(sight.about?["name"] == "a-2.jsonl")
    #expect(sight.lines == Self.log(id: "L2", through: 3))
  }

  @Test func `view --follow keeps the page while a new recording has no state yet`() async throws {
    let sight = Sight(terminal.folder)
    let folder = terminal.folder
    try folder.write(Self.log(through: 3), to: "a.jsonl")
    let result = try await follow([
      { try sight.append(Self.rest(after: 3, through: 4)) },
      { try folder.write(Self.lines[0].replacing("L1", with: "L2"), to: "a-2.jsonl") }, {},
    ])
    #expect(result.status == 0)
    #expect(sight.lines == Self.log(through: 4))
  }

  @Test func `view --follow reports a line that is no event, and leaves it out`() async throws {
    let sight = Sight(terminal.folder)
    try terminal.folder.write(Self.log(through: 3), to: "a.jsonl")
    let result = try await follow([
      { try sight.append("{\"kind\":\"action\"}\nrubbish\n" + Self.rest(after: 3, through: 4)) }
    ])
    #expect(result.status == 0)
    #expect(
      result.error
        == "tca-replay: line 10 is no event; the page leaves it out\ntca-replay: line 10 is no event; the page leaves it out\n"
    )
    #expect(sight.lines == Self.log(through: 4))
  }

  /// Texts that would end a script or a literal are read back unchanged.
  @Test func `view --follow keeps hostile texts of a log from becoming code`() async throws {
    let sight = Sight(terminal.folder)
    try terminal.folder.write(Self.log(through: 3), to: "a.jsonl")
    let texts = [
      "</script><script>alert(1)</script>", "<!--<script>", "\\\");alert(1);(\\\"",
      "\u{2028}\u{2029}\u{2030}",
      "\\u2028", "\u{E2}\u{80}", "\\u0001l", "\\\\", "${alert(1)}`", "\u{202E}", "\u{7F}", "'",
      "\u{FEFF}",
    ]
    let lines = texts.enumerated().map { index, text in
      #"{"kind":"note","seq":3,"at":\#(index),"text":"\#(text)"}"# + "\r\n"
    }.joined()
    let result = try await follow([
      { try sight.append(lines) },
      {
        let script = try sight.folder.read("a.html.live/1.js")
        #expect(!script.contains("<") && script.utf8.count { $0 < 0x20 } == 1)
        for scalar in ["\u{2028}", "\u{2029}"] { #expect(!script.contains(scalar)) }
        let text = try #require(try sight.message("1.js")["text"]?.string)
        #expect(text.replacing("\u{1}l", with: "<").replacing("\u{1}r", with: "\r") == lines)
      },
    ])
    #expect(result.status == 0)
  }

  /// A page that is opened late does not load many parts, and an open page continues.
  @Test func `view --follow rewrites the page after many new lines`() async throws {
    let sight = Sight(terminal.folder)
    try terminal.folder.write(Self.log(through: 3), to: "a.jsonl")
    let note = #"{"kind":"note","seq":3,"at":1,"text":"a"}"# + "\n"
    let adding: @Sendable () throws -> Void = { try sight.append(note) }
    let result = try await follow(
      Array(repeating: adding, count: 512) + [
        {
          #expect(sight.now?["next"] == 1 && sight.now?["last"] == 512)
          #expect(sight.lines == Self.log(through: 3))
          try sight.append(note)
        },
        {
          #expect(sight.now?["next"] == 514 && sight.now?["last"] == 513)
          // It is the same page for open browsers, whose parts still exist.
          #expect(sight.about?["live"]?["generation"] == sight.now?["generation"])
          #expect(sight.lines == Self.log(through: 3) + String(repeating: note, count: 513))
          #expect(sight.scripts.count == 514)
        },
      ] + Array(repeating: adding, count: 514) + [
        {
          // The parts from before the first page are removed.
          #expect(sight.now?["next"] == 1027 && sight.now?["last"] == 1027)
          #expect(sight.scripts.count == 515 && !sight.scripts.contains("513.js"))
        }
      ]
    )
    #expect(result.status == 0)
  }

  /// Parts have at most a megabyte, unless a line is longer.
  @Test func `view --follow spreads many new lines over several scripts`() async throws {
    let sight = Sight(terminal.folder)
    try terminal.folder.write(Self.log(through: 3), to: "a.jsonl")
    let note = { (length: Int) in
      "{\"kind\":\"note\",\"seq\":3,\"at\":1,\"text\":\"\(String(repeating: "x", count: length))\"}\n"
    }
    let lines = note(600_000) + note(600_000) + note(1_200_000) + note(1)
    let result = try await follow([
      { try sight.append(lines) },
      {
        #expect(sight.scripts == ["1.js", "2.js", "3.js", "4.js", "now.js"])
        let texts = try (1...4).map { try sight.message("\($0).js")["text"]?.string ?? "" }
        #expect(texts.joined() == lines)
        #expect(texts.allSatisfy { $0.hasSuffix("\n") })
      },
    ])
    #expect(result.status == 0)
  }

  /// After an error, the page contains all received lines.
  @Test func `view --follow leaves a complete page after an error`() async throws {
    let sight = Sight(terminal.folder)
    let folder = terminal.folder
    try folder.write(Self.log(through: 3), to: "a.jsonl")
    let result = try await follow([
      { try sight.append(Self.rest(after: 3, through: 4)) },
      {
        try FileManager.default.removeItem(atPath: folder.path + "/a.html.live")
        try sight.append(Self.rest(after: 4, through: 5))
      },
    ])
    #expect(result.status == 73)
    #expect(
      result.error == "tca-replay: cannot write a.html.live/2.js: No such file or directory\n"
    )
    #expect(sight.lines == Self.log(through: 5))
    #expect(sight.about?["live"] == nil && !sight.page.contains("strict-dynamic"))
  }

  @Test func `view --follow refuses operands and options that cannot be combined with it`()
    async throws
  {
    try terminal.folder.write(SampleLog.text, to: "a.jsonl")
    let cases = [
      (["a.jsonl", "a.jsonl"], "'--follow' takes one log; found 2"),
      (["a.jsonl", "--replay"], "'--follow' and '--replay' exclude each other; give one of them"),
      (["a.jsonl", "--host", "h"], "'--follow' and '--host' exclude each other; give one of them"),
      (
        ["a.jsonl", "--range", "3"], "'--follow' and '--range' exclude each other; give one of them"
      ),
      (["a.jsonl", "-o", "-"], "'--follow' and '--output' exclude each other; give one of them"),
      (["-"], "invalid LOG '-'; expected the path of a file that a recorder writes"),
    ]
    for (arguments, message) in cases {
      let result = try await terminal.run(["view", "--follow"] + arguments)
      #expect(result.status == 64)
      #expect(result.error == "tca-replay: \(message)\nsee 'tca-replay view --help'\n")
    }
  }

  @Test func `view --follow refuses a folder that holds other files`() async throws {
    try terminal.folder.write(Self.log(through: 3), to: "a.jsonl")
    try terminal.folder.write("mine", to: "a.html.live/notes.txt")
    let result = try await follow([])
    #expect(result.status == 73)
    #expect(
      result.error
        == "tca-replay: a.html.live is in use: another command writes a.html, or the folder has other files; expected another name\n"
    )
    #expect(try terminal.folder.read("a.html.live/notes.txt") == "mine")
    #expect(!terminal.folder.contains("a.html"))
  }

  /// The leftovers of a killed command are reused.
  @Test func `view --follow reuses a folder that an earlier run left behind`() async throws {
    try terminal.folder.write(Self.log(through: 3), to: "a.jsonl")
    for name in ["now.js", "7.js", ".now.js.tca-replay"] {
      try terminal.folder.write("old", to: "a.html.live/\(name)")
    }
    let sight = Sight(terminal.folder)
    let result = try await follow([{ #expect(sight.scripts == ["now.js"]) }])
    #expect(result.status == 0)
    #expect(!terminal.folder.contains("a.html.live"))
  }
}
