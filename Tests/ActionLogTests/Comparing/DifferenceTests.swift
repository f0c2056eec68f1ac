import TestSupport
import Testing

@testable import ActionLog

@Suite("Differences of JSON values")
struct JSONDifferenceTests {
  /// Returns the differences, one on each line.
  private func text(_ old: JSON, _ new: JSON) -> [String] {
    JSON.differences(from: old, to: new).map { difference in
      if let place = difference.movedTo { return "\(difference.path) moved to \(place)" }
      let values = [difference.expected, difference.actual].map { $0.map { "\($0)" } ?? "-" }
      return "\(difference.path): \(values[0]) / \(values[1])"
    }
  }

  @Test(
    "A difference between JSON values has a path and both values, or the old and new path of a move",
    arguments: [
      ("1", "1.0", []),
      (#"{"a":1,"b":2,"c":3}"#, #"{"b":4,"d":5,"c":3}"#, ["/a: 1 / -", "/b: 2 / 4", "/d: - / 5"]),
      ("[1]", "{}", [": [1] / {}"]),
      ("[1,2]", "[3,4]", ["/0: 1 / 3", "/1: 2 / 4"]),
      ("[1,2,3]", "[2,3]", ["/0: 1 / -"]),
      ("[1,2,3]", "[0,1,2,3]", ["/0: - / 0"]),
      ("[1,2,3]", "[3,1,2]", ["/2 moved to /0"]),
      ("[1,2,3,4]", "[1,4,3,5]", ["/3 moved to /1", "/1: 2 / -", "/3: - / 5"]),
      (#"[{"x":1},{"x":2}]"#, #"[{"x":1},{"x":3}]"#, ["/1/x: 2 / 3"]),
      ("[1,1,2]", "[2,1,1]", ["/2 moved to /0"]),
      ("[1,2,3]", "[3,2,1]", ["/0 moved to /2", "/2 moved to /0"]),
    ] as [(String, String, [String])]
  )
  func places(old: String, new: String, differences: [String]) throws {
    #expect(text(try JSON(parsing: old), try JSON(parsing: new)) == differences)
  }

  @Test("Array elements are matched by id, unless two elements share that id")
  func elementsWithIDs() throws {
    let old = try JSON(parsing: #"[{"id":1,"n":"a"},{"id":2,"n":"b"},{"id":3,"n":"c"}]"#)
    let new = try JSON(parsing: #"[{"id":3,"n":"C"},{"id":1,"n":"a"},{"id":2,"n":"B"}]"#)
    #expect(text(old, new) == [#"/1/n: "b" / "B""#, "/2 moved to /0", #"/2/n: "c" / "C""#])
    // An id that two elements share does not identify them.
    let shared = try JSON(parsing: #"[{"id":1,"n":"a"},{"id":1,"n":"b"}]"#)
    let other = try JSON(parsing: #"[{"id":1,"n":"b"},{"id":1,"n":"c"}]"#)
    #expect(text(shared, other) == [#"/0: {"id":1,"n":"a"} / -"#, #"/1: - / {"id":1,"n":"c"}"#])
  }

  @Test("Array elements are matched by index when values are compared in place")
  func inPlace() throws {
    let old = try JSON(parsing: #"[{"id":1,"n":"a"},{"id":2,"n":"b"}]"#)
    let new = try JSON(parsing: #"[{"id":2,"n":"B"},{"id":1,"n":"a"},{"id":3}]"#)
    let differences = JSON.differences(from: old, to: new, isInPlace: true)
    #expect(differences.map(\.path.description) == ["/0/id", "/0/n", "/1/id", "/1/n", "/2"])
    #expect(differences.map(\.actual) == [2, "B", 1, "a", ["id": 3]])
    #expect(differences.allSatisfy { $0.movedTo == nil })
  }

  @Test(
    "JSON values have differences exactly when they are unequal, for random values",
    arguments: 1...200
  )
  func onlyWhereTheyDiffer(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let old = JSON.random(depth: 4, using: &random)
    let new = JSON.random(depth: 4, using: &random)
    #expect(JSON.differences(from: old, to: old).isEmpty)
    let differences = JSON.differences(from: old, to: new)
    #expect(differences.isEmpty == (old == new))
    for difference in differences {
      if let place = difference.movedTo {
        #expect(difference.expected == old[difference.path], "seed \(seed)")
        #expect(difference.actual == new[place], "seed \(seed)")
      } else {
        #expect(difference.expected != difference.actual, "seed \(seed)")
        if let expected = difference.expected { #expect(old[difference.path] == expected) }
      }
    }
  }
}

/// The differences that are reported between effects.
@Suite("Differences of effects") struct EffectDifferenceTests {
  private static let feature = EffectDescription.CancelID(type: "ChildEffects", value: [:])
  private static let own = EffectDescription.CancelID(type: "CancelID", value: ["typing": [:]])

  private static func leaf(
    _ cancelID: EffectDescription.CancelID?,
    name: String = "typing"
  ) -> EffectDescription {
    var effect = EffectDescription(.run)
    effect.id = EffectID(seq: 1, index: 0)
    effect.name = name
    effect.cancelID = cancelID
    return effect
  }

  private static var group: EffectDescription {
    var group = EffectDescription(.merge)
    group.cancelID = feature
    group.effects = [leaf(own)]
    return group
  }

  @Test("An effect that loses its cancellation id in the replay differs only in that id")
  func lostCancellationID() {
    #expect(
      EffectDescription.differences(of: 1, [Self.group], [Self.leaf(Self.feature)]) == [
        LogDifference(
          seq: 1,
          cause: .effects,
          subject: "1.0",
          member: "cancelID",
          expected: Self.own.json
        )
      ]
    )
    #expect(
      EffectDescription.differences(of: 1, [Self.leaf(Self.feature)], [Self.group]) == [
        LogDifference(
          seq: 1,
          cause: .effects,
          subject: "1.0",
          member: "cancelID",
          actual: Self.own.json
        )
      ]
    )
  }

  @Test("A group of effects and an effect with another cancellation id differ in their operation")
  func otherGroups() {
    let differences = EffectDescription.differences(of: 1, [Self.group], [Self.leaf(Self.own)])
    #expect(differences.first?.path == "/effects/0/operation")
  }
}
