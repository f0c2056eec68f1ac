import Testing

@testable import ActionLog

/// Patches change a value in place.
///
/// Their cost depends on the change and not on the size of the value.
@Suite struct PatchInPlaceTests {
  /// Returns the memory addresses of the array's elements and of the objects in it.
  private func addresses(_ json: JSON) -> [UInt] {
    guard let rows = json["list"]?["rows"]?.array else { return [] }
    let array = rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    let values = rows[1].object?.values.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    return [array, values ?? 0]
  }

  static let patches = [
    #"[{"op":"replace","path":"/list/rows/1/id","value":7}]"#,
    #"[{"op":"replace","path":"/list/rows/0","value":7}]"#,
    #"[{"op":"replace","path":"/list/rows/1/id","value":7},{"op":"replace","path":"/list/rows/1/id","value":8}]"#,
    #"[{"op":"remove","path":"/list/rows/2"}]"#,
    #"[{"op":"remove","path":"/list/rows/2"},{"op":"add","path":"/list/rows/2","value":{"id":5}}]"#,
    #"[{"op":"add","path":"/other","value":true}]"#,
  ]

  private func state() -> JSON {
    ["list": ["rows": .array((0..<4).map { ["id": .number(JSON.Number($0))] })]]
  }

  @Test(arguments: patches)
  func `patches of values modify an array in place`(text: String) throws {
    var json = state()
    let patch = try JSON.Patch(json: JSON(parsing: text))
    let before = addresses(json)
    try patch.apply(to: &json)
    #expect(addresses(json) == before)
    #expect(before.allSatisfy { $0 != 0 })
  }

  @Test(arguments: patches)
  func `a patch applied from its JSON text modifies arrays in place, as the parsed patch does`(
    text: String
  ) throws {
    var json = state()
    let before = addresses(json)
    try #require(PatchText(JSONText(encoded: Array(text.utf8)))).apply(to: &json)
    #expect(addresses(json) == before)
    var other = state()
    try JSON.Patch(json: JSON(parsing: text)).apply(to: &other)
    #expect(json == other)
  }
}
