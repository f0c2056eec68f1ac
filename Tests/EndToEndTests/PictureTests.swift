import Foundation
import TestSupport
import Testing

/// The pictures that `pictures` draws, including those of failing hosts, and its findings for a changed picture.
@Suite struct PictureTests {
  /// Returns a log of a counter that counts to a number.
  private func log(upTo count: Int, in folder: TemporaryFolder) throws -> String {
    let lines = String(repeating: "{\"incrementButtonTapped\":{}}\n", count: count)
    try folder.write(lines, to: "counter.actions")
    let result = try Tool.replay.run(
      "record",
      "Counter",
      "--actions",
      "counter.actions",
      "-o",
      "counter.jsonl",
      in: folder.path
    )
    #expect(result.status == 0, "\(result.error)")
    return "counter.jsonl"
  }

  private func pictures(
    _ arguments: String...,
    mode: String? = nil,
    in folder: TemporaryFolder
  ) throws -> Tool.Result {
    try Tool.replay.run(
      ["pictures"] + arguments + (mode == nil ? [] : ["--host", Tool.crashingApp.path]),
      environment: mode.map { ["TCA_REPLAY_TEST_PICTURES": $0] } ?? [:],
      in: folder.path
    )
  }

  private func index(_ name: String, in folder: TemporaryFolder) throws -> [[String: Any]] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)/pictures.json"))
    let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(json["pictures"] as? [[String: Any]])
  }

  private func names(in folder: TemporaryFolder, _ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(name)").sorted()
  }

  @Test func `pictures draws equal states once, and its index names the picture of each action`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"incrementButtonTapped":{}}
      {"decrementButtonTapped":{}}
      {"incrementButtonTapped":{}}

      """,
      to: "counter.actions"
    )
    let recorded = try Tool.replay.run(
      "record",
      "Counter",
      "--actions",
      "counter.actions",
      "-o",
      "counter.jsonl",
      in: folder.path
    )
    #expect(recorded.status == 0, "\(recorded.error)")
    let result = try pictures("counter.jsonl", "-o", "drawn", in: folder)
    #expect(result.output == "drawn: 2 pictures of 4 actions\n")
    #expect(result.status == 0)
    #expect(try names(in: folder, "drawn") == ["0.svg", "1.svg", "pictures.json"])
    let rows = try index("drawn", in: folder)
    #expect(rows.map { $0["action"] as? Int } == [0, 1, 2, 3])
    #expect(rows.map { $0["file"] as? String } == ["0.svg", "1.svg", "0.svg", "1.svg"])
    #expect(rows[1]["description"] as? String == "The counter is at 1.")
    #expect(rows[0]["state"] as? String == rows[2]["state"] as? String)
    #expect(rows[0]["state"] as? String != rows[1]["state"] as? String)
    #expect(rows[0]["picture"] as? String == rows[2]["picture"] as? String)
  }

  @Test(
    arguments: [
      (
        "0..2", "60",
        """
        drawn: 1 picture of 3 actions
        action 1: the picture function failed: no \\u{1B}[31mpaint
        action 2: the picture function ended the host (SIGILL)

        """, ["0.svg", "pictures.json"]
      ),
      (
        "3", "0.2",
        """
        drawn: 0 pictures of 1 action
        action 3: the picture function took longer than 0.2 s; expected less, or a larger --picture-seconds

        """, ["pictures.json"]
      ),
      (
        "4..11", "60",
        """
        drawn: 2 pictures of 8 actions
        action 4: the picture has 100000070 bytes; expected at most 1000000, or a larger --picture-bytes
        action 6: the SVG document has a document type, entities or zero bytes; expected one without them
        action 7: the picture is no SVG document; expected text that begins with <svg
        action 8: the picture is no PNG file
        action 9: the picture has no usable size; expected a width and a height from 1 to 32768 points
        action 10: the picture function ended the host with status 7

        """, ["11.svg", "5.svg", "pictures.json"]
      ),
    ]
  )
  func `a picture that goes wrong is a note, and the next one is drawn`(
    _ range: String,
    _ seconds: String,
    _ output: String,
    _ files: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let log = try log(upTo: 11, in: folder)
    let result = try pictures(
      log,
      "-o",
      "drawn",
      "--range",
      range,
      "--picture-seconds",
      seconds,
      "--jobs",
      "1",
      mode: "hostile",
      in: folder
    )
    #expect(result.output == output)
    #expect(result.error == "")
    #expect(result.status == 0)
    #expect(try names(in: folder, "drawn") == files)
    // A program reads the kinds instead of the texts.
    let kinds = try index("drawn", in: folder).compactMap {
      ($0["note"] as? [String: Any])?["kind"] as? String
    }
    #expect(kinds.count == output.split(separator: "\n").count - 1)
  }

  @Test func `pictures --against finds the action at which only the picture changed`() throws {
    let folder = try TemporaryFolder()
    let log = try log(upTo: 6, in: folder)
    #expect(try pictures(log, "-o", "before", mode: "usual", in: folder).status == 0)
    let same = try pictures(log, "--against", "before", mode: "usual", in: folder)
    #expect(same.output == "the pictures of 7 actions are the same\n")
    #expect(same.status == 0)
    let changed = try pictures(
      log,
      "--against",
      "before",
      "-o",
      "after",
      mode: "changed",
      in: folder
    )
    #expect(
      changed.output == """
        after: 7 pictures of 7 actions
        action 4: state is the same, picture differs
        wrote after/report.html

        """
    )
    #expect(changed.status == 1)
    let report = try String(contentsOfFile: "\(folder.path)/after/report.html", encoding: .utf8)
    #expect(report.contains("img-src data:"))
    #expect(report.components(separatedBy: "src=\"data:image/svg+xml;base64,").count == 3)
    // A folder can replace the log, for example if a test of the app has drawn both.
    let folders = try pictures("after", "--against", "before", in: folder)
    #expect(folders.output == "action 4: state is the same, picture differs\n")
    #expect(folders.status == 1)
    // The new pictures can replace the old ones.
    let update = try pictures(
      log,
      "--against",
      "before",
      "-o",
      "before",
      mode: "changed",
      in: folder
    )
    #expect(update.status == 1)
    let last = try pictures(
      log,
      "--against",
      "before",
      "-o",
      "before",
      mode: "changed",
      in: folder
    )
    #expect(last.status == 0)
    // An outdated report is removed.
    #expect(try !names(in: folder, "before").contains("report.html"))
  }

  @Test func `pictures and view neither write nor read a picture through a symbolic link`() throws {
    let folder = try TemporaryFolder()
    let log = try log(upTo: 1, in: folder)
    #expect(try pictures(log, "-o", "drawn", mode: "usual", in: folder).status == 0)
    try folder.write("<svg width='9' height='9'/>", to: "mine.svg")
    try FileManager.default.removeItem(atPath: "\(folder.path)/drawn/1.svg")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/drawn/1.svg",
      withDestinationPath: "../mine.svg"
    )
    let read = try Tool.replay.run(
      "view",
      log,
      "--pictures-from",
      "drawn",
      "-o",
      "page.html",
      in: folder.path
    )
    #expect(read.error.hasPrefix("tca-replay: drawn/1.svg cannot be read"), "\(read.error)")
    #expect(read.status == 74)
    #expect(try pictures(log, "-o", "drawn", mode: "usual", in: folder).status == 0)
    let mine = try String(contentsOfFile: "\(folder.path)/mine.svg", encoding: .utf8)
    #expect(mine == "<svg width='9' height='9'/>")
    let drawn = try String(contentsOfFile: "\(folder.path)/drawn/1.svg", encoding: .utf8)
    #expect(drawn.contains("count 1"))
  }

  @Test func `pictures --against lists a changed state without a difference of pictures`() throws {
    let folder = try TemporaryFolder()
    let log = try log(upTo: 3, in: folder)
    #expect(try pictures(log, "-o", "before", mode: "usual", in: folder).status == 0)
    let text = try String(contentsOfFile: "\(folder.path)/\(log)", encoding: .utf8)
    try folder.write(
      text.replacing(#""path":"/count","value":3"#, with: #""path":"/count","value":4"#),
      to: "other.jsonl"
    )
    let result = try pictures(
      "other.jsonl",
      "--against",
      "before",
      "--range",
      "1..9",
      mode: "changed",
      in: folder
    )
    #expect(
      result.output == """
        action 3: the state is another one, so the pictures were not compared
        the pictures of 2 actions are the same

        """
    )
    #expect(result.status == 0)
  }

  @Test func `pictures --against compares a folder without an index by action`() throws {
    let folder = try TemporaryFolder()
    let log = try log(upTo: 3, in: folder)
    #expect(try pictures(log, "-o", "before", mode: "usual", in: folder).status == 0)
    try FileManager.default.removeItem(atPath: "\(folder.path)/before/pictures.json")
    try folder.write("<svg width='120' height='60'/>", to: "before/2.svg")
    let result = try pictures(log, "--against", "before", mode: "usual", in: folder)
    #expect(
      result.output == """
        action 2: picture differs
        before has no pictures.json: pictures are compared by action, and states were not

        """
    )
    #expect(result.status == 1)
  }

  @Test(
    arguments: [
      (
        ["counter.jsonl"],
        64, "tca-replay: 'pictures' needs '--output FOLDER' or '--against FOLDER'"
      ),
      (["counter.jsonl", "-o", "other"], 73, "tca-replay: other has files that are no pictures"),
      (["counter.jsonl", "--against", "nowhere"], 66, "tca-replay: there is no folder nowhere"),
      (
        ["counter.jsonl", "--against", "other"],
        66, "tca-replay: other has no pictures; expected pictures.json"
      ),
      (
        ["counter.jsonl", "--against", "evil"],
        65, "tca-replay: evil/pictures.json is no index of pictures: element 0"
      ),
      (
        ["counter.jsonl", "-o", "new", "--feature", "Search"],
        69, "tca-replay: the host has no pictures of 'Search'; expected a ReplayFeature with"
      ),
    ]
  )
  func `pictures refuses invalid folders and arguments before it writes any file`(
    _ arguments: [String],
    _ status: Int32,
    _ message: String
  ) throws {
    let folder = try TemporaryFolder()
    _ = try log(upTo: 1, in: folder)
    try folder.write("mine", to: "other/notes.txt")
    try folder.write(
      #"{"format":"tca-replay pictures","version":1,"pictures":[{"action":0,"file":"../other/notes.txt","picture":"1","width":9,"height":9}]}"#,
      to: "evil/pictures.json"
    )
    let result = try Tool.replay.run(["pictures"] + arguments, in: folder.path)
    #expect(result.status == status)
    #expect(result.error.hasPrefix(message), "\(result.error)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/new"))
  }

  @Test func `pictures of a masked log show no masked text`() throws {
    let folder = try TemporaryFolder()
    let secrets = ["orchid-9-secret", "ada@lovelace.example", "lovelace"]
    func account(_ action: String) -> String {
      #"{"path":{"_0":{"element":{"id":{"$state":"/path/0/id"},"action":{"account":{"_0":"#
        + action + "}}}}}}"
    }
    try folder.write(
      """
      {"startButtonTapped":{}}
      \(account(#"{"nameChanged":{"_0":"lovelace"}}"#))
      \(account(#"{"emailChanged":{"_0":"ada@lovelace.example"}}"#))
      \(account(#"{"binding":{"_0":{"set":{"_0":"password","_1":"orchid-9-secret"}}}}"#))
      \(account(#"{"binding":{"_0":{"set":{"_0":"isPasswordVisible","_1":true}}}}"#))

      """,
      to: "signup.actions"
    )
    let recorded = try Tool.replay.run(
      "record",
      "SignUp",
      "--actions",
      "signup.actions",
      "-o",
      "signup.jsonl",
      in: folder.path
    )
    #expect(recorded.status == 0, "\(recorded.error)")
    #expect(try pictures("signup.jsonl", "-o", "plain", in: folder).status == 0)
    func text(of name: String) throws -> String {
      try names(in: folder, name).map {
        try String(contentsOfFile: "\(folder.path)/\(name)/\($0)", encoding: .utf8)
      }
      .joined()
    }
    // The search finds the existing secrets.
    for secret in secrets { #expect(try text(of: "plain").contains(secret), "\(secret)") }
    let masked = try Tool.replay.run(
      "mask",
      "signup.jsonl",
      "--path",
      "/path/*/element/account/_0/password",
      "--path",
      "draft.name",
      "--path",
      "draft.email",
      "-o",
      "masked.jsonl",
      in: folder.path
    )
    #expect(masked.status == 0, "\(masked.error)")
    let drawn = try pictures("masked.jsonl", "-o", "masked", in: folder)
    #expect(drawn.output.hasPrefix("masked: "), "\(drawn.output)\(drawn.error)")
    #expect(drawn.status == 0)
    for secret in secrets { #expect(try !text(of: "masked").contains(secret), "\(secret)") }
  }

  @Test func `the content security policy of a page keeps pictures from loading other resources`()
    throws
  {
    let folder = try TemporaryFolder()
    let log = try log(upTo: 6, in: folder)
    let result = try Tool.replay.run(
      [
        "view", log, "--pictures", "--host", Tool.crashingApp.path, "-o", "page.html",
      ],
      environment: ["TCA_REPLAY_TEST_PICTURES": "hostile"],
      in: folder.path
    )
    #expect(
      result.output == """
        page.html: 6 actions
          2 pictures; 5 actions without one

        """
    )
    #expect(result.status == 0)
    let page = try String(contentsOfFile: "\(folder.path)/page.html", encoding: .utf8)
    #expect(page.contains("; img-src data:; base-uri 'none'"))
    #expect(!page.contains("127.0.0.1:9"))
    #expect(page.components(separatedBy: "x-tca-replay-picture\" id=\"picture-log-1-").count == 3)
    let plain = try Tool.replay.run("view", log, "-o", "plain.html", in: folder.path)
    #expect(plain.status == 0)
    let other = try String(contentsOfFile: "\(folder.path)/plain.html", encoding: .utf8)
    #expect(!other.contains("img-src"))
  }

  @Test func `the debugger writes the picture of its current action, and overwrites pictures only`()
    throws
  {
    let folder = try TemporaryFolder()
    let log = try log(upTo: 3, in: folder)
    try folder.write("mine", to: "notes.txt")
    let result = try Tool.replay.run(
      "debug",
      log,
      "--batch",
      "-ex",
      "goto 2",
      "-ex",
      "picture two.svg",
      "-ex",
      "picture before one.svg",
      "-ex",
      "picture notes.txt",
      in: folder.path
    )
    #expect(result.output.contains("The counter is at 2."), "\(result.output)")
    #expect(result.output.contains("The counter is at 1."), "\(result.output)")
    #expect(result.error.contains("notes.txt is not a picture"), "\(result.error)")
    let two = try String(contentsOfFile: "\(folder.path)/two.svg", encoding: .utf8)
    #expect(two.contains(">2</text>"))
    let one = try String(contentsOfFile: "\(folder.path)/one.svg", encoding: .utf8)
    #expect(one.contains(">1</text>"))
    #expect(try String(contentsOfFile: "\(folder.path)/notes.txt", encoding: .utf8) == "mine")
  }
}
