import TCACore
import Testing

private enum Shape: Equatable, CustomStringConvertible {
  case point
  case other
  case circle(Int)
  case square(Int)
  case named(name: String)
  case pair(Int, String)
  case labelled(id: Int, name: String)
  case optional(Int?)
  indirect case nested(Shape)

  /// What an enum says of itself does not matter.
  var description: String { "shape" }
}

@Suite("Case paths by the prefix operator")
struct CasePathOperatorTests {
  @Test func casesAreFoundByNameAndPayload() {
    #expect((/Shape.circle).extract(from: .circle(1)) == 1)
    // The same payload in another case.
    #expect((/Shape.circle).extract(from: .square(1)) == nil)
    #expect((/Shape.named).extract(from: .named(name: "a")) == "a")
    #expect((/Shape.named(name:)).extract(from: .named(name: "a")) == "a")
    #expect((/Shape.pair).extract(from: .pair(1, "a")).map { "\($0)" } == #"(1, "a")"#)
    #expect((/Shape.labelled(id:name:)).extract(from: .labelled(id: 1, name: "a"))?.1 == "a")
    #expect((/Shape.labelled).extract(from: .pair(1, "a")) == nil)
    #expect((/Shape.optional).extract(from: .optional(nil)) == .some(nil))
    #expect((/Shape.optional).extract(from: .optional(1)) == 1)
    #expect((/Shape.optional).extract(from: .circle(1)) == nil)
    #expect((/Shape.nested).extract(from: .nested(.point)) == .point)
  }

  @Test func casesWithoutPayloadAreFoundByName() {
    #expect((/Shape.point).extract(from: .point) != nil)
    #expect((/Shape.point).extract(from: .other) == nil)
    #expect((/Shape.point).extract(from: .circle(1)) == nil)
    #expect((/Shape.point).embed() == .point)
  }

  @Test func casesAreMade() {
    #expect((/Shape.circle).embed(2) == .circle(2))
    #expect((/Shape.labelled(id:name:)).embed((1, "a")) == .labelled(id: 1, name: "a"))
    #expect((/Shape.self).embed(.point) == .point)
  }

  @Test func pathsAreComposed() {
    let path = /Shape.nested .. /Shape.nested .. /Shape.circle
    #expect(path.extract(from: .nested(.nested(.circle(3)))) == 3)
    #expect(path.extract(from: .nested(.circle(3))) == nil)
    #expect(path.embed(4) == .nested(.nested(.circle(4))))
  }

  @Test func optionalEnumsAreLookedInto() {
    let path: AnyCasePath<Shape?, Int> = /Shape.circle
    #expect(path.extract(from: .some(.circle(1))) == 1)
    #expect(path.extract(from: nil) == nil)
    #expect(path.embed(1) == .circle(1))
  }

  @Test func pathsAreFunctionsAndPatterns() {
    let shapes: [Shape] = [.circle(1), .point, .circle(2)]
    #expect(shapes.compactMap(/Shape.circle) == [1, 2])
    switch shapes[0] {
    case /Shape.circle: break
    default: Issue.record("no circle")
    }
  }

  @Test func payloadsAreChangedInPlace() throws {
    var shape = Shape.circle(1)
    try (/Shape.circle).modify(&shape) { $0 += 1 }
    #expect(shape == .circle(2))
    #expect(throws: ExtractionFailed.self) { try (/Shape.square).modify(&shape) { $0 += 1 } }
    #expect(shape == .circle(2))
  }
}
