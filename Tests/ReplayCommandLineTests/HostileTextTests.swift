import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// Names in a log, a path or a file reach terminals, reports, code and commands only escaped or quoted.
@MainActor @Suite struct HostileTextTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  /// Sets the clipboard, ends a line, starts a command of a CI system, reverses the text direction, and ends several
  /// kinds of quotes.
  nonisolated private static let hostile =
    "\u{1B}]52;c;eA==\u{7}\u{9B}31m\u{202E}\u{2028}\n::error::x\"'`|]]><script>$(touch X)"

  /// JSON does not escape these.
  nonisolated private static let written = JSON.string(hostile).description.dropFirst().dropLast()

  nonisolated private static let places: [(String, @Sendable (inout [String]) -> Void)] = [
    ("feature", { $0[0] = $0[0].replacing("\"Counter\"", with: "\"Counter\(written)\"") }),
    (
      "capability",
      { $0[0] = $0[0].replacing(#""requires":[]"#, with: #""requires":["\#(written)"]"#) }
    ),
    ("kind of event", { $0.insert(#"{"kind":"\#(written)","seq":0}"#, at: 2) }),
    (
      "name of a member",
      { $0[1] = $0[1].replacing(#""count":0"#, with: #""count":0,"\#(written)":"\#(written)""#) }
    ),
    (
      "changed place",
      {
        $0[1] = $0[1].replacing(#""count":0"#, with: #""count":0,"\#(written)":"a""#)
        $0[3] = $0[3].replacing(
          #"[{"op""#,
          with: #"[{"op":"replace","path":"/\#(written)","value":"\#(written)"},{"op""#
        )
      }
    ),
    ("value", { $0[6] = $0[6].replacing("A-1", with: "A-1\(written)") }),
    ("action", { $0[2] = $0[2].replacing("increment", with: "increment\(written)") }),
    ("key of a read", { $0[5] = $0[5].replacing("uuid", with: "uuid\(written)") }),
    (
      "name of an effect",
      { $0[8] = $0[8].replacing(#""name":"load"#, with: #""name":"load\#(written)"#) }
    ),
    (
      "cancellation id",
      { $0[8] = $0[8].replacing(#""type":"CancelID""#, with: #""type":"CancelID\#(written)""#) }
    ),
    ("source", { $0[8] = $0[8].replacing("Counter.swift", with: "Counter\(written).swift") }),
    ("priority", { $0[8] = $0[8].replacing(#""high""#, with: #""\#(written)""#) }),
    ("note", { $0.insert(#"{"kind":"note","seq":1,"at":11,"text":"\#(written)"}"#, at: 4) }),
    (
      "gap",
      { $0.insert(#"{"kind":"gap","seq":1,"at":11,"dropped":1,"reason":"\#(written)"}"#, at: 4) }
    ),
    (
      "app",
      {
        $0[0] = $0[0].replacing(
          #""environment""#,
          with: #""app":{"version":"\#(written)"},"environment""#
        )
      }
    ),
  ]

  nonisolated private static let commands: [[String]] = [
    ["run", "LOG"], ["run", "LOG", "--raw"], ["run", "LOG", "--verbose"],
    ["run", "LOG", "--format", "markdown"], ["run", "LOG", "--format", "github"],
    ["run", "LOG", "--format", "json"], ["run", "LOG", "--format", "junit"],
    ["run", "LOG", "--results", "-"], ["show", "LOG"], ["show", "LOG", "--raw"],
    ["show", "LOG", "--at", "2"], ["show", "LOG", "--at", "2", "--raw"],
    ["show", "LOG", "--format", "json"], ["verify", "LOG"], ["verify", "LOG", "--format", "json"],
    ["stats", "LOG"], ["stats", "LOG", "--format", "json"], ["blame", "LOG", "count"],
    ["blame", "LOG", "count", "--raw"], ["coverage", "LOG"],
    ["coverage", "LOG", "--format", "markdown"], ["diff", "LOG", "b.jsonl"],
    ["diff", "LOG", "b.jsonl", "--raw"], ["mask", "LOG", "--check"],
    ["mask", "LOG", "--check", "--path", "/nowhere"], ["test", "LOG"],
    ["test", "LOG", "--style", "store"],
    ["debug", "LOG", "--batch", "-ex", "goto 5", "-ex", "effects", "-ex", "where"],
    ["features"], ["migrate", "LOG", "-o", "/dev/null"],
  ]

  private func check(_ result: Terminal.Result, _ what: String) {
    for text in [result.output, result.error] {
      for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\t" {
        guard scalar.isHidden else { continue }
        Issue.record("\(what): U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)")
        break
      }
      let isCommand = text.split(whereSeparator: \.isNewline).contains { line in
        let line = line.drop { $0 == " " || $0 == "\t" }
        return line.hasPrefix("::error::x")
      }
      #expect(!isCommand, "\(what): \(text)")
      #expect(!text.contains("<script>") || !what.contains("html"), "\(what): \(text)")
    }
  }

  @Test(arguments: places.map(\.0))
  func `commands print no text of a log that controls a terminal or a CI`(
    place: String
  ) async throws {
    var lines = SampleLog.lines
    try #require(Self.places.first { $0.0 == place }).1(&lines)
    #expect(lines != SampleLog.lines)
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    for command in Self.commands {
      let result = try await terminal.run(command.map { $0 == "LOG" ? "a.jsonl" : $0 })
      check(result, "\(place), \(command)")
    }
  }

  @Test func `commands print no file name that controls a terminal or a CI`() async throws {
    var lines = SampleLog.lines
    lines[3] = lines[3].replacing(#""value":1"#, with: #""value":2"#)
    let name = "a" + Self.hostile.replacing("/", with: "") + ".jsonl"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: name)
    try terminal.folder.write(SampleLog.text, to: "b.jsonl")
    for command in Self.commands + [
      ["run", "LOG", "b.jsonl"], ["run", "LOG.gone"], ["verify", "LOG.gone"], ["show", "LOG.gone"],
      ["run", "LOG", "--pages", "pages"], ["summarize", "LOG"],
    ] {
      let words = command.map { word in
        word == "pages"
          ? terminal.folder.path + "/pages"
          : word.hasPrefix("LOG")
            ? terminal.folder.path + "/" + word.replacing("LOG", with: name) : word
      }
      check(try await terminal.run(words), "\(command)")
    }
    for page in try FileManager.default.contentsOfDirectory(atPath: terminal.folder.path + "/pages")
    {
      let isHidden = page.unicodeScalars.contains { $0.isHidden }
      #expect(!isHidden, "\(page.debugDescription)")
    }
  }

  @Test(arguments: ["markdown", "html", "text", "json"])
  func `summarize prints no control characters of a log or its name`(format: String) async throws {
    var lines = SampleLog.lines
    lines[3] = lines[3].replacing(#""value":1"#, with: #""value":2"#)
    lines[0] = lines[0].replacing(
      #""environment""#,
      with: #""app":{"version":"\#(Self.written)"},"environment""#
    )
    let name = "a" + Self.hostile.replacing("/", with: "") + ".jsonl"
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: name)
    _ = try await terminal.run([
      "run", terminal.folder.path + "/" + name, "--results", terminal.folder.path + "/r.jsonl",
    ])
    let result = try await terminal.run(["summarize", "r.jsonl", "--format", format])
    check(result, "summarize \(format)")
  }

  @Test func `generated tests contain no hidden character of a log`() async throws {
    for style in [[], ["--style", "store"]] {
      var lines = SampleLog.lines
      lines[1] = lines[1].replacing(#""id":"""#, with: #""id":"\u202e\u009b""#)
      lines[6] = lines[6].replacing("A-1", with: "\u{202E}\u{9B}x")
      try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
      let result = try await terminal.run(["test", "a.jsonl"] + style)
      check(result, "test \(style)")
    }
  }

  @Test(
    arguments: ["_", "class", "App._", "App.class", "Box<_>", "Box<self>", "in", "Any", "init"],
    [[], ["--style", "store"]]
  )
  func `test refuses a feature that is named like a keyword of Swift`(
    name: String,
    style: [String]
  ) async throws {
    var lines = SampleLog.lines
    lines[0] = lines[0].replacing("\"Counter\"", with: "\"\(name)\"")
    try terminal.folder.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
    let result = try await terminal.run(["test", "a.jsonl"] + style)
    #expect(result.status != 0)
    #expect(result.error.contains("the feature is named '\(name)', which cannot stand in code"))
  }

  @Test(
    arguments: [
      ("a.jsonl", "a.jsonl"), ("a b", "'a b'"), ("`k; touch X;`", "'`k; touch X;`'"),
      ("$(x)", "'$(x)'"), ("it's", #"'it'\''s'"#), ("-o", "'./-o'"), ("~/a", "'~/a'"),
      ("a\nb", #"$'a\x0ab'"#), ("\u{202E}'\\", #"$'\xe2\x80\xae\'\\'"#), ("", "''"),
      ("é", "é"), ("a*", "'a*'"),
    ]
  )
  func `ShellWord quotes words that a shell would interpret`(word: String, quoted: String) throws {
    #expect(ShellWord.quoted(word) == quoted)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
  func `a shell reads the words that ShellWord quotes as they were`() throws {
    for word in [Self.hostile, "`k; touch X;`", "it's \\ \"x\" $HOME !", "a\u{0301}é日本"] {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/bash")
      process.arguments = ["-c", "printf %s \(ShellWord.quoted(word))"]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(String(decoding: data, as: UTF8.self) == word)
    }
  }

  @Test func `run --pages shortens the name of a page, and warns of a page that it cannot write`()
    async throws
  {
    var lines = SampleLog.lines
    lines[3] = lines[3].replacing(#""value":1"#, with: #""value":2"#)
    let text = lines.joined(separator: "\n") + "\n"
    let deep = Array(repeating: String(repeating: "d", count: 60), count: 5).joined(separator: "/")
    try terminal.folder.write(text, to: "\(deep)/a.jsonl")
    try terminal.folder.write(text, to: "\(deep)x/a.jsonl")
    try terminal.folder.write(text, to: "b.jsonl")
    // There is a folder where the page would be.
    try terminal.folder.write("", to: "pages/b.html/file")
    let paths = ["\(deep)/a.jsonl", "\(deep)x/a.jsonl", "b.jsonl"]
    let result = try await terminal.run(
      ["run"] + paths.map { terminal.folder.path + "/" + $0 }
        + ["--format", "json", "--pages", terminal.folder.path + "/pages"]
    )
    #expect(result.status == 1)
    #expect(result.error.split(separator: "\n").count { $0.contains("has no page") } <= 1)
    _ = try JSON(parsing: result.output)
    let pages = try FileManager.default.contentsOfDirectory(atPath: terminal.folder.path + "/pages")
    #expect(pages.allSatisfy { $0.utf8.count < 200 })
    #expect(pages.count >= 3)
  }
}
