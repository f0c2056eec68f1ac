import ActionLog
import Testing

/// Patches that change a part of a tagged value.
///
/// Such a value has no visible parts.
@Suite("Tags") struct TagTests {
  private static let state: JSON = [
    "born": ["$date": -0.5], "ooo": ["$some": .null], "n": 1,
    "rows": [["at": ["$date": -1.5]]],
    "failure": ["$error": ["type": "A", "description": "a", "value": ["count": 1]]],
  ]

  static let patches: [(patch: String, shown: String)] = [
    (
      #"[{"op":"replace","path":"/born/$date","value":-2.5}]"#,
      #"[{"op":"replace","path":"/born","value":{"$date":-2.5}}]"#
    ),
    (
      #"[{"op":"replace","path":"/ooo/$some","value":{"$some":null}}]"#,
      #"[{"op":"replace","path":"/ooo","value":{"$some":{"$some":null}}}]"#
    ),
    (
      #"[{"op":"add","path":"/rows/0","value":{}},{"op":"replace","path":"/rows/1/at/$date","value":2.5}]"#,
      #"[{"op":"add","path":"/rows/0","value":{}},{"op":"replace","path":"/rows/1/at","value":{"$date":2.5}}]"#
    ),
    (
      #"[{"op":"replace","path":"/failure/$error/type","value":"B"},{"op":"replace","path":"/failure/$error/description","value":"b"},{"op":"replace","path":"/n","value":2}]"#,
      #"[{"op":"replace","path":"/failure","value":{"$error":{"type":"B","description":"b","value":{"count":1}}}},{"op":"replace","path":"/n","value":2}]"#
    ),
    (
      #"[{"op":"replace","path":"/failure/$error/value/count","value":2}]"#,
      #"[{"op":"replace","path":"/failure/$error/value/count","value":2}]"#
    ),
    (
      #"[{"op":"add","path":"/$$date","value":1}]"#, #"[{"op":"add","path":"/$$date","value":1}]"#
    ),
  ]

  @Test(arguments: patches)
  func `a patch replaces a tagged value entirely instead of a part of it`(
    patch: String,
    shown: String
  ) throws {
    let patch = PatchText(try JSON.Patch(json: JSON(parsing: patch)))
    #expect(patch.outsideTags(in: Self.state).patch.json == (try JSON(parsing: shown)))
    var (first, second) = (Self.state, Self.state)
    try patch.apply(to: &first)
    try patch.outsideTags(in: Self.state).apply(to: &second)
    #expect(first == second)
  }

  @Test
  func `a difference covers a tagged value entirely, but only the changed member of an error`() {
    let new: JSON = [
      "born": ["$date": -2.5], "ooo": ["$some": ["$some": .null]], "n": 1,
      "rows": [["at": "2001-01-01T00:00:00Z"]],
      "failure": ["$error": ["type": "A", "description": "a", "value": ["count": 2]]],
    ]
    let differences = JSON.differences(from: Self.state, to: new)
    #expect(
      differences.map(\.places.place) == ["born", "ooo", "rows[0].at", "failure.count"]
    )
    #expect(differences[0].expected == ["$date": -0.5])
    #expect(differences[0].actual == ["$date": -2.5])
  }

  @Test func `a difference between two enum cases has the path of the enum and both case names`() {
    let differences = JSON.differences(
      from: ["status": ["waiting": [:]], "rows": [["kind": ["a": ["_0": 1]]]], "own": ["x": 1]],
      to: ["status": ["done": ["_0": 3]], "rows": [["kind": ["b": [:]]]], "own": ["y": 1]]
    )
    #expect(
      differences.map(\.places.place)
        == ["status", "status", "rows[0].kind", "rows[0].kind", "own.x", "own.y"]
    )
    #expect(
      differences.map(\.places.changedCase) == ["waiting", "done", "a", "b", nil, nil]
    )
  }
}
