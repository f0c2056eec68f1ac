import Foundation
import TCACore
import Testing

@Suite("Dumps of values that hold no others")
struct DumpScalarTests {
  @Test(arguments: cases)
  func `a dump of a scalar value shows that value`(_ dump: DumpCase) {
    #expect(dump.actual() == dump.expected)
  }

  nonisolated static let cases: [DumpCase] = [
    DumpCase(
      "integer",
      dump: { String(customDumping: 1) },
      is: """
        1
        """
    ),
    DumpCase(
      "negative double",
      dump: { String(customDumping: -1.5) },
      is: """
        -1.5
        """
    ),
    DumpCase(
      "bool",
      dump: { String(customDumping: true) },
      is: """
        true
        """
    ),
    DumpCase(
      "string",
      dump: { String(customDumping: "Blob") },
      is: """
        "Blob"
        """
    ),
    DumpCase(
      "string with quotes and backslashes",
      dump: { String(customDumping: "a \"b\" \\") },
      is: #"""
        #"a "b" \"#
        """#
    ),
    DumpCase(
      "string with a tab",
      dump: { String(customDumping: "tab\t") },
      is: #"""
        "tab\t"
        """#
    ),
    DumpCase(
      "string of two lines",
      dump: { String(customDumping: "two\nlines") },
      is: #"""
        """
        two
        lines
        """
        """#
    ),
    DumpCase(
      "string that needs a raw literal",
      dump: { String(customDumping: "raw \\ \n \"\"\" x") },
      is: ##"""
        #"""
        raw \ 
         """ x
        """#
        """##
    ),
    DumpCase(
      "string with control characters",
      dump: { String(customDumping: "bell\u{7}\nx\\") },
      is: #"""
        """
        bell\u{07}
        x\\
        """
        """#
    ),
    DumpCase(
      "empty string",
      dump: { String(customDumping: "") },
      is: """
        ""
        """
    ),
    DumpCase(
      "substring",
      dump: { String(customDumping: "abc".dropFirst()) },
      is: """
        "bc"
        """
    ),
    DumpCase(
      "character",
      dump: { String(customDumping: Character("x")) },
      is: """
        "x"
        """
    ),
    DumpCase(
      "nil",
      dump: { String(customDumping: Int?.none) },
      is: """
        nil
        """
    ),
    DumpCase(
      "optional",
      dump: { String(customDumping: Int?.some(1)) },
      is: """
        1
        """
    ),
    DumpCase(
      "nil in an optional",
      dump: { String(customDumping: Int??.some(nil)) },
      is: """
        .some(nil)
        """
    ),
    DumpCase(
      "date",
      dump: { String(customDumping: Date(timeIntervalSinceReferenceDate: 0.25)) },
      is: """
        Date(2001-01-01T00:00:00.25Z)
        """
    ),
    DumpCase(
      "date far away",
      dump: { String(customDumping: Date(timeIntervalSinceReferenceDate: 1e14)) },
      is: """
        Date(timeIntervalSinceReferenceDate: 100000000000000.0)
        """
    ),
    DumpCase(
      "URL",
      dump: { String(customDumping: URL(fileURLWithPath: "/a/b")) },
      is: """
        URL(file:///a/b)
        """
    ),
    DumpCase(
      "UUID",
      dump: { String(customDumping: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))) },
      is: """
        UUID(00000000-0000-0000-0000-000000000001)
        """
    ),
    DumpCase(
      "data",
      dump: { String(customDumping: Data([1, 2, 255])) },
      is: """
        Data(3 bytes: 0102ff)
        """
    ),
    DumpCase(
      "one byte",
      dump: { String(customDumping: Data([1])) },
      is: """
        Data(1 byte: 01)
        """
    ),
    DumpCase(
      "no data",
      dump: { String(customDumping: Data()) },
      is: """
        Data(0 bytes)
        """
    ),
    DumpCase(
      "much data",
      dump: { String(customDumping: Data(repeating: 7, count: 100)) },
      is: """
        Data(100 bytes: 0707070707070707070707070707070707070707070707070707070707070707…)
        """
    ),
    DumpCase(
      "decimal",
      dump: { String(customDumping: Decimal(sign: .minus, exponent: -2, significand: 150)) },
      is: """
        -1.5
        """
    ),
    DumpCase(
      "duration",
      dump: { String(customDumping: Duration.milliseconds(1500)) },
      is: """
        Duration(1.5 seconds)
        """
    ),
    DumpCase(
      "type",
      dump: { String(customDumping: Int.self) },
      is: """
        Int.self
        """
    ),
    DumpCase(
      "type with sugar",
      dump: { String(customDumping: [String: Dumped.Box<Dumped.User?>].self) },
      is: """
        [String: Dumped.Box<Dumped.User?>].self
        """
    ),
    DumpCase(
      "array type",
      dump: { String(customDumping: [[Int?]].self) },
      is: """
        [[Int?]].self
        """
    ),
    DumpCase(
      "optional function type",
      dump: { String(customDumping: ((Int) -> [Int])?.self) },
      is: """
        ((Int) -> [Int])?.self
        """
    ),
    DumpCase(
      "key path",
      dump: { String(customDumping: \Dumped.Counter.count) },
      is: #"""
        \Dumped.Counter.count
        """#
    ),
    DumpCase(
      "key path to an observed property",
      dump: { String(customDumping: \Dumped.Form.count) },
      is: #"""
        \Dumped.Form.count
        """#
    ),
    DumpCase(
      "key path of a generic type",
      dump: { String(customDumping: \Dumped.Box<Int>.value) },
      is: #"""
        \Dumped.Box<Int>.value
        """#
    ),
    DumpCase(
      "computed key path",
      dump: { String(customDumping: \[Int].count) },
      is: #"""
        \[Int].<computed (Int)>
        """#
    ),
    DumpCase(
      "function",
      dump: { String(customDumping: { (number: Int) in "\(number)" }) },
      is: """
        (Int) -> String
        """
    ),
    DumpCase(
      "range",
      dump: { String(customDumping: 0..<3) },
      is: """
        0..<3
        """
    ),
    DumpCase(
      "closed range",
      dump: { String(customDumping: "a"..."c") },
      is: """
        "a"..."c"
        """
    ),
    DumpCase(
      "error",
      dump: { String(customDumping: Dumped.Failure()) },
      is: """
        Dumped.Failure(code: 1)
        """
    ),
    DumpCase(
      "existential error",
      dump: { String(customDumping: Dumped.Failure() as any Error) },
      is: """
        Dumped.Failure(code: 1)
        """
    ),
    DumpCase(
      "NSError",
      dump: { String(customDumping: NSError(domain: "d", code: 3)) },
      is: """
        NSError(
          domain: "d",
          code: 3,
          userInfo: [:]
        )
        """
    ),
    DumpCase(
      "AnyHashable",
      dump: { String(customDumping: AnyHashable(Dumped.Step.idle)) },
      is: """
        Dumped.Step.idle
        """
    ),
    DumpCase(
      "locale",
      dump: { String(customDumping: Locale(identifier: "en_US")) },
      is: """
        Locale(en_US)
        """
    ),
    DumpCase(
      "time zone",
      dump: { String(customDumping: TimeZone(secondsFromGMT: 3600) ?? .gmt) },
      is: """
        TimeZone(GMT+0100)
        """
    ),
    DumpCase(
      "index set",
      dump: { String(customDumping: IndexSet([1, 2, 5])) },
      is: """
        IndexSet(
          ranges: [
            [0]: 1..<3,
            [1]: 5..<6
          ]
        )
        """
    ),
    DumpCase(
      "own text",
      dump: { String(customDumping: Dumped.Email()) },
      is: """
        <masked>
        """
    ),
    DumpCase(
      "another value",
      dump: { String(customDumping: Dumped.Tagged()) },
      is: """
        7
        """
    ),
    DumpCase(
      "void",
      dump: { String(customDumping: ()) },
      is: """
        ()
        """
    ),
  ]
}
