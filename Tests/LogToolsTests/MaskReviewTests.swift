import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

/// The report of `mask --check` before a log is sent.
@MainActor @Suite struct MaskReviewTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
  }

  nonisolated private static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"F"}
    {"kind":"checkpoint","seq":0,"state":{"owner":null,"rows":[{"title":"Milk","done":true}],"by":{"ada@example.org":{"count":2}}},"effects":[]}
    {"kind":"action","seq":1,"at":1,"origin":"view","action":{"paste":{"_0":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}}}
    {"kind":"read","seq":1,"key":"Bank.account","value":"DE02120300000000202051"}
    {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/owner","value":"ada@example.org"}]}
    {"kind":"end","seq":1,"reason":"closed"}
    """# + "\n"

  @Test func `mask --check marks values that look secret, and suggests masks as code`() async throws
  {
    #expect(
      try await terminal.run("mask", "a.jsonl", "--check")
        == .init(
          status: 0,
          output: """
            state (--path)
              owner                        2×  nil, String  "ada@example.org"  ← e-mail address
              rows[*].title                1×  String  "Milk"
              rows[*].done                 1×  Bool  true
              by                           keys  "ada@example.org"  ← e-mail address
              by["ada@example.org"].count  1×  Number  2
            actions (--action-path)
              .paste.0  1×  String  "ghp_16C7e42F292c6912E7710c838347Ae178B4a"  ← token
            reads (--read-path)
              Bank.account  1×  String  "DE02120300000000202051"  ← bank account
            header
              startedAt    1×  String  ""
              environment  1×  {}  ()
            what looks secret, as masks of a recorder:
              LogMasks(
                state: ["/owner", "/by"],
                action: ["/paste"],
                read: ["/Bank.account"]
              )

            """
        )
    )
  }

  @Test func `mask --check does not suggest masks for values that are already masked`() async throws
  {
    let result = try await terminal.run(
      "mask",
      "a.jsonl",
      "--check",
      "--path",
      "/owner",
      "--path",
      "/by",
      "--action-path",
      "/paste/_0",
      "--read-path",
      "/Bank.account"
    )
    #expect(result.status == 0)
    #expect(!result.output.contains("LogMasks("))
    #expect(!result.output.contains("ada@example.org"))
  }

  @Test func `mask keeps the names of properties that bindings set`() async throws {
    let log = #"""
      {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"F","app":{"name":"Notes of a riddler"}}
      {"kind":"checkpoint","seq":0,"state":{"login":{"password":"","focus":null}},"effects":[]}
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"login":{"_0":{"binding":{"_0":{"set":{"_0":"password","_1":"a riddler"}}}}}}}
      {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/login/password","value":"a riddler"},{"op":"replace","path":"/login/focus","value":{"password":{}}}]}
      {"kind":"end","seq":1,"reason":"closed"}
      """# + "\n"
    try terminal.folder.write(log, to: "b.jsonl")
    let result = try await terminal.run("mask", "b.jsonl", "--path", "login")
    #expect(result.status == 0)
    let masked = result.output
    // Only the names of code remain.
    #expect(!masked.contains("riddler"))
    let lines = masked.split(separator: "\n").map { line in
      line.replacing(/masked[0-9a-f]{18}/, with: "MASKED")
    }
    #expect(
      lines[0].contains(#""app":{"name":"Notes of MASKED"}"#)
        && lines[2].contains(#""binding":{"_0":{"set":{"_0":"password","_1":"MASKED"}}}"#),
      "\(masked)"
    )
  }

  @Test func `mask --check --allow lists each path that is missing in the allow list`() async throws
  {
    try terminal.folder.write(
      "# what we share\nstate /rows\nstate /by\n\nheader /**\n",
      to: "allowed.txt"
    )
    let result = try await terminal.run("mask", "a.jsonl", "--check", "--allow", "allowed.txt")
    #expect(result.status == 1)
    #expect(
      result.error == """
        tca-replay: 3 places are not allowed by allowed.txt:
          state owner
          action .paste.0
          read Bank.account

        """
    )
    let json = try await terminal.run(
      ["mask", "a.jsonl", "--check", "--allow", "allowed.txt", "--format", "json"]
    )
    #expect(
      try JSON(parsing: json.output)["exceeding"]
        == ["state /owner", "action /paste/_0", "read /Bank.account"]
    )
    let masked = try await terminal.run(
      ["mask", "a.jsonl", "--check", "--allow", "allowed.txt", "--path", "/owner"]
        + ["--action-path", "/paste", "--read-path", "/**"]
    )
    #expect(masked.status == 0 && masked.error.isEmpty)
  }

  @Test func `an allow list for mask --check accepts paths as mask --check prints them`()
    async throws
  {
    try terminal.folder.write(
      "state rows\nstate by\nstate owner\naction .paste\nread Bank.account\nheader **\n",
      to: "allowed.txt"
    )
    let result = try await terminal.run("mask", "a.jsonl", "--check", "--allow", "allowed.txt")
    #expect(result.status == 0 && result.error.isEmpty, "\(result)")
  }

  /// The output of '--check' for a log of navigation.
  @Test func `mask takes patterns as mask --check prints them`() async throws {
    let log = #"""
      {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"F"}
      {"kind":"checkpoint","seq":0,"state":{"path":[{"id":0,"element":{"site":{"_0":{"name":"Mill and more"}}}}],"sheet":{"edit":{"_0":{"note":"secret note"}}}},"effects":[]}
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"path":{"_0":{"element":{"id":0,"action":{"site":{"_0":{"renamed":{"_0":"Quay and more"}}}}}}}}}
      {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/path/0/element/site/_0/name","value":"Quay and more"}]}
      {"kind":"action","seq":2,"at":2,"origin":"view","action":{"sheet":{"_0":{"presented":{"_0":{"edit":{"_0":{"saved":{"note":"other note"}}}}}}}}}
      {"kind":"change","seq":2,"patch":[]}
      {"kind":"end","seq":2,"reason":"closed"}
      """# + "\n"
    try terminal.folder.write(log, to: "b.jsonl")
    let shown = try await terminal.run("mask", "b.jsonl", "--check").output
    #expect(
      shown.hasPrefix(
        """
        state (--path)
          path[*].id         1×  Number  0
          path[*].site.name  2×  String  "Mill and more"
          sheet.edit.note    1×  String  "secret note"
        actions (--action-path)
          .path[*].id              1×  Number  0
          .path[*].site.renamed.0  1×  String  "Quay and more"
          .sheet.edit.saved.note   1×  String  "other note"

        """
      )
    )
    let masked = try await terminal.run(
      ["mask", "b.jsonl", "--path", "path[*].site.name", "--path", "sheet.edit.note"]
        + ["--action-path", ".path[*].site.renamed", "--action-path", ".sheet.edit.saved.note"]
        + ["-o", "-"]
    )
    #expect(masked.status == 0 && masked.error.isEmpty, "\(masked)")
    for text in ["Mill", "Quay", "note\":\"secret", "other"] {
      #expect(!masked.output.contains(text), "\(text) in \(masked.output)")
    }
    let misspelt = try await terminal.run(
      "mask",
      "b.jsonl",
      "--path",
      "path[*].site.nam",
      "-o",
      "-"
    )
    #expect(misspelt.status == 1)
    #expect(
      misspelt.error.hasPrefix(
        "tca-replay: 'path[*].site.nam' matches nothing in the state; did you mean 'path[*].site.name'?\n"
      )
    )
  }

  @Test func `mask --check refuses an --allow list with an unknown section`() async throws {
    try terminal.folder.write("state /a\nstates /b\n", to: "allowed.txt")
    #expect(
      try await terminal.run("mask", "a.jsonl", "--check", "--allow", "allowed.txt")
        == .init(
          status: 65,
          output: "",
          error: """
            tca-replay: allowed.txt:2: expected a section and a pattern, such as 'state todos[*].title', found 'states'; \
            sections are state, action, read, call, effect, note, header, other

            """
        )
    )
  }

  @Test func `mask --check reviews several logs together, and mask without it takes one log`()
    async throws
  {
    try terminal.folder.write(Self.log, to: "more/b.jsonl")
    let result = try await terminal.run("mask", "a.jsonl", "more", "--check", "--format", "json")
    let paths = try #require(try JSON(parsing: result.output)["paths"]?.array)
    #expect(paths.first { $0["path"] == "/rows/*/title" }?["count"] == 2)
    #expect(
      try await terminal.run("mask", "a.jsonl", "more", "--path", "/owner").status == 64
    )
  }
}
