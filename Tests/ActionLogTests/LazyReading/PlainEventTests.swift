import TestSupport
import Testing

@testable import ActionLog

/// The short way of reading the most frequent events is no other way of reading them.
@Suite struct PlainEventTests {
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
  ]

  @Test(arguments: lines)
  func whatRecordersWriteGoesTheShortWay(line: String) throws {
    let event = try #require(Self.plain(Array(line.utf8)))
    #expect(event == (try LogEvent(json: JSON(parsing: line))))
  }

  @Test(
    arguments: [
      #"{"kind":"action","seq":1,"at":10,"origin":"view","action":{},"more":1}"#,
      #"{"kind":"action","seq":01,"at":10,"origin":"view","action":{}}"#,
      #"{"kind":"action","seq":9999999999999999,"at":10,"origin":"view","action":{}}"#,
      #"{"kind":"action","seq":-1,"at":10,"origin":"view","action":{}}"#,
      #"{"kind":"action","seq":1,"at":10,"origin":{"effect":"03.0"},"action":{}}"#,
      #"{"kind":"action","seq":1,"at":10,"origin":"view","action":{}}}"#,
      #"{"kind":"action","seq":1,"at":10,"origin":"view","action":{}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"count","value":1}]}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/~2","value":1}]}"#,
      #"{"kind":"change","seq":1,"patch":[{"op":"add","path":"/a"}]}"#,
      #"{"kind":"change","seq":1,"patch":[],"effects":[{"op":"fly"}]}"#,
      #"{"kind":"change","seq":1,"patch":[,]}"#,
      #"{"kind":"effect","id":"1.0","event":"finished","sent":-1,"at":2}"#,
      #"{"kind":"read","seq":1,"key":"uuid","value":1}"#, "", "{",
    ]
  )
  func whatElseThereIsGoesTheLongWay(line: String) {
    #expect(Self.plain(Array(line.utf8)) == nil)
  }

  @Test func nestingIsCountedFromTheLine() throws {
    func line(_ depth: Int) -> [UInt8] {
      let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return Array(
        #"{"kind":"action","seq":1,"at":10,"origin":"view","action":\#(value)}"#.utf8
      )
    }
    #expect(Self.plain(line(JSON.deepestNesting - 1)) != nil)
    #expect(Self.plain(line(JSON.deepestNesting)) == nil)
    #expect(throws: JSON.ParseError.self) { try JSON(parsing: line(JSON.deepestNesting)) }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func whateverTheShortWayReadsTheLongWayReadsAlike(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var count = 0
    for _ in 0..<4_000 {
      var bytes = Array(Self.lines.randomElement(using: &generator)?.utf8 ?? "".utf8)
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0x1F...0x80, using: &generator), at: place)
        default: bytes[place] = UInt8.random(in: 0x1F...0xFF, using: &generator)
        }
      }
      guard let event = Self.plain(bytes) else { continue }
      count += 1
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(event == (try? LogEvent(json: JSON(parsing: bytes))), "seed \(seed): \(text)")
    }
    #expect(count > 100, "seed \(seed)")
  }

  private static func plain(_ bytes: [UInt8]) -> LogEvent? {
    bytes.withUnsafeBufferPointer { LogEvent(plain: $0) }
  }
}
