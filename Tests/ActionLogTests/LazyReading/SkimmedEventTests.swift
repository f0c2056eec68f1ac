import Foundation
import TestSupport
import Testing

@testable import ActionLog

/// Skimming a line finds what reading it finds, in every line: what one refuses the other refuses.
@Suite struct SkimmedEventTests {
  static let header =
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"F","environment":{}}"#

  static let lines = [
    #"{"kind":"action","seq":1,"at":1203,"origin":"view","action":{"add":{"title":"é\n"}}}"#,
    #"{"kind":"action","seq":2,"at":5,"origin":{"effect":"1.0","via":"dismiss"},"action":[1e2,-0.0,true,null]}"#,
    #"{"kind":"action","seq":3,"at":5,"origin":{"reentrant":2},"action":"all"}"#,
    #"{"kind":"read","seq":1,"key":"uuid","value":"00000000-0000-0000-0000-000000000001"}"#,
    #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/0","value":{"id":1}},{"op":"remove","path":"/a"}],"us":2}"#,
    #"{"kind":"change","seq":2,"patch":[{"op":"move","from":"/a","path":"/b"},{"op":"replace","path":"/a~1b","value":1}]}"#,
    #"{"kind":"change","seq":1,"patch":[],"effects":[{"id":"1.0","op":"run","name":"save","cancelID":{"type":"T","value":{"save":{}},"path":["a"]},"cancelInFlight":true,"action":1,"input":[2],"priority":"high","source":"A.swift:1","internal":true,"cancelled":false},{"op":"concatenate","effects":[{"id":"1.1","op":"send"},{"op":"merge","effects":[]}]}],"us":2}"#,
    #"{"kind":"effect","id":"1.0","event":"finished","sent":1,"at":5204}"#,
    #"{"kind":"effect","id":"1.0","event":"started","at":5204}"#,
    #"{"kind":"effect","id":"1.0","event":"cancelled","by":{"action":5},"drops":1,"at":5204}"#,
    #"{"kind":"effect","id":"1.0","event":"cancelled","by":{"effect":"3.0"},"at":5204}"#,
    #"{"kind":"effect","id":"1.0","event":"cancelled","by":"task","at":5204}"#,
    #"{"kind":"checkpoint","seq":0,"state":{"todos":[],"filter":"all"},"effects":[{"id":"1.0","op":"run"}],"nextStackElement":3,"shared":[{"root":0,"at":"/a"}]}"#,
    #"{"kind":"end","seq":2,"reason":"closed"}"#,
  ]

  /// What an event says apart from the values in it.
  private struct Outline: Equatable {
    var kind = ""
    var seq: Int?
    var at: Int?
    var origin: LogEvent.Origin?
    var text: JSON?
    var effects: [String] = []

    init(_ event: LogEvent) {
      (kind, seq) = (event.kind, event.seq)
      switch event {
      case .action(let event): (at, origin, text) = (event.at, event.origin, event.action)
      case .read(let event): text = [.string(event.key), event.value]
      case .change(let event):
        (at, text) = (event.us, event.patch.json)
        effects = Self.names(event.effects.flatMap(\.flattened).map { SkimmedEffect($0) })
      case .checkpoint(let event):
        text = event.state
        effects = Self.names(event.effects.flatMap(\.flattened).map { SkimmedEffect($0) })
      default: text = try? JSON(parsing: event.line)
      }
    }

    init(_ event: SkimmedEvent) {
      switch event {
      case .whole(let event):
        self = Outline(event)
        return
      case .effect(let event):
        self = Outline(LogEvent.effect(event))
        return
      case .action(let event):
        (at, origin, text) = (event.at, event.origin, try? JSON(parsing: event.action))
      case .read(let event):
        text = (try? JSON(parsing: event.value)).map { [.string(event.key), $0] }
      case .change(let event):
        at = event.us
        text = JSON.Patch(event.patch.map(\.operation)).json
        effects = Self.names(event.effects.skimmed)
      case .checkpoint(let event):
        text = try? JSON(parsing: event.state)
        effects = Self.names(event.effects.skimmed)
      }
      (kind, seq) = (event.kind, event.seq)
    }

    private static func names(_ effects: [SkimmedEffect]) -> [String] {
      effects.map { "\($0.id.map(\.description) ?? "-") \($0.operation) \($0.name ?? "-")" }
    }
  }

  private func compare(_ line: [UInt8], _ seed: UInt64? = nil) {
    let bytes = Array(Self.header.utf8) + [0x0A] + line + [0x0A]
    var reader = LogReader(bytes: bytes)
    var skimmer = LogReader(bytes: bytes)
    let read = Result { [try reader.next(), try reader.next()].last.flatMap { $0 }?.event }
    let skimmed = Result {
      [try skimmer.nextSkimmed(), try skimmer.nextSkimmed()].last.flatMap { $0 }?.event
    }
    let text = String(decoding: line, as: UTF8.self)
    switch (read, skimmed) {
    case (.success(let read), .success(let skimmed)):
      #expect(read.map { Outline($0) } == skimmed.map { Outline($0) }, "seed \(seed ?? 0): \(text)")
    case (.failure(let read), .failure(let skimmed)):
      #expect("\(read)" == "\(skimmed)", "seed \(seed ?? 0): \(text)")
    default: Issue.record("seed \(seed ?? 0): \(read) is not \(skimmed): \(text)")
    }
  }

  @Test(arguments: lines)
  func aLineSaysTheSame(line: String) {
    compare(Array(line.utf8))
    // None but the last, of which there is one for each log, takes the long way.
    Array(line.utf8).withUnsafeBufferPointer { bytes in
      #expect((SkimmedEvent(bytes) == nil) == line.contains(#""kind":"end""#))
    }
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func aDamagedLineSaysTheSame(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var line = Array(Self.lines[Int.random(in: 0..<Self.lines.count, using: &random)].utf8)
    let bytes = Array(" 0179-\"\\{}[],:.eE/~u\u{0}\u{1F}\u{7F}".utf8) + [0xC3, 0xFF, 0x80]
    for _ in 0..<Int.random(in: 1...3, using: &random) where !line.isEmpty {
      let place = Int.random(in: 0..<line.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: line.remove(at: place)
      case 1: line.insert(bytes.randomElement(using: &random) ?? 0, at: place)
      case 2: line.removeSubrange(place..<min(line.count, place + 9))
      default: line[place] = bytes.randomElement(using: &random) ?? 0
      }
    }
    compare(line, seed)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func aValueIsPassedOverThatIsRead(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let value = JSON.random(depth: 4, using: &random)
    var text = value.bytes
    text.withUnsafeBufferPointer { #expect(value.isWritten(as: $0), "seed \(seed): \(value)") }
    let bytes = Array(" 019-\"\\{}[],:.eEtfnu\u{0}".utf8) + [0xC3, 0xFF]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let place = Int.random(in: 0..<text.count, using: &random)
      text[place] = bytes.randomElement(using: &random) ?? 0
    }
    let parsed = try? JSON(parsing: text)
    text.withUnsafeBufferPointer { bytes in
      var parser = JSON.Parser(bytes: bytes)
      let isPassed = parser.skipValue()
      parser.skipSpace()
      #expect((isPassed && parser.position == bytes.count) == (parsed != nil), "seed \(seed)")
      #expect(!value.isWritten(as: bytes) || parsed == value, "seed \(seed)")
    }
  }

  @Test(arguments: [511, 512, 513, 100_000])
  func nestingIsRefusedAtTheSameLevel(levels: Int) {
    let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let parsed = try? JSON(parsing: value)
    Array(value.utf8).withUnsafeBufferPointer { bytes in
      var parser = JSON.Parser(bytes: bytes)
      #expect(parser.skipValue() == (parsed != nil))
    }
    compare(
      Array(#"{"kind":"action","seq":1,"at":1,"origin":"view","action":\#(value)}"#.utf8)
    )
    compare(Array(#"{"kind":"change","seq":1,"patch":\#(value)}"#.utf8))
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func aPatchOfTextDoesWhatAPatchDoes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let old = JSON.random(depth: 4, using: &random)
    let new = JSON.random(depth: 4, using: &random)
    let patch = JSON.Patch(from: ["a": old, "b": [old]], to: ["a": new, "b": [new, old]])
    patch.json.description.withPatchText { text in
      var json: JSON = ["a": old, "b": [old]]
      let result = Result { try text?.apply(to: &json) }
      #expect(json == ["a": new, "b": [new, old]], "seed \(seed)")
      #expect((try? result.get()) != nil, "seed \(seed)")
      // And does not fit where it does not.
      var (other, same): (JSON, JSON) = ([:], [:])
      let expected = Result { try patch.apply(to: &same) }
      let found = Result { try text?.apply(to: &other) }
      #expect("\(expected)" == "\(found.map { _ in () })", "seed \(seed)")
    }
  }

  /// Operations, with path and value when they stay text.
  static let operations: [(text: String, path: String?, value: String?)] = [
    (#"{"op":"add","path":"/rows/0","value":{"id":1}}"#, "/rows/0", #"{"id":1}"#),
    (#"{"op":"remove","path":"/a"}"#, "/a", nil),
    (#"{"op":"replace","path":"/a/b","value":"é\n"}"#, "/a/b", #""é\n""#),
    (#"{"op":"replace","path":"","value":[]}"#, "", "[]"),
    (#"{"op":"replace","path":"/a~1b","value":1}"#, nil, nil),
    (#"{"op":"replace","path":"/é","value":1}"#, nil, nil),
    (#"{"op":"replace","path":"/a","value": 1}"#, nil, nil),
    (#"{"op":"move","from":"/a","path":"/b"}"#, nil, nil),
  ]

  @Test(arguments: operations)
  func anOperationStaysText(text: String, path: String?, value: String?) throws {
    let operation = try JSON.Patch.Operation(json: JSON(parsing: text))
    // Alone, and among others.
    for (patch, index) in [("[\(text)]", 0), ("[\(text),\(text)]", 1)] {
      patch.withPatchText { patch in
        let found = patch.map { Array($0) }?.last
        #expect(found?.index == index)
        #expect(found?.path.map { String(decoding: $0, as: UTF8.self) } == path)
        #expect(found?.value.map { String(decoding: $0, as: UTF8.self) } == value)
        #expect(found?.operation == operation)
      }
    }
  }

  /// Operations, and whether they may change what is at `/rows/2/id`.
  static let touching: [(text: String, isTouching: Bool)] = [
    (#"{"op":"replace","path":"/rows/2","value":0}"#, true),
    (#"{"op":"replace","path":"/rows/2/id/a","value":0}"#, true),
    (#"{"op":"replace","path":"/rows/1","value":0}"#, false),
    (#"{"op":"replace","path":"/rows/2/title","value":0}"#, false),
    (#"{"op":"replace","path":"","value":0}"#, true),
    (#"{"op":"add","path":"/rows/0","value":0}"#, true),
    (#"{"op":"remove","path":"/rows/1"}"#, true),
    (#"{"op":"remove","path":"/rows/3"}"#, false),
    (#"{"op":"add","path":"/rows/-","value":0}"#, true),
    (#"{"op":"remove","path":"/rows/2/title"}"#, false),
    (#"{"op":"add","path":"/other/0","value":0}"#, false),
    (#"{"op":"remove","path":"/a"}"#, false),
    (#"{"op":"move","from":"/a","path":"/b"}"#, true),
  ]

  @Test(arguments: touching)
  func anOperationMovesWhatIsBehindIt(text: String, isTouching: Bool) {
    "[\(text)]".withPatchText { #expect($0?.touches(Array("/rows/2/id".utf8)) == isTouching) }
  }
}
