import Foundation
import TestSupport
import Testing

@testable import ActionLog

@Suite("Masks")
struct MaskTests {
  @Test(
    "Digests are SipHash-2-4 with 128 bits, according to its authors' test vectors",
    arguments: [
      (0, "a3817f04ba25a8e66df67214c7550293"),
      (1, "da87c1d86b99af44347659119b22fc45"),
    ]
  )
  func vectors(length: Int, digest: String) {
    let key = SubstituteHashKey(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
    let (first, second) = key.digest((0..<length).map { UInt8($0) })
    let bytes = [first, second].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    #expect(bytes.map { String(format: "%02x", $0) }.joined() == digest)
  }

  struct Substituted: Sendable, CustomTestStringConvertible {
    let json: String
    let fits: @Sendable (JSON) -> Bool
    var testDescription: String { json }
  }

  private static let table: [Substituted] = [
    Substituted(json: "null") { $0.isNull },
    Substituted(json: "true") { $0.bool != nil },
    Substituted(json: "42") { $0.number?.integer(Int32.self).map { $0 >= 2_000_000_000 } == true },
    Substituted(json: "-1") { $0.number?.integer(UInt32.self) != nil },
    Substituted(json: "1.5") { $0.number?.double.truncatingRemainder(dividingBy: 1) == 0.5 },
    Substituted(json: "1e300") { ($0.number?.double ?? 0) > 0 },
    Substituted(json: #""""#) { $0 == "" },
    Substituted(json: "[]") { $0 == [] },
    Substituted(json: #"["one","two"]"#) { $0 == [] },
    Substituted(json: #""a very long secret, which is longer than its substitute""#) {
      $0.string?.utf8.count == 24
    },
    Substituted(json: #""AP8=""#) { $0.string.flatMap { Data(base64Encoded: $0) } != nil },
    Substituted(json: #""https://example.org/""#) { $0.string.flatMap { URL(string: $0) } != nil },
    Substituted(json: #""01020304-0506-0708-090A-0B0C0D0E0F10""#) {
      $0.string.flatMap { UUID(uuidString: $0) }?.uuidString.hasPrefix("6D61736B-6564-8") == true
    },
    Substituted(json: #""2025-11-20T09:12:03.12Z""#) {
      $0.string?.hasPrefix("29") == true && (try? LogDecoder($0).value(Date.self)) != nil
    },
    Substituted(json: #"{"$date":-0.5}"#) { (try? LogDecoder($0).value(Date.self)) != nil },
    Substituted(json: #"{"$double":"nan"}"#) { (try? LogDecoder($0).value(Double.self)) != nil },
    Substituted(json: #"{"$some":{"$some":null}}"#) {
      $0.description == #"{"$some":{"$some":null}}"#
    },
    Substituted(json: "[1,2,3]") { $0 == [] },
    Substituted(json: #"{"name":"x"}"#) { $0 == [:] },
    Substituted(json: #"{"$opaque":"Socket","reason":"the secret is 7"}"#) {
      $0 == ["$opaque": "Socket"]
    },
    Substituted(json: #"{"$error":{"type":"Denied","description":"for bob"}}"#) {
      $0["$error"]?["type"] == "Denied" && $0["$error"]?["description"]?.string?.count == 24
    },
  ]

  @Test(
    "A placeholder has the type of the value, and equal values have equal placeholders",
    arguments: table
  )
  func substitutes(row: Substituted) throws {
    let key = SubstituteHashKey()
    let json = try JSON(parsing: Array(row.json.utf8))
    let substitute = key.substitute(for: json)
    #expect(row.fits(substitute), "\(substitute)")
    #expect(key.substitute(for: json) == substitute)
  }

  @Test("The masking keys of two logs produce different placeholders for the same text")
  func secrets() {
    #expect(
      SubstituteHashKey().substitute(for: "text") != SubstituteHashKey().substitute(for: "text")
    )
  }

  @Test(
    "A mask pattern matches an exact path, any name, or any number of names",
    arguments: [
      ("/user/email", "/user/email", true), ("/user/email", "/user", false),
      ("/user", "/user/email", true), ("/users/*/email", "/users/3/email", true),
      ("/users/*/email", "/users/3/name", false), ("/**/email", "/email", true),
      ("/**/email", "/a/b/email/c", true), ("/a/**", "/a", true), ("/a/**", "/b", false),
      ("/a~1b", "/a~1b", true), ("/~2", "/x", false), ("/~2", "/*", true), ("", "/x", true),
      ("user", "/user", true), ("/user/email", "/user/$some/email", true),
    ]
  )
  func patterns(pattern: String, path: String, isCovered: Bool) throws {
    let masks = LogMasks(state: [MaskPath(pattern)])
    #expect(try masks.covers(JSON.Pointer(parsing: path)) == isCovered)
  }

  @Test(
    "A masked value is hidden in actions, effects, checkpoints, changes and whatever else holds it"
  )
  func everywhere() {
    var masker = LogMasker(LogMasks(action: ["/login/*"]))
    let secret = "s3cret-9d1"
    func shows(_ event: LogEvent) -> Bool {
      String(decoding: masker.masked(event).line, as: UTF8.self).contains(secret)
    }
    #expect(
      !shows(
        .action(
          LogEvent.Action(seq: 1, at: 0, origin: .view, action: ["login": ["_0": .string(secret)]])
        )
      )
    )
    var effect = EffectDescription(.run)
    effect.name = "log in \(secret)"
    effect.input = ["user": .string(secret)]
    effect.cancelID = EffectDescription.CancelID(
      type: "ID",
      value: .object(JSON.Object(members: [(key: secret, value: JSON.null)]))
    )
    let patch = JSON.Patch([
      .add(JSON.Pointer(["names", secret]), .string("<\(secret)>")),
      .replace(JSON.Pointer(["copy"]), .string(secret)),
    ])
    let events: [LogEvent] = [
      .change(LogEvent.Change(seq: 1, patch: patch, effects: [effect])),
      .checkpoint(
        LogEvent.Checkpoint(seq: 1, state: ["names": [.string(secret)]], effects: [effect])
      ),
      .external(LogEvent.External(seq: 1, at: 0, patch: patch)),
      .excluded(
        LogEvent.Excluded(seq: 2, at: 0, origin: .view, patch: patch, effects: [effect])
      ),
      .read(LogEvent.Read(seq: 3, key: "token", value: .string(secret))),
      .effect(
        LogEvent.Effect(
          id: EffectID(seq: 1, index: 0),
          event: .failed(["$error": ["type": "E", "description": .string("no \(secret)!")]]),
          at: 0
        )
      ),
      .note(LogEvent.Note(seq: 3, at: 0, text: "the user is \(secret)")),
      .gap(LogEvent.Gap(seq: 3, at: 0, dropped: 1, reason: secret)),
    ]
    for event in events { #expect(!shows(event), "\(event.kind)") }
  }

  @Test(
    arguments: [
      // A name that can be one of a member stays if the masked text is short.
      ("2024", "year2024", true), ("2024", "_2024", true), ("12-4", "a12", true),
      // A name that can't be one of a member is data.
      ("2024", "2024-05", false), ("2024", "in 2024", false), ("2024", "2024", true),
      ("a-b1", "id a-b1", false), ("20242024", "year20242024", false),
      ("jane", "jane", true), ("jane", "janes", true),
    ] as [(String, String, Bool)]
  )
  func `without marks, a short masked text is replaced only in names that are data`(
    text: String,
    name: String,
    isKept: Bool
  ) {
    var masker = LogMasker(LogMasks(state: ["/secret"]))
    let state: JSON = [
      "secret": .string(text),
      "other": .object(JSON.Object(members: [(key: name, value: JSON.null)])),
    ]
    let checkpoint = LogEvent.checkpoint(LogEvent.Checkpoint(seq: 0, state: state))
    guard case .checkpoint(let masked) = masker.masked(checkpoint) else {
      Issue.record("no checkpoint")
      return
    }
    #expect(masked.state["other"]?.object?.keys.contains(name) == isKept)
  }

  @Test("In a masked log, the paths of shared values contain placeholders instead of masked ids")
  func shared() throws {
    var masker = LogMasker(LogMasks(state: ["/users/*/id", "/selected/id"]))
    let state: JSON = [
      "users": [["id": 17, "name": "Ada"]], "selected": ["id": 17, "name": "Ada"],
    ]
    let shared: JSON = [
      ["root": 0, "at": "/users"], ["root": 0, "at": "/selected", "part": [["id": 17], .null]],
    ]
    let event = LogEvent.checkpoint(LogEvent.Checkpoint(seq: 0, state: state, shared: shared))
    guard case .checkpoint(let masked) = masker.masked(event) else {
      Issue.record("no checkpoint")
      return
    }
    let id = try #require(masked.state[JSON.Pointer(["users", "0", "id"])])
    #expect(id != 17)
    #expect(
      masked.shared
        == [
          ["root": 0, "at": "/users"],
          ["root": 0, "at": "/selected", "part": [["id": id], .null]],
        ]
    )
    #expect(masker.masked(shared: shared, of: masked.state) == masked.shared)
  }

  @Test(
    "In a masked log, the paths of shared values in actions contain no masked ids and keys"
  )
  func sharedInActions() throws {
    var masker = LogMasker(LogMasks(state: ["/users/*/id", "/secret"]))
    _ = masker.masked(state: [
      "users": [["id": "ada-lovelace"]], "secret": "swordfish", "byName": [:],
    ])
    let action = LogEvent.Action(
      seq: 1,
      at: 0,
      origin: .view,
      action: ["open": ["_0": ["id": "ada-lovelace"]]],
      shared: [
        ["from": "/users", "at": "/open/_0", "part": [["id": "ada-lovelace"], .null]],
        ["from": "/byName/swordfish", "at": "/open/_0/id"],
      ]
    )
    let line = String(decoding: masker.masked(.action(action)).line, as: UTF8.self)
    #expect(!line.contains("ada-lovelace") && !line.contains("swordfish"))
    #expect(line.contains(#""shared":[{"from":"/users","at":"/open/_0","part":[{"id":"masked"#))
  }

  @Test("A copy of a masked value gets the same placeholder, also within a text")
  func copies() {
    var masker = LogMasker(LogMasks(state: ["/password"]))
    let event = masker.masked(
      .checkpoint(
        LogEvent.Checkpoint(
          seq: 0,
          state: ["password": "opensesame", "copy": "opensesame", "text": "<opensesame>"]
        )
      )
    )
    guard case .checkpoint(let checkpoint) = event else { return }
    let text = checkpoint.state["password"]?.string ?? ""
    #expect(checkpoint.state["copy"] == .string(text))
    #expect(checkpoint.state["text"] == .string("<\(text)>"))
  }

  @Test(
    "A masked patch turns the masked old state into the masked new state",
    arguments: Thoroughness.seeds(2, thorough: 6)
  )
  func patches(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let old = JSON.random(depth: 4, using: &random)
      let new = JSON.random(depth: 4, using: &random)
      let paths: [[MaskPath]] = [["/*/*"], ["/0"], ["/a"], ["/**/b"], ["/*"]]
      var masker = LogMasker(LogMasks(state: paths[Int.random(in: 0..<5, using: &random)]))
      // Values that are known from the start have the same substitutes; a masker that learns later compares whole states.
      _ = (masker.masked(state: old), masker.masked(state: new))
      var state = masker.masked(state: old)
      let patch =
        masker.masked(JSON.Patch(from: old, to: new))
        ?? JSON.Patch(from: state, to: masker.masked(state: new))
      #expect(throws: Never.self, "seed \(seed)") { try patch.apply(to: &state) }
      #expect(state == masker.masked(state: new), "seed \(seed)")
    }
  }

  /// A state, and whether a masker that has just learned `opensesame` and `31415926` finds one of them in it.
  struct Showing: Sendable, CustomTestStringConvertible {
    let state: JSON
    var patch = JSON.Patch()
    let isShown: Bool
    var testDescription: String { "\(state) \(patch.json)" }
  }

  private static let showing: [Showing] = [
    Showing(state: ["password": "opensesame"], isShown: false),
    Showing(state: ["password": "opensesame", "cache": "opensesame"], isShown: false),
    Showing(state: ["copy": "<opensesame>"], isShown: true),
    Showing(state: ["list": [1, 31_415_926]], isShown: true),
    Showing(state: ["list": [1, 314_159_260]], isShown: false),
    Showing(state: ["tries": ["opensesame": 1]], isShown: true),
    Showing(state: ["a": ["b": "x"], "\"opensesame": 1], isShown: true),
    Showing(
      state: ["copy": "opensesame"],
      patch: JSON.Patch([.replace(JSON.Pointer(["copy"]), "opensesame")]),
      isShown: false
    ),
    Showing(
      state: ["copy": ["a": "opensesame"], "b": "opensesame"],
      patch: JSON.Patch([.replace(JSON.Pointer(["copy"]), ["a": "opensesame"])]),
      isShown: true
    ),
    // The name was there before its value changed.
    Showing(
      state: ["tries": ["opensesame": 2]],
      patch: JSON.Patch([.replace(JSON.Pointer(["tries", "opensesame"]), 2)]),
      isShown: true
    ),
    Showing(
      state: ["tries": ["opensesame": 1]],
      patch: JSON.Patch([.add(JSON.Pointer(["tries", "opensesame"]), 1)]),
      isShown: false
    ),
    Showing(
      state: ["list": ["a", "opensesame"]],
      patch: JSON.Patch([.add(JSON.Pointer(["list", "1"]), "opensesame")]),
      isShown: false
    ),
    // The element that was written second is the first, and the second one was there before.
    Showing(
      state: ["list": ["b", "opensesame"]],
      patch: JSON.Patch([
        .replace(JSON.Pointer(["list", "1"]), "b"), .remove(JSON.Pointer(["list", "0"])),
      ]),
      isShown: true
    ),
  ]

  @Test(
    "A masker finds newly learned secrets in a state, except where a mask or the patch covers them",
    arguments: showing
  )
  func shows(row: Showing) {
    var masker = LogMasker(
      LogMasks(state: ["/password"], action: ["/login/*"], omitted: ["/cache"])
    )
    masker.learn(["login": ["_0": "something else"]], in: .action)
    let before = masker.version
    masker.learn(["login": ["_0": "opensesame", "_1": 31_415_926]], in: .action)
    let text = LogEncoder(writing: row.state).bytes
    #expect(masker.shows(since: before, in: text, besides: row.patch) == row.isShown)
    #expect(!masker.shows(since: masker.version, in: text, besides: row.patch))
  }

  @Test("A value of the type Masked is written as a placeholder and reads back as that placeholder")
  func maskedType() throws {
    let password: Masked<String> = "opensesame"
    let json = JSON(logging: password)
    #expect(!json.description.contains("opensesame"))
    #expect(!"\(password)".contains("opensesame"))
    #expect(JSON(logging: Masked<String>("opensesame")) == json)
    let read = try LogDecoder(json).value(Masked<String>.self)
    #expect(JSON(logging: read) == json)
    let number = try LogDecoder(JSON(logging: Masked(7))).value(Masked<Int>.self)
    #expect(JSON(logging: number) == JSON(logging: Masked(7)))
  }
}

@Suite("Masks of keys and of what a replay says")
struct MaskedKeyTests {
  @Test("A dictionary key below a masked path is masked from the action that adds it")
  func keysOfPatches() throws {
    var masker = LogMasker(LogMasks(state: ["/accounts"]))
    let patch = JSON.Patch([.add(try JSON.Pointer(parsing: "/accounts/ada@example.org"), 7)])
    let change = LogEvent.Change(seq: 1, patch: patch)
    guard case .change(let masked) = masker.masked(.change(change)) else { return }
    #expect(masked.patch.isEmpty)
    let note = LogEvent.Note(seq: 1, at: 0, text: "for ada@example.org")
    guard case .note(let cleaned) = masker.masked(.note(note)) else { return }
    #expect(cleaned.text.hasPrefix("for masked"))
  }

  @Test("Masking a value leaves the member names of other values of its type unchanged")
  func namesOfMembers() {
    let address: JSON = ["streetName": "Main Street", "postalCode": 12345]
    let other: JSON = ["streetName": "Side Street", "postalCode": 54321]
    var masker = LogMasker(LogMasks(state: ["/billing"]))
    let state = masker.masked(state: ["billing": address, "shipping": other])
    #expect(state["shipping"] == other)
    #expect(state["billing"]?["streetName"] == nil)
  }

  @Test(
    "A masked dictionary key is replaced in other dictionaries, unless it may be a member's name"
  )
  func keysElsewhere() {
    let table: [(key: String, isReplaced: Bool)] = [
      ("ada@example.org", true), ("555-1815", true), ("18151815", true), ("ada lovelace", true),
      ("Łukaszewski", true), ("adalovelace", false), ("_ada1815", false), ("ada", false),
    ]
    for (key, isReplaced) in table {
      var masker = LogMasker(LogMasks(state: ["/friends"]))
      let state = masker.masked(state: [
        "friends": [key: 1], "drafts": [key: 2], "last": .string(key),
      ])
      #expect((state["drafts"]?[key] == nil) == isReplaced, "\(key)")
      #expect((state["last"] == .string(key)) == (key.utf8.count < 8), "\(key)")
      // A text that is also known as a value is not the name of a member.
      _ = masker.masked(state: ["friends": .string(key)])
      let later = masker.masked(state: ["drafts": [key: 2]])
      #expect((later["drafts"]?[key] == nil) == (key.utf8.count >= 8), "\(key)")
    }
  }

  @Test(
    "The masked result of an endpoint hides the value, but not whether it is a success or a failure"
  )
  func outcomesOfEndpoints() throws {
    var masker = LogMasker(LogMasks(read: ["/Client.token"]), secret: (1, 2))
    func masked(_ value: JSON) throws -> JSON {
      let read = LogEvent.Read(seq: 1, key: "Client.token", value: value)
      guard case .read(let masked) = masker.masked(.read(read)) else { return value }
      return masked.value
    }
    let success = try masked(["success": ["_0": "t0ps3cret"]])
    let text = try #require(success["success"]?["_0"]?.string)
    #expect(text.hasPrefix("masked") && text.utf8.count == 24)
    #expect(try LogDecoder(success).value(Result<String, LoggedError>.self).get() == text)
    // A value that is known from one of them is removed from the other.
    let failure = try masked(
      ["failure": ["_0": ["$error": ["type": "Refused", "description": "no t0ps3cret"]]]]
    )
    #expect(failure["failure"]?["_0"]?["$error"]?["type"] == "Refused")
    #expect(!"\(failure)".contains("t0ps3cret"))
    #expect(throws: LoggedError.self) {
      try LogDecoder(failure).value(Result<String, LoggedError>.self).get()
    }
    // Whatever else has parts is empty.
    #expect(try masked(["success": ["_0": "t0ps3cret", "_1": 1]]) == [:])
    #expect(try masked(["token": ["_0": "t0ps3cret"]]) == [:])
    #expect(masker.unmatched.isEmpty)
  }

  @Test("Findings and unknown events do not show masked values")
  func otherEvents() throws {
    var masker = LogMasker(LogMasks(read: ["/Client.token"]))
    let finding = LogEvent.Finding(
      seq: 1,
      code: .unusedRead,
      subject: "Client.token",
      expected: "t0ps3cret",
      message: "t0ps3cret"
    )
    let unknown = LogEvent.unknown(
      kind: "t0ps3cret",
      ["kind": "t0ps3cret", "t0ps3cret": ["t0ps3cret"], "n": 1]
    )
    let line = String(decoding: masker.masked(.finding(finding)).line, as: UTF8.self)
    #expect(!line.contains("t0ps3cret"))
    guard case .unknown(_, let object) = masker.masked(unknown) else { return }
    // The kind is a word of the format.
    #expect(object.keys.count == 3 && object["kind"] == "t0ps3cret" && object["n"] == 1)
    #expect(!object.filter { $0.key != "kind" }.description.contains("t0ps3cret"))
  }
}
