import ActionLog
import Foundation
import Testing

@testable import ReplayDebugAdapter

@Suite struct MessageReaderTests {
  /// Returns the messages of a stream.
  private func read(_ text: String) throws -> [String] {
    let pipe = Pipe()
    // Less than the capacity of a pipe.
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    var reader = MessageReader(pipe.fileHandleForReading)
    var found: [String] = []
    do throws(MessageReader.FramingError) {
      while let message = try reader.next() {
        switch message {
        case .json(let json): found.append("\(json)")
        case .malformed(let error): found.append("malformed: \(error)")
        }
      }
    } catch {
      found.append("error: \(error)")
    }
    return found
  }

  @Test(
    arguments: [
      ("", []),
      ("Content-Length: 2\r\n\r\n{}", ["{}"]),
      ("Content-Length: 2\n\n{}", ["{}"]),
      ("content-length:2\r\nContent-Type: text\r\n\r\n[]Content-Length: 1\r\n\r\n1", ["[]", "1"]),
      (
        "Content-Length: 6\r\n\r\n\"héé\"",
        [
          "malformed: the text ends in the middle of a JSON value, at byte 6",
          "error: the header line '\"' of a message is invalid; expected 'Content-Length: ' and a number",
        ]
      ),
      (
        "Content-Length: 1\r\n\r\n{Content-Length: 2\r\n\r\n{}",
        ["malformed: the text ends in the middle of a JSON value, at byte 1", "{}"]
      ),
      (
        "Content-Length: 9\r\n\r\n{}",
        ["error: the input ends after 2 of the 9 bytes of a message"]
      ),
      (
        "Content-Length: -2\r\n\r\n{}",
        [
          "error: the header line 'Content-Length: -2' of a message is invalid; expected 'Content-Length: ' and a number"
        ]
      ),
      (
        "Content-Length: 99999999999999999999\r\n\r\n{}",
        [
          "error: the header line 'Content-Length: 99999999999999999999' of a message is invalid; expected 'Content-Length: ' and a number"
        ]
      ),
      (
        "Content-Length: 1000000000000\r\n\r\n{}",
        [
          "error: a message of 1000000000000 bytes is announced; expected at most 16777216"
        ]
      ),
      (
        "\r\n{}",
        [
          "error: a message has no length; expected a header line 'Content-Length: ' and a number"
        ]
      ),
      (
        #"{"seq":1}"#,
        [
          #"error: the header line '{"seq":1}' of a message is invalid; expected 'Content-Length: ' and a number"#
        ]
      ),
      (
        String(repeating: "a", count: 5000),
        [
          "error: the header of a message has more than 4096 bytes; expected 'Content-Length: ', a number and an empty line"
        ]
      ),
    ] as [(String, [String])]
  )
  func `MessageReader splits its input by Content-Length, and reports invalid headers`(
    _ text: String,
    _ expected: [String]
  ) throws {
    #expect(try read(text) == expected)
  }
}

@Suite struct RequestTests {
  @Test(
    arguments: [
      ("[]", "the message is []; expected an object"),
      ("{}", "'seq' of the message is missing; expected a whole number from 0 to 2147483647"),
      (
        #"{"seq":-1,"type":"request","command":"a"}"#,
        "'seq' of the message is -1; expected a whole number from 0 to 2147483647"
      ),
      (
        #"{"seq":1e30,"type":"request","command":"a"}"#,
        "'seq' of the message is 1e30; expected a whole number from 0 to 2147483647"
      ),
      (#"{"seq":1}"#, #"'type' of the message is missing; expected "request""#),
      (#"{"seq":1,"type":7}"#, #"'type' of the message is 7; expected "request""#),
      (#"{"seq":1,"type":"request"}"#, "'command' of the message is missing; expected a string"),
      (
        #"{"seq":1,"type":"request","command":"a","arguments":[1]}"#,
        "'arguments' of the message is [1]; expected an object"
      ),
    ] as [(String, String)]
  )
  func `the debug adapter says which member of an invalid message is wrong`(
    _ text: String,
    _ expected: String
  ) throws {
    switch Request.read(try JSON(parsing: text)) {
    case .unanswerable(let error), .refused(1, _, let error):
      #expect(error.text.filled == expected)
    default: Issue.record("it was taken")
    }
  }

  @Test func `the debug adapter ignores a response of the editor`() throws {
    let answer = try JSON(parsing: #"{"seq":1,"type":"response","request_seq":1,"success":true}"#)
    #expect(Request.read(answer) == .ignored)
  }
}

@Suite struct HitConditionTests {
  /// Returns the hits, of the first twelve, at which a breakpoint with a condition stops.
  private func stops(_ text: String) -> [Int]? {
    guard let condition = HitCondition(text) else { return nil }
    var ignored = condition.ignoreCount
    var stops: [Int] = []
    for time in 1...12 {
      guard ignored == 0 else {
        ignored -= 1
        continue
      }
      stops.append(time)
      switch condition.sequel(hits: time) {
      case .stay: break
      case .ignore(let count): ignored = count
      case .disable: return stops
      }
    }
    return stops
  }

  @Test(
    arguments: [
      ("3", [3]), ("== 3", [3]), ("=3", [3]), (">= 10", [10, 11, 12]), ("> 10", [11, 12]),
      ("<= 2", [1, 2]), ("< 3", [1, 2]), ("% 5", [5, 10]), (">= 0", Array(1...12)),
      ("> 0", Array(1...12)), ("%1", Array(1...12)), ("0", nil), ("% 0", nil), ("< 1", nil),
      ("", nil), ("x", nil), ("3x", nil), ("-1", nil), ("99999999999999999999", nil),
    ] as [(String, [Int]?)]
  )
  func `a breakpoint with a hit condition stops only at the hits that satisfy the condition`(
    _ text: String,
    _ expected: [Int]?
  ) {
    #expect(stops(text) == expected)
  }
}

@Suite struct ProtocolSchemaTests {
  @Test(
    arguments: [
      (#"{"seq":1,"type":"event","event":"initialized"}"#, []),
      (
        #"{"seq":0,"type":"event","event":"initialized"}"#,
        ["InitializedEvent.seq: 0 is not within 1.0...inf"]
      ),
      (#"{"seq":1,"type":"event","event":"nothing"}"#, ["there is no NothingEvent"]),
      (
        #"{"seq":1,"type":"event","event":"stopped","body":{"reason":"bored","x":1}}"#,
        [
          #"StoppedEvent.body.reason: "bored" is none of"#,
          "StoppedEvent.body: the schema has no member 'x'",
        ]
      ),
      (
        #"{"seq":1,"type":"response","request_seq":1,"success":true,"command":"threads","body":{"threads":[{"id":1}]}}"#,
        [#"ThreadsResponse.body.threads[]: "name" is missing"#]
      ),
      (
        #"{"seq":1,"type":"response","request_seq":1,"success":false,"command":"threads","body":{"error":{"id":1,"format":"","variables":{"a":1}}}}"#,
        ["ErrorResponse.body.error.variables.a: a number where \"string\" is expected"]
      ),
    ] as [(String, [String])]
  )
  func `the checker for debug adapter messages finds members that violate the schema`(
    _ text: String,
    _ expected: [String]
  ) throws {
    guard let schema = try ProtocolSchema.load() else { return }
    let found = schema.problems(of: try JSON(parsing: text))
    #expect(found.count == expected.count)
    for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected)) }
  }
}
