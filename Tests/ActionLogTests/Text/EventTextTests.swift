import Foundation
import TestSupport
import Testing

@testable import ActionLog

/// An event is the same in any layout of its line, and invalid events are refused with the same messages.
@Suite struct EventTextTests {
  static let header =
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L","feature":"F","environment":{}}"#

  static let lines = [
    #"{"kind":"action","seq":1,"at":10,"origin":"view","action":{"increment":{}}}"#,
    #"{"kind":"action","seq":4,"at":40,"origin":{"effect":"3.0"},"action":{"loaded":{"_0":7}}}"#,
    #"{"kind":"action","seq":4,"at":0,"origin":{"reentrant":3},"action":["a\n",1.5e3,null]}"#,
    #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}],"us":2}"#,
    #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"/a~1b/0","value":{"x":[]}},{"op":"remove","path":""}]}"#,
    #"{"kind":"change","seq":9,"patch":[{"op":"move","from":"/a","path":"/b"},{"op":"replace","path":"/c","value":"é"}],"effects":[{"id":"9.0","op":"run","name":"save"}],"us":0}"#,
    #"{"kind":"change","seq":3,"patch":[]}"#,
    #"{"kind":"effect","id":"10.2","event":"started","at":73}"#,
    #"{"kind":"effect","id":"5.0","event":"finished","sent":12,"at":77}"#,
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
    #"{"kind":"action","seq":1,"at":3,"origin":"view","action":{"open":{"_0":1}},"shared":[{"from":"/a","at":"/open/_0"}]}"#,
    #"{"kind":"end","seq":2,"reason":"closed"}"#,
  ]

  /// Reads the line after a header.
  private func read(_ line: [UInt8]) -> Result<LogEvent?, LogReadError> {
    var reader = LogReader(bytes: Array(Self.header.utf8) + [0x0A] + line + [0x0A])
    return Result { () throws(LogReadError) in
      _ = try reader.next()
      return try reader.next()?.event
    }
  }

  /// Returns the event in the parsed JSON of a line.
  private func tree(_ line: [UInt8]) -> Result<LogEvent?, LogReadError> {
    Result { () throws(LogReadError) in
      let json: JSON
      do throws(JSON.ParseError) { json = try JSON(parsing: line) } catch {
        throw .notJSON(line: 2, error)
      }
      do throws(LogEvent.SyntaxError) { return try LogEvent(json: json) } catch {
        throw .notAnEvent(line: 2, error)
      }
    }
  }

