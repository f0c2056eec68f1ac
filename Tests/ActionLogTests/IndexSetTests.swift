import ActionLog
import Foundation
import Testing

/// Sets of indexes in a log.
@Suite struct IndexSetTests {
  private func decoded(_ json: String) throws -> IndexSet {
    try LogDecoder(JSON(parsing: json)).value(IndexSet.self)
  }

  @Test(arguments: [IndexSet(), [0], [1, 2, 5], IndexSet(0..<2_000_000)])
  func `an index set is written as Foundation encodes it, and reads back`(set: IndexSet) throws {
    let json = JSON(logging: set)
    #expect(json == (try JSON(parsing: Array(JSONEncoder().encode(set)))))
    #expect(try decoded(json.description) == set)
  }

  @Test func `a list of indexes reads as an index set`() throws {
    #expect(try decoded("[5,1,2]") == [1, 2, 5])
    #expect(try decoded("[]") == [])
  }

  @Test(arguments: [
    "null", "1", "[-1]", "[1.5]", "[9223372036854775807]",
    #"{"indexes":[{"location":-1,"length":1}]}"#,
    #"{"indexes":[{"location":1,"length":0}]}"#, #"{"indexes":[{"location":1}]}"#,
    #"{"indexes":[{"location":2,"length":9223372036854775807}]}"#,
  ])
  func `anything else is refused`(json: String) {
    #expect(throws: LogDecodingError.self) { try decoded(json) }
  }
}
