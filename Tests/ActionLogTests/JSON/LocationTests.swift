import ActionLog
import Testing

/// Paths to values, with the kinds of the containers that they pass through.
@Suite("Locations") struct LocationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let patch: String
    /// The path after the patch, with an index in brackets for elements.
    let after: [JSONPath.Node.Step]
    /// The path before the patch; `nil` for a value that the patch inserted.
    let before: [JSONPath.Node.Step]?
    let isTouched: Bool
    var testDescription: String { "\(patch) and \(after.map(\.token).joined(separator: "/"))" }
  }

  private static let key: [JSONPath.Node.Step] = [.name("votes"), .name("16"), .name("n")]
  private static let row: [JSONPath.Node.Step] = [.name("rows"), .index(1), .name("n")]

  private static func patch(
    _ operation: String,
    _ after: [JSONPath.Node.Step],
    _ before: [JSONPath.Node.Step]?,
    _ isTouched: Bool = false
  ) -> Case {
    Case(patch: "[\(operation)]", after: after, before: before, isTouched: isTouched)
  }

  private static func row(_ index: Int) -> [JSONPath.Node.Step] {
    [.name("rows"), .index(index), .name("n")]
  }

  static let cases: [Case] = [
    // Keys of dictionaries do not move, even if they look like indexes.
    patch(#"{"op":"add","path":"/votes/7","value":{}}"#, key, key),
    patch(#"{"op":"remove","path":"/votes/7"}"#, key, key),
    patch(#"{"op":"add","path":"/votes/16","value":{"n":1}}"#, key, key, true),
    patch(#"{"op":"replace","path":"/votes/16/n","value":1}"#, key, key, true),
    patch(#"{"op":"replace","path":"/votes/7/n","value":1}"#, key, key),
    patch(
      #"{"op":"move","from":"/votes/7","path":"/votes/16"}"#,
      key,
      [.name("votes"), .name("7"), .name("n")]
    ),
    // Elements move.
    patch(#"{"op":"add","path":"/rows/0","value":{}}"#, row, row(0)),
    patch(#"{"op":"add","path":"/rows/1","value":{}}"#, row, nil, true),
    patch(#"{"op":"add","path":"/rows/2","value":{}}"#, row, row),
    patch(#"{"op":"remove","path":"/rows/0"}"#, row, row(2)),
    patch(#"{"op":"remove","path":"/rows/2"}"#, row, row),
    patch(#"{"op":"move","from":"/rows/3","path":"/rows/1"}"#, row, row(3)),
    patch(#"{"op":"move","from":"/rows/3","path":"/rows/0"}"#, row, row(0)),
    patch(#"{"op":"move","from":"/rows/0","path":"/rows/3"}"#, row, row(2)),
    // A dictionary in an array, and an array in a dictionary.
    patch(
      #"{"op":"add","path":"/rows/0","value":{}}"#,
      [.name("rows"), .index(3), .name("2")],
      [.name("rows"), .index(2), .name("2")]
    ),
    patch(
      #"{"op":"add","path":"/rows/3/1","value":{}}"#,
      [.name("rows"), .index(3), .name("2")],
      [.name("rows"), .index(3), .name("2")]
    ),
    patch(
      #"{"op":"add","path":"/votes/16/0","value":{}}"#,
      [.name("votes"), .name("16"), .index(4)],
      [.name("votes"), .name("16"), .index(3)]
    ),
  ]

  @Test(arguments: cases)
  func `a patch maps the location of a value to its location before the patch`(
    testCase: Case
  ) throws {
    let patch = try JSON.Patch(json: JSON(parsing: testCase.patch.utf8))
    let origin = patch.origin(of: JSON.ValueLocation(testCase.after))
    #expect(origin.location?.steps == testCase.before)
    #expect(origin.isTouched == testCase.isTouched)
  }

  @Test func `a path component of digits is an index in an array, and a key in an object`() {
    let root: JSON = ["votes": ["16": [["1": 0]]]]
    let pointer = JSON.Pointer(["votes", "16", "0", "1"])
    let location = JSON.ValueLocation(pointer, in: root)
    #expect(location.steps == [.name("votes"), .name("16"), .index(0), .name("1")])
    #expect(location.pointer == pointer)
    #expect(location.anyElement.description == "/votes/16/*/1")
    #expect(Notation().pathText(location) == #"votes["16"][0]["1"]"#)
    #expect(
      JSON.ValueLocation(pointer, in: nil).steps == [
        .name("votes"), .index(16), .index(0), .index(1),
      ]
    )
    #expect(JSONPath.text(of: location, isRelative: false) == #"$.votes["16"][0]["1"]"#)
  }

  @Test func `the path of a difference distinguishes array indices from dictionary keys of digits`()
  {
    let old: JSON = ["votes": ["16": [1, 2]], "rows": [["7": 1]]]
    let new: JSON = ["votes": ["16": [1, 3]], "rows": [["7": 2]]]
    let differences = JSON.differences(from: old, to: new)
      .map { LogDifference($0, seq: 1, cause: .state) }
    #expect(
      differences.map { $0.location?.anyElement.description } == ["/votes/16/*", "/rows/*/7"]
    )
    #expect(differences.map(\.places.place) == [#"votes["16"][1]"#, #"rows[0]["7"]"#])
    // In the form in which hosts send them.
    let read = differences.map { DifferencePathNotation(json: $0.places.json) }
    #expect(read.map(\.place) == differences.map(\.places.place))
    var again = differences[0]
    again.places = read[0]
    #expect(again.location == differences[0].location)
  }
}
