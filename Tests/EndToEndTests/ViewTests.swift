import Foundation
import TestSupport
import Testing

/// The page that `view` writes, with an unchanged log.
@Suite struct ViewTests {
  /// Returns the lines of the blocks of a page in their original form.
  private func lines(_ kind: String, of page: String) -> [String] {
    let parts = page.components(separatedBy: "<script type=\"application/x-tca-replay-\(kind)\">")
    return parts.dropFirst().flatMap { part in
      part.components(separatedBy: "</script>")[0].split(separator: "\n").map { line in
        String(line).replacing("\u{1}l", with: "<").replacing("\u{1}r", with: "\r")
          .replacing("\u{1}0", with: "\0").replacing("\u{1}1", with: "\u{1}")
      }
    }
  }

  private func page(_ arguments: [String], in folder: TemporaryFolder) throws -> String {
    let result = try Tool.replay.run(["view"] + arguments + ["-o", "-"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    return result.output
  }

  /// Texts that would end a script or start another one, and hidden characters.
  private static let hostile = [
    "</script><script>alert(1)</script>", "<!--<script>", "</SCRIPT\\n>", "]]>", "&lt;b>",
    "\u{2028}\u{2029}",
    "\u{202E}evil", "\\u0001l", "<l", "\\u0000", "${x}`", "'\\\"--><img src=x onerror=alert(1)>",
  ]

  @Test func `a page contains the bytes of its log as data, whatever the log contains`() throws {
    let folder = try TemporaryFolder()
    var log =
      #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"1","feature":"<b>Evil</b>","startedAt":"","recorder":"","environment":{},"segment":1}"#
      + "\n" + #"{"kind":"checkpoint","seq":0,"state":{"text":""},"effects":[]}"# + "\r\n"
    for (index, text) in Self.hostile.enumerated() {
      log +=
        "{\"kind\":\"action\",\"seq\":\(index + 1),\"at\":1,\"origin\":\"view\",\"action\":{\"typed\":{\"_0\":\"\(text)\"}}}\n"
      log +=
        "{\"kind\":\"change\",\"seq\":\(index + 1),\"patch\":[{\"op\":\"replace\",\"path\":\"/text\",\"value\":\"\(text)\"}]}\n"
    }
    try folder.write(log, to: "evil.jsonl")
    let page = try page(["evil.jsonl"], in: folder)
    let bytes = log.utf8.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(lines("log", of: page) == bytes)
    #expect(page.contains("<title>evil.jsonl – &lt;b>Evil&lt;/b></title>"))
    // One script runs. The blocks and the page's information about the log are data.
    #expect(page.components(separatedBy: "<script>").count == 2)
    #expect(page.components(separatedBy: "</script>").count == 4)
  }

  @Test func `the content security policy of a page allows one script and no other source`() throws
  {
    let folder = try TemporaryFolder()
    let page = try page([Project.sample("todos.jsonl")], in: folder)
    let policy = try #require(
      page.components(separatedBy: "Content-Security-Policy\" content=\"").last
    )
    #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
    #expect(!policy.components(separatedBy: "\">")[0].contains("unsafe"))
    #expect(!page.contains(" src="))
    #expect(!page.contains("href=\"http"))
  }

  @Test func `a page reports a torn last line of its log and does not show that line`() throws {
    let folder = try TemporaryFolder()
    let cut = try String(contentsOfFile: Project.sample("todos-cut.jsonl"), encoding: .utf8)
    let page = try page([Project.sample("todos-cut.jsonl")], in: folder)
    let whole = cut.components(separatedBy: "\n").dropLast()
    #expect(lines("log", of: page) == Array(whole))
    let rest = cut.utf8.count - whole.joined(separator: "\n").utf8.count - 1
    #expect(page.contains("\"torn\":{\"line\":\(whole.count + 1),\"bytes\":\(rest)}"))
  }

  @Test func `view --range writes a page whose log begins with the state before the range`() throws
  {
    let folder = try TemporaryFolder()
    let path = Project.sample("todos.jsonl")
    let lines = lines("log", of: try page([path, "--range", "5..6"], in: folder))
    let state = try Tool.replay.run("show", path, "--at", "4", "--format", "json").output
      .replacing("{\"seq\":4,\"state\":", with: "").dropLast(2)
    #expect(lines[1] == "{\"kind\":\"checkpoint\",\"seq\":4,\"state\":\(state),\"effects\":[]}")
    #expect(lines[2].hasPrefix("{\"kind\":\"action\",\"seq\":5,"))
    #expect(lines.last?.hasPrefix("{\"kind\":\"effect\",\"id\":\"5.0\"") == true)
  }

  @Test func `view --replay adds the replayed log and its verdict to the page`() throws {
    let folder = try TemporaryFolder()
    let page = try page([Project.sample("counter-diverged.jsonl"), "--replay"], in: folder)
    #expect(page.contains("\"line\":\"diverged at action 3: state count\""))
    let replayed = lines("other", of: page)
    #expect(
      replayed.contains {
        $0.hasPrefix(
          "{\"kind\":\"change\",\"seq\":3,\"patch\":[{\"op\":\"replace\",\"path\":\"/count\",\"value\":1}]"
        )
      }
    )
    #expect(replayed.contains { $0.hasPrefix("{\"kind\":\"action\",\"seq\":12,") })
  }

