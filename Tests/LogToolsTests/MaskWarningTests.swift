import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

/// The warnings of `mask`: members with names of secrets, and remaining forms of masked texts.
@MainActor @Suite struct MaskWarningTests {
  let terminal: Terminal

  init() throws { terminal = try Terminal() }

  private func write(_ lines: String...) throws {
    let header =
      #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"F"}"#
    let end = #"{"kind":"end","seq":1,"reason":"closed"}"#
    try terminal.folder.write(
      ([header] + lines + [end]).joined(separator: "\n") + "\n",
      to: "a.jsonl"
    )
  }

  @Test(
    arguments: [
      ("token", true), ("accessToken", true), ("access_token", true), ("refresh-token", true),
      ("X-API-Key", true), ("apiKey", true), ("APIKey", true), ("pin", true), ("PIN", true),
      ("userPin", true), ("pin2", false), ("secret", true), ("clientSecret", true),
      ("password", true), ("newPassword", true), ("passwordHash", true), ("pass code", true),
      ("cookie", true), ("privateKey", true), ("cvv", true),
      ("tokenizer", false), ("pinned", false), ("spinner", false), ("opinion", false),
      ("secretary", false), ("key", false), ("keyboard", false), ("standing", false), ("", false),
      ("_", false), ("title", false),
    ]
  )
  func `the words of a name decide whether it is the name of a secret`(name: String, isSecret: Bool)
  {
    #expect(SecretKind.isNameOfSecret(name) == isSecret)
  }

  @Test func `mask --check marks members that are named like a secret in every section`()
    async throws
  {
    try write(
      #"{"kind":"checkpoint","seq":0,"state":{"pin":1234,"isPinned":true,"hasToken":true,"oldToken":null,"secret":{"value":"abc"},"passwords":["x","y"],"title":"Milk"},"effects":[]}"#,
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"login":{"password":"hunter"}}}"#,
      #"{"kind":"read","seq":1,"key":"Client.token","value":"plain"}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/oldToken","value":"def"}],"effects":[{"id":"1.0","op":"run","input":{"apiKey":"ghi"}}]}"#
    )
    let result = try await terminal.run("mask", "a.jsonl", "--check")
    let marked = result.output.split(separator: "\n").filter { $0.contains("named like a secret") }
      .map { line in line.split(separator: " ")[0] }
    #expect(
      marked == [
        "pin", "oldToken", "secret.value", "passwords[*]", ".login.password", "input.apiKey",
      ],
      "\(result.output)"
    )
    #expect(
      result.output.hasSuffix(
        """
        what looks secret, as masks of a recorder:
          LogMasks(
            state: ["/pin", "/oldToken", "/secret/value", "/passwords/*"],
            action: ["/login/password"],
            effect: ["/input/apiKey"]
          )

        """
      ),
      "\(result.output)"
    )
  }

  @Test func `mask warns if variants of masked texts remain, with the path and number of each`()
    async throws
  {
    try write(
      #"{"kind":"checkpoint","seq":0,"state":{"secret":"correct horse","shout":"CORRECT HORSE!","back":["esroh tcerroc","a","Correct Horse"],"by":{"CORRECT HORSE":1},"title":"horse"},"effects":[]}"#,
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"a":{"_0":"Correct horse"}}}"#,
      #"{"kind":"change","seq":1,"patch":[]}"#
    )
    let output = terminal.folder.path + "/b.jsonl"
    let result = try await terminal.run("mask", "a.jsonl", "--path", "secret", "-o", output)
    #expect(result.status == 0)
    func warning(_ place: String, _ values: String) -> String {
      "tca-replay: \(place): \(values) a masked text with other capitals, reversed or as a name;"
        + " a pattern for the place masks it\n"
    }
    #expect(
      result.error == warning("state shout", "1 value shows")
        + warning("state back[*]", "2 values show") + warning("state by", "1 value shows")
        + warning("action .a.0", "1 value shows")
    )
  }

  /// Marks of an earlier encoder.
  @Test(arguments: ["c", "d", "m", "s"])
  func `mask hides texts that look like its own internal marks`(kind: String) async throws {
    let forged = "\u{10FFFD}\(kind)SECRETVALUE"
    try write(
      #"{"kind":"checkpoint","seq":0,"state":{"secret":"\#(forged)","copy":"it is \#(forged)","by":{"\#(forged)":1},"title":"\#u{10FFFD}\#(kind)TITLE"},"effects":[]}"#,
      #"{"kind":"action","seq":1,"at":1,"origin":"view","action":{"binding":{"_0":{"set":{"_0":"secret","_1":"\#(forged)"}}}}}"#,
      #"{"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"run","input":"\#(forged)"}]}"#,
      #"{"kind":"note","seq":1,"at":2,"text":"\#(forged)"}"#
    )
    let output = terminal.folder.path + "/b.jsonl"
    let result = try await terminal.run("mask", "a.jsonl", "--path", "secret", "-o", output)
    #expect(result.status == 0)
    let masked = try terminal.folder.read("b.jsonl")
    #expect(!masked.contains("SECRETVALUE"), "\(masked)")
    #expect(masked.contains(#""title":"\#u{10FFFD}\#(kind)TITLE""#), "\(masked)")
  }
}
