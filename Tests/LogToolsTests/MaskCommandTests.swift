import ActionLog
import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayAnalyses

/// Logs that are masked after they have been recorded.
@MainActor @Suite struct MaskCommandTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "a.jsonl")
  }

  /// A log with secrets in all possible positions, including events before the state contains them.
  nonisolated static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Inbox","stateType":"Inbox.State","startedAt":"","recorder":"0.1.0","environment":{"os":"Linux"},"segment":1,"extra":"for ada@example.org"}
    {"kind":"checkpoint","seq":0,"state":{"user":{"email":"","balance":0},"accounts":{},"rows":[]},"effects":[]}
    {"kind":"note","seq":0,"at":1,"text":"ada@example.org calls"}
    {"kind":"action","seq":1,"at":2,"origin":"view","action":{"typed":{"_0":"ada@example.org"}},"hint":"ada@example.org"}
    {"kind":"read","seq":1,"key":"Client.token","value":{"text":"t0ps3cret","for":["ada@example.org"]}}
    {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/user/email","value":"ada@example.org"}],"effects":[{"id":"1.0","op":"run","name":"load ada@example.org","cancelID":{"type":"ID","value":"ada@example.org","path":["user","ada@example.org"]},"input":{"mail":"ada@example.org"},"rest":"ada@example.org"}]}
    {"kind":"action","seq":2,"at":3,"origin":{"effect":"1.0"},"action":{"loaded":{"_0":{"ada@example.org":9412.25}}}}
    {"kind":"change","seq":2,"patch":[{"op":"add","path":"/accounts/ada@example.org","value":{"iban":"DE02120300000000202051"}},{"op":"add","path":"/rows/0","value":{"title":"mail ada@example.org","by":"ada@example.org"}},{"op":"replace","path":"/user/balance","value":9412.25}],"effects":[{"id":"2.0","op":"send","action":{"said":{"_0":"t0ps3cret"}}}]}
    {"kind":"external","seq":2,"at":4,"patch":[{"op":"copy","from":"/user/email","path":"/rows/-"}]}
    {"kind":"excluded","seq":3,"at":5,"origin":{"effect":"2.0"},"patch":[{"op":"add","path":"/accounts/eve@example.org","value":{"iban":"DE02120300000000202051"}}],"effects":[]}
    {"kind":"effect","id":"1.0","event":"failed","error":{"$error":{"type":"Refused","description":"no mail for ada@example.org"}},"at":6}
    {"kind":"finding","seq":3,"code":"unusedRead","subject":"Client.token","expected":{"text":"t0ps3cret","for":[]},"message":"for ada@example.org"}
    {"kind":"marvel","seq":3,"of":{"ada@example.org":"DE02120300000000202051"}}
    {"kind":"checkpoint","seq":3,"state":{"user":{"email":"ada@example.org","balance":9412.25},"accounts":{"ada@example.org":{"iban":"DE02120300000000202051"},"eve@example.org":{"iban":"DE02120300000000202051"}},"rows":[{"title":"mail ada@example.org","by":"ada@example.org"},"ada@example.org"]},"effects":[{"id":"1.0","op":"run","name":"load ada@example.org"}]}
    {"kind":"gap","seq":3,"at":7,"dropped":1,"reason":"disk of ada@example.org is full"}
    {"kind":"checkpoint","seq":4,"state":{"user":{"email":"eve@example.org","balance":0},"accounts":{},"rows":[]},"effects":[]}
    {"kind":"end","seq":4,"reason":"closed"}
    """# + "\n"

  private static let secrets = [
    "ada@example.org", "eve@example.org", "t0ps3cret", "DE02120300000000202051", "9412.25",
  ]

  private static let masks = [
    "--path", "/user/*", "--path", "/accounts/*/iban", "--action-path", "/typed", "--read-path",
    "/Client.token/text",
  ]

  @Test func `mask leaves no byte of a masked value in the log`() async throws {
    let output = terminal.folder.path + "/b.jsonl"
    #expect(
      try await terminal.run(["mask", "a.jsonl", "-o", output] + Self.masks)
        == .init(status: 0, output: "")
    )
    let text = try terminal.folder.read("b.jsonl")
    for secret in Self.secrets {
      #expect(Self.log.contains(secret))
      #expect(!text.contains(secret), "\(secret) is left")
    }
    // Values that are not secret stay unchanged, as does the order of the events.
    for part in ["\"calls\"", "mail masked", "no mail for masked", "is full", "Refused", "marvel"] {
      #expect(part == "\"calls\"" ? text.contains(" calls\"") : text.contains(part))
    }
    let lines = text.split(separator: "\n")
    #expect(lines.count == Self.log.split(separator: "\n").count)
    try await expectSoundPatches()
  }

  /// The state of a checkpoint still equals the result of the patches.
  private func expectSoundPatches() async throws {
    let expected = try await terminal.run("verify", "a.jsonl").output
    let verified = try await terminal.run("verify", "b.jsonl")
    #expect(verified.output == expected.replacing("a.jsonl", with: "b.jsonl"))
  }

  @Test func `mask --omit leaves values out of the log and lists their paths in the header`()
    async throws
  {
    let output = terminal.folder.path + "/b.jsonl"
    #expect(
      try await terminal.run(
        ["mask", "a.jsonl", "--omit", "/accounts", "--omit", "/rows/*/by", "-o", output]
      ) == .init(status: 0, output: "")
    )
    let events = try terminal.folder.read("b.jsonl").split(separator: "\n").map {
      try JSON(parsing: String($0))
    }
    #expect(
      events[0]["masked"]
        == ["state": [], "action": [], "read": [], "omitted": ["/accounts", "/rows/*/by"]]
    )
    let omission: JSON = ["$opaque": "Value", "reason": "the masks of the log leave it out"]
    #expect(events[1]["state"]?["accounts"] == omission)
    // An omitted value never changes. The same value at other paths stays, because it is not a secret.
    #expect(
      events[7]["patch"] == [
        [
          "op": "add", "path": "/rows/0",
          "value": ["title": "mail ada@example.org", "by": omission],
        ],
        ["op": "replace", "path": "/user/balance", "value": 9412.25],
      ]
    )
    #expect(events[9]["patch"] == [])
    #expect(events[13]["state"]?["rows"]?.array?.first?["by"] == omission)
    #expect(events[4] == (try JSON(parsing: String(Self.log.split(separator: "\n")[4]))))
    try await expectSoundPatches()
  }

  @Test func `mask --check --omit shows an omitted value as masked`() async throws {
    let result = try await terminal.run(
      "mask",
      "a.jsonl",
      "--check",
      "--omit",
      "/accounts",
      "--format",
      "json"
    )
    let paths = try JSON(parsing: result.output)["paths"]?.array ?? []
    let entry = paths.first { $0["path"] == "/accounts" }
    #expect(entry?["masked"] == true)
    #expect(entry?["kinds"] == ["opaque"])
    #expect(!paths.contains { $0["path"]?.string?.hasPrefix("/accounts/") == true })
    #expect(result.status == 0)
  }

  @Test(arguments: [
    ["--path", "/accounts", "--path", "/**"], ["--path", "/**", "--path", "/accounts/**"],
    ["--omit", "/**", "--path", "/accounts"], ["--path", "/**", "--omit", "/accounts"],
    ["--omit", "/**", "--omit", "/accounts"], ["--action-path", "/**", "--action-path", "/**/_0"],
  ])
  func `mask accepts a pattern whose values another pattern masks or omits entirely`(
    patterns: [String]
  ) async throws {
    let output = "\(terminal.folder.path)/b.jsonl"
    let result = try await terminal.run(["mask", "a.jsonl", "-o", output] + patterns)
    #expect(result.status == 0, "\(result)")
    let other = try await terminal.run(
      ["mask", "a.jsonl", "-o", output, "--path", "/acounts"] + patterns
    )
    #expect(other.status == 1)
    #expect(other.error.hasPrefix("tca-replay: '/acounts' matches nothing in the state"))
  }

  @Test func `mask --omit refuses a path that does not exist`() async throws {
    #expect(
      try await terminal.run("mask", "a.jsonl", "--omit", "/acounts")
        == .init(
          status: 1,
          output: "",
          error: """
            tca-replay: '/acounts' matches nothing in the state; did you mean '/accounts'?
            nothing was written; 'mask LOG --check' shows the paths that there are, and --allow-unmatched writes \
            anyway

            """
        )
    )
  }

  @Test func `mask lists its patterns in the header after those that the log had`() async throws {
    let result = try await terminal.run(["mask", "a.jsonl"] + Self.masks)
    let header = try JSON(parsing: String(result.output.prefix { $0 != "\n" }))
    let masked: JSON = [
      "state": ["/user/*", "/accounts/*/iban"], "action": ["/typed"],
      "read": ["/Client.token/text"],
    ]
    #expect(header["masked"] == masked)
    try terminal.folder.write(result.output, to: "b.jsonl")
    let again = try await terminal.run("mask", "b.jsonl", "--path", "/rows", "--path", "/user/*")
    let second = try JSON(parsing: String(again.output.prefix { $0 != "\n" }))
    #expect(second["masked"]?["state"] == ["/user/*", "/accounts/*/iban", "/rows"])
  }

  @Test
  func `mask uses one substitute for equal values of a log, and others for the next log`()
    async throws
  {
    let other = Self.log.replacing("\"id\":\"L1\"", with: "\"id\":\"L2\"")
    try terminal.folder.write(Self.log + other, to: "two.jsonl")
    let result = try await terminal.run(["mask", "two.jsonl"] + Self.masks)
    let values = try result.output.split(separator: "\n").compactMap { line -> String? in
      let json = try JSON(parsing: String(line))
      guard json["kind"] == "checkpoint" else { return nil }
      return json["state"]?["user"]?["email"]?.string
    }
    // Three checkpoints of each log: the initial one, and one for each address.
    #expect(values.count == 6)
    #expect(values[0] != values[1] && values[1] != values[2])
    // An empty text stays empty.
    #expect(values[0] == "" && Set(values).count == 5)
    let rows = try result.output.split(separator: "\n").prefix(14).compactMap { line -> JSON? in
      try JSON(parsing: String(line))["state"]?["rows"]?[JSON.Pointer(["0", "by"])]
    }
    #expect(rows == [.string(values[1])])
  }

  @Test func `mask reads from standard input and writes to standard output`() async throws {
    terminal.input = Self.log
    let result = try await terminal.run(["mask", "-", "-o", "-"] + Self.masks)
    #expect(result.status == 0)
    #expect(Self.secrets.allSatisfy { !result.output.contains($0) })
  }

  @Test func `mask also masks elements that move to a masked position`() async throws {
    let log = #"""
      {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"F"}
      {"kind":"checkpoint","seq":0,"state":{"rows":["first one","second one"]},"effects":[]}
      {"kind":"action","seq":1,"at":1,"origin":"view","action":{"drop":{}}}
      {"kind":"change","seq":1,"patch":[{"op":"remove","path":"/rows/0"}]}
      {"kind":"end","seq":1,"reason":"closed"}
      """#
    try terminal.folder.write(log, to: "rows.jsonl")
    let result = try await terminal.run("mask", "rows.jsonl", "--path", "/rows/0")
    #expect(!result.output.contains("first one"))
    #expect(!result.output.contains("second one"))
    try terminal.folder.write(result.output, to: "b.jsonl")
    #expect(try await terminal.run("verify", "b.jsonl").status == 0)
  }

  @Test
  func `mask writes nothing when a pattern matches nothing, unless --allow-unmatched is given`()
    async throws
  {
    let output = terminal.folder.path + "/b.jsonl"
    let message = """
      tca-replay: '/user/emial' matches nothing in the state; did you mean '/user/email'?
      tca-replay: '/none' matches nothing in actions
      nothing was written; 'mask LOG --check' shows the paths that there are, and --allow-unmatched writes anyway

      """
    #expect(
      try await terminal.run(
        "mask",
        "a.jsonl",
        "--path",
        "/user/emial",
        "--action-path",
        "/none",
        "-o",
        output
      ) == .init(status: 1, output: "", error: message)
    )
    #expect(!FileManager.default.fileExists(atPath: output))
    let result = try await terminal.run(
      "mask",
      "a.jsonl",
      "--path",
      "/user/email",
      "--path",
      "/none",
      "--allow-unmatched"
    )
    #expect(result.status == 0 && result.error.isEmpty)
    #expect(!result.output.contains("ada@example.org"))
  }

  struct Misuse: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let message: String
    var testDescription: String { message }
  }

  nonisolated static let misuses: [Misuse] = [
    Misuse(
      arguments: [],
      message:
        "'mask' needs '(--path PATTERN ... | --action-path PATTERN ... | --read-path PATTERN ... | --call-path PATTERN ..."
        + " | --effect-path PATTERN ... | --omit PATTERN ...)' or '--check'"
    ),
    Misuse(
      arguments: ["--path", "/a", "--format", "json"],
      message: "'--format' works only with '--check'"
    ),
    Misuse(
      arguments: ["--check", "-o", "b.jsonl"],
      message: "'--output' and '--check' exclude each other; give one of them"
    ),
    Misuse(
      arguments: ["--check", "--force"],
      message: "'--force' and '--check' exclude each other; give one of them"
    ),
    Misuse(
      arguments: ["--check", "--path", "/a", "--allow-unmatched"],
      message: "'--allow-unmatched' and '--check' exclude each other; give one of them"
    ),
  ]

  @Test(arguments: misuses)
  func `mask refuses options that exclude each other`(misuse: Misuse) async throws {
    #expect(
      try await terminal.run(["mask", "a.jsonl"] + misuse.arguments)
        == .init(
          status: 64,
          output: "",
          error: "tca-replay: \(misuse.message)\nsee 'tca-replay mask --help'\n"
        )
    )
  }

  @Test func `mask --check lists every path of a log with a sample`() async throws {
    #expect(
      try await terminal.run("mask", "a.jsonl", "--check")
        == .init(
          status: 0,
          output: """
            state (--path)
              user.email                        4×  String  "ada@example.org"  ← e-mail address
              user.balance                      4×  Number  0
              accounts                          2×  {}  "ada@example.org"  ← e-mail address
              accounts["ada@example.org"].iban  2×  String  "DE02120300000000202051"  ← bank account
              accounts["eve@example.org"].iban  2×  String  "DE02120300000000202051"  ← bank account
              rows                              2×  []  []
              rows[*]                           2×  String  "ada@example.org"  ← e-mail address
              rows[*].title                     2×  String  "mail ada@example.org"  ← e-mail address
              rows[*].by                        2×  String  "ada@example.org"  ← e-mail address
            actions (--action-path)
              .typed.0                    1×  String  "ada@example.org"  ← e-mail address
              .loaded.0                   keys  "ada@example.org"  ← e-mail address
              .loaded["ada@example.org"]  1×  Number  9412.25
              .said.0                     1×  String  "t0ps3cret"
            reads (--read-path)
              Client.token.text    1×  String  "t0ps3cret"
              Client.token.for[*]  1×  String  "ada@example.org"  ← e-mail address
            effects: names, inputs, cancellation ids and errors (masked values are taken out)
              name         2×  String  "load ada@example.org"  ← e-mail address
              input.mail   1×  String  "ada@example.org"  ← e-mail address
              cancelID.ID  1×  String  "ada@example.org"  ← e-mail address
              error        1×  error  Refused("no mail for ada@example.org")
            notes and gaps (masked values are taken out)
              text  1×  String  "ada@example.org calls"  ← e-mail address
              gap   1×  String  "disk of ada@example.org is full"  ← e-mail address
            header
              startedAt       1×  String  ""
              environment.os  1×  String  "Linux"
              extra           1×  String  "for ada@example.org"  ← e-mail address
            findings and what this version does not know (masked values are taken out)
              hint                          1×  String  "ada@example.org"  ← e-mail address
              finding.expected.text         1×  String  "t0ps3cret"
              finding.expected.for          1×  []  []
              finding.message               1×  String  "for ada@example.org"  ← e-mail address
              marvel.kind                   1×  String  "marvel"
              marvel.seq                    1×  Number  3
              marvel.of                     keys  "ada@example.org"  ← e-mail address
              marvel.of["ada@example.org"]  1×  String  "DE02120300000000202051"  ← bank account
            what looks secret, as masks of a recorder:
              LogMasks(
                state: ["/user/email", "/accounts", "/rows/*"],
                action: ["/typed", "/loaded"],
                read: ["/Client.token/for/*"],
                effect: ["/input/mail"]
              )

            """
        )
    )
  }

  @Test func `mask --check with patterns shows which values they mask`() async throws {
    let result = try await terminal.run(
      ["mask", "a.jsonl", "--check", "--format", "json"] + Self.masks
    )
    #expect(result.status == 0)
    #expect(Self.secrets.allSatisfy { !result.output.contains($0) })
    let paths = try #require(try JSON(parsing: result.output)["paths"]?.array)
    let masked = paths.filter { $0["masked"] == true }.compactMap { $0["path"]?.string }
    #expect(masked.prefix(2) == ["/user/email", "/user/balance"])
    #expect(masked.contains("/typed"))
    #expect(masked.contains("/Client.token/text"))
    #expect(!masked.contains { $0.hasPrefix("/rows") })
    // All objects have the same members.
    let names = ["section", "path", "kinds", "count", "masked", "looks", "sample"]
    #expect(paths.allSatisfy { $0.object?.keys == names })
  }

  @Test func `mask --check lists very many names as the keys of a dictionary`() async throws {
    let members = (0..<150).map { #""key-\#($0)":{"value":\#($0)}"# }.joined(separator: ",")
    let log = """
      {"kind":"header","format":"tca-replay","version":1,"id":"L","feature":"F"}
      {"kind":"checkpoint","seq":0,"state":{"all":{\(members)}},"effects":[]}
      {"kind":"end","seq":0,"reason":"closed"}
      """
    try terminal.folder.write(log, to: "many.jsonl")
    let result = try await terminal.run("mask", "many.jsonl", "--check")
    #expect(result.output.split(separator: "\n").count < 110)
    #expect(result.output.contains("  all[*].value         50×  Number  100\n"))
  }
}