  @Test func `view compares two logs on one page`() throws {
    let folder = try TemporaryFolder()
    let names = ["counter.jsonl", "counter-diverged.jsonl"].map(Project.sample)
    let page = try page(names, in: folder)
    #expect(page.contains("\"kind\":\"log\",\"same\":false") || page.contains("\"same\":false"))
    #expect(lines("other", of: page).count == lines("log", of: page).count)
  }

  nonisolated static let comparisons: [(arguments: [String], output: String)] = [
    (["counter.jsonl"], "page.html: 12 actions\n"),
    (
      ["counter.jsonl", "--replay"],
      "page.html: 12 actions\n  replay: identical, through action 12\n"
    ),
    (
      ["counter-diverged.jsonl", "--replay"],
      "page.html: 12 actions\n  replay: diverged at action 3: state count; 1 later divergence\n"
    ),
    (
      ["two.jsonl", "--replay"],
      """
      page.html: 2 logs to choose from, 24 actions
        replay of two.jsonl#1: identical, through action 12
        replay of two.jsonl#2: diverged at action 3: state count; 1 later divergence

      """
    ),
    (
      ["counter.jsonl", "counter.jsonl"],
      "page.html: 12 actions\n  compared with counter.jsonl: actions 1 to 12 match; 12 actions each\n"
    ),
    (
      ["counter.jsonl", "counter-diverged.jsonl"],
      "page.html: 12 actions\n  compared with counter-diverged.jsonl: actions 1 to 12 match; 12 actions each;"
        + " 1 value differs: count  − 1  + 3 (action 3)\n"
    ),
  ]

  @Test(arguments: comparisons)
  func `view prints the same verdict as the page that it writes`(
    arguments: [String],
    output: String
  ) throws {
    let folder = try TemporaryFolder()
    let names = ["counter.jsonl", "counter-diverged.jsonl"]
    let logs = try names.map { try String(contentsOfFile: Project.sample($0), encoding: .utf8) }
    for (name, log) in zip(names, logs) { try folder.write(log, to: name) }
    try folder.write(logs.joined(), to: "two.jsonl")
    let result = try Tool.replay.run(["view"] + arguments + ["-o", "page.html"], in: folder.path)
    #expect(result.output == output)
    #expect(result.status == 0)
  }

  @Test func `view puts several logs of a file on one page`() throws {
    let folder = try TemporaryFolder()
    let logs = try ["counter", "todos"].map {
      try String(contentsOfFile: Project.sample("\($0).jsonl"), encoding: .utf8)
    }
    try folder.write(logs.joined(), to: "two.jsonl")
    let result = try Tool.replay.run(["view", "two.jsonl", "-o", "two.html"], in: folder.path)
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(result.output == "two.html: 2 logs to choose from, 28 actions\n")
    let page = try folder.read("two.html")
    #expect(lines("log", of: page) == logs[0].split(separator: "\n").map(String.init))
    #expect(
      lines("log\" data-log=\"2", of: page) == logs[1].split(separator: "\n").map(String.init)
    )
    #expect(page.contains("<title>two.jsonl – 2 logs</title>"))
    // The first logs of both files are compared.
    let counter = Project.sample("counter-diverged.jsonl")
    let compared = try Tool.replay.run(["view", "two.jsonl", counter, "-o", "-"], in: folder.path)
    #expect(
      compared.error
        == "tca-replay: two.jsonl holds several logs; 'view' takes the first one\n"
    )
    #expect(lines("log", of: compared.output) == logs[0].split(separator: "\n").map(String.init))
  }

  @Test func `view --range leaves out logs that have no action in the range`() throws {
    let folder = try TemporaryFolder()
    let logs = try ["counter", "todos"].map {
      try String(contentsOfFile: Project.sample("\($0).jsonl"), encoding: .utf8)
    }
    try folder.write(logs.joined(), to: "two.jsonl")
    let page = try page(["two.jsonl", "--range", "14.."], in: folder)
    #expect(page.contains("<title>two.jsonl – Todos</title>"))
    let none = try Tool.replay.run(["view", "two.jsonl", "--range", "99"], in: folder.path)
    #expect(none.status == 1)
    #expect(none.error == "tca-replay: there is no action 99: the log has actions up to 12\n")
  }

  @Test func `view overwrites only pages that it wrote itself, unless --force is given`() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "page.html")
    let arguments = ["view", Project.sample("todos.jsonl"), "-o", "page.html"]
    let refused = try Tool.replay.run(arguments, in: folder.path)
    #expect(refused.status == 73)
    #expect(
      refused.error
        == "tca-replay: page.html is not a page of 'view'; expected another name, or --force to write over it\n"
    )
    #expect(try Tool.replay.run(arguments + ["--force"], in: folder.path).status == 0)
    let again = try Tool.replay.run(arguments, in: folder.path)
    #expect(again.status == 0)
    #expect(again.output == "page.html: 16 actions\n")
  }
}