  /// Returns the line with blanks wherever JSON allows them.
  private func spaced(_ line: String) -> String {
    var isInString = false
    var isEscaped = false
    var text = " "
    for character in line {
      if isInString {
        text.append(character)
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isInString = false
        }
      } else if "{}[]:,".contains(character) {
        text += " \(character)\t"
      } else {
        isInString = character == "\""
        text.append(character)
      }
    }
    return text
  }

  @Test(arguments: lines)
  func `reading an event does not depend on whitespace and the order of members`(
    line: String
  ) throws {
    let event = try #require(try read(Array(line.utf8)).get())
    #expect(String(decoding: event.line, as: UTF8.self) == Self.normal(line))
    #expect(try read(Array(spaced(line).utf8)).get() == event)
    #expect(try tree(Array(line.utf8)).get() == event)
    // The members in reverse order, with an escaped kind.
    let members = try #require(try JSON(parsing: line).object)
    let reversed = zip(members.keys, members.values).reversed()
      .map { "\(JSON.string($0)):\($1)" }.joined(separator: ",")
    #expect(try read(Array("{\(reversed)}".utf8)).get() == event)
    let escaped = line.replacing(#""kind""#, with: #""\u006bind""#, maxReplacements: 1)
    #expect(try read(Array(escaped.utf8)).get() == event)
  }

  /// Returns the line without members that have their default values, as in a written event.
  private static func normal(_ line: String) -> String {
    line.replacing(#","cancelled":false"#, with: "").replacing(#","effects":[]}]}"#, with: "}]}")
  }

  @Test func `the payload of a compact line is kept as text that equals the parsed value`() throws {
    let line = #"{"kind":"action","seq":1,"at":2,"origin":"view","action":{"a":[1,"é\n"]}}"#
    guard case .action(let action) = try read(Array(line.utf8)).get() else {
      Issue.record("no action")
      return
    }
    let text = action.logged.text.map { String(decoding: $0, as: UTF8.self) }
    #expect(text == #"{"a":[1,"é\n"]}"#)
    #expect(action.logged == JSONText(["a": [1, "é\n"]]))
    guard case .action(let other) = try read(Array(spaced(line).utf8)).get() else {
      Issue.record("no action")
      return
    }
    #expect(other.logged.text == nil)
    #expect(other.logged == action.logged)
  }

  @Test func `an event uses the last of several members with the same name`() throws {
    let line = #"{"kind":"change","seq":1,"seq":2,"patch":[],"x":1,"x":[2],"\u0078":3}"#
    guard case .change(let change) = try read(Array(line.utf8)).get() else {
      Issue.record("no change")
      return
    }
    #expect(change.seq == 2)
    #expect(change.rest == ["x": 3])
  }

  @Test func `the nesting limit of an event counts from the start of its line, not of its payload`()
    throws
  {
    func line(_ depth: Int) -> [UInt8] {
      let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return Array(
        #"{"kind":"action","seq":1,"at":10,"origin":"view","action":\#(value)}"#.utf8
      )
    }
    #expect(throws: Never.self) { try read(line(JSON.deepestNesting - 1)).get() }
    #expect(throws: LogReadError.self) { try read(line(JSON.deepestNesting)).get() }
  }

  @Test(arguments: 1...800 as ClosedRange<UInt64>)
  func `a damaged line gives the same event or error whether it is read as text or as parsed JSON`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var line = Array(Self.lines[Int.random(in: 0..<Self.lines.count, using: &random)].utf8)
    let bytes = Array(" 0179-\"\\{}[],:.eE/~u\u{1F}\u{7F}".utf8) + [0xC3, 0xFF, 0x80]
    for _ in 0..<Int.random(in: 1...3, using: &random) where !line.isEmpty {
      let place = Int.random(in: 0..<line.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: line.remove(at: place)
      case 1: line.insert(bytes.randomElement(using: &random) ?? 0, at: place)
      case 2: line.removeSubrange(place..<min(line.count, place + 9))
      default: line[place] = bytes.randomElement(using: &random) ?? 0
      }
    }
    let text = String(decoding: line, as: UTF8.self)
    switch (read(line), tree(line)) {
    case (.success(let read), .success(let tree)):
      #expect(read == tree, "seed \(seed): \(text)")
    case (.failure(let read), .failure(let tree)):
      #expect("\(read)" == "\(tree)", "seed \(seed): \(text)")
    case (let read, let tree): Issue.record("seed \(seed): \(read) is not \(tree): \(text)")
    }
  }
}

/// Values that are stored as text, and their properties.
@Suite struct JSONTextTests {
  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `JSONText returns the same contents as the parsed JSON value`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let value = JSON.random(depth: 4, using: &random)
    for text in [JSONText(encoded: value.bytes), JSONText(value)] {
      #expect(text.json == value, "seed \(seed)")
      #expect(text.int == value.int, "seed \(seed)")
      #expect(text.string == value.string, "seed \(seed)")
      #expect(text.bool == value.bool, "seed \(seed)")
      #expect(text.elements?.map(\.json) == value.array, "seed \(seed)")
      #expect(text.withBytes { Array($0) } == value.bytes, "seed \(seed)")
    }
    let text = JSONText(encoded: value.bytes)
    #expect(text.isText(of: value), "seed \(seed): \(value)")
    #expect(!text.isText(of: .array([value])), "seed \(seed)")
  }
}