extension ViewTests {
  @Test func `run --pages writes a page for each log that fails`() throws {
    let folder = try TemporaryFolder()
    for name in ["counter", "counter-diverged"] {
      let log = try String(contentsOfFile: Project.sample("\(name).jsonl"), encoding: .utf8)
      try folder.write(log, to: "logs/\(name).jsonl")
    }
    let result = try Tool.replay.run(
      ["run", "logs", "--pages", "pages", "--format", "github"],
      environment: ["GITHUB_STEP_SUMMARY": "summary.md"],
      in: folder.path
    )
    #expect(result.status == 1)
    #expect(result.error == "tca-replay: wrote 1 page; pages/index.html leads to it\n")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/pages")
    #expect(pages.sorted() == ["index.html", "logs-counter-diverged.html"])
    let index = try folder.read("pages/index.html")
    #expect(
      index.contains(
        /<h2 id="1[0-9a-f]{15}">1 × diverged: state count, action .decrementButtonTapped<\/h2>/
      )
    )
    #expect(
      index.contains(
        """
        <tr><td data-head="log"><a href="./logs-counter-diverged.html"><code>logs/counter-diverged.jsonl</code></a></td>\
        <td data-head="verdict">diverged at action 3: state count</td>\
        <td data-head="first difference"><code>count  − 3  + 1</code></td></tr>
        """
      ),
      "\(index)"
    )
    let page = try String(
      contentsOfFile: folder.path + "/pages/logs-counter-diverged.html",
      encoding: .utf8
    )
    #expect(page.contains("\"line\":\"diverged at action 3: state count\""))
    let summary = try String(contentsOfFile: folder.path + "/summary.md", encoding: .utf8)
    #expect(
      summary.contains(
        "`diverged at action 3: state count`, page `pages/logs-counter-diverged.html` |"
      )
    )
  }

  /// Markdown in a file of the folder links the pages.
  ///
  /// The summary of a job is read elsewhere and names them.
  @Test func `run --format markdown links the pages that --pages writes`() throws {
    let folder = try TemporaryFolder()
    let log = try String(contentsOfFile: Project.sample("counter-diverged.jsonl"), encoding: .utf8)
    try folder.write(log, to: "a b|(c)`é.jsonl")
    let arguments = ["run", "a b|(c)`é.jsonl", "--format", "markdown", "--pages"]
    let linked = try Tool.replay.run(arguments + ["my pages"], in: folder.path)
    #expect(
      linked.output.contains(
        "page [`my pages/a b\\|(c)'é.html`](my%20pages/a%20b%7C%28c%29%60%C3%A9.html) |"
      )
    )
    #expect(folder.contains("my pages/a b|(c)`é.html"))
    let named = try Tool.replay.run(arguments + ["\(folder.path)/pages"], in: folder.path)
    #expect(named.output.contains("page `\(folder.path)/pages/a b\\|(c)'é.html` |"))
  }

  /// The real process, its signals and its leftovers.
  @Test func `view --follow updates the page until a signal ends it`() throws {
    let place = try WorkPlace()
    let log = try String(contentsOfFile: Project.sample("todos.jsonl"), encoding: .utf8)
    let lines = log.split(separator: "\n", omittingEmptySubsequences: false).map { $0 + "\n" }
    try place.work.write(lines[..<6].joined(), to: "todos.jsonl")
    let tool = try place.start(["view", "--follow", "todos.jsonl"])
    /// Waits for a result of the command.
    func wait(_ isSo: () -> Bool) {
      for _ in 0..<6000 {
        if isSo() { return }
        usleep(10_000)
      }
      #expect(isSo())
    }
    wait { place.work.contains("todos.html.live/now.js") && !tool.output.isEmpty }
    let file = try FileHandle(forWritingTo: place.work.url.appendingPathComponent("todos.jsonl"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(lines[6..<10].joined().utf8))
    wait { place.work.contains("todos.html.live/1.js") }
    try file.write(contentsOf: Data(lines[10...].dropLast().joined().utf8))
    kill(tool.process.processIdentifier, SIGINT)
    tool.process.waitUntilExit()
    #expect(tool.process.terminationReason == .exit)
    #expect(tool.process.terminationStatus == 0)
    #expect(tool.error == "")
    #expect(tool.output.hasSuffix("todos.html: 16 actions\n"))
    let page = try place.work.read("todos.html")
    #expect(self.lines("log", of: page) == log.split(separator: "\n").map(String.init))
    #expect(!page.contains("strict-dynamic"))
    #expect(!place.work.contains("todos.html.live"))
    #expect(place.work.files.filter { $0.hasPrefix(".") } == [])
    #expect(try place.leftovers() == [])
  }
}
