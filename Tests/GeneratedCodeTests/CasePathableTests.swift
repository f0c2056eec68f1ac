public import TCACore
import Testing

@CasePathable
enum Shape: Equatable {
  case point
  case circle(Double)
  case label(_ text: String)
  case box(width: Int, height: Int)
  case pair(Int, String)
  case named(name: String)
  indirect case nested(Shape)
  case same(Self.Kind)
  #if DEBUG
  case debug(Int)
  #else
  case release
  #endif

  enum Kind: Equatable { case a, b }
}

/// An enum whose payloads have the names of associated types.
@CasePathable
public enum Box<Element: Hashable & Sendable, T> {
  case element(Element)
  case elements([Element], of: T)
  case none
}

/// Cases with the names of methods of their enum.
@CasePathable
@dynamicMemberLookup
enum Step<Value: Hashable & Sendable>: Hashable {
  case encode(Value)
  case hash(Int, Int)
  case `is`
  indirect case modify(Self)
}

/// One with a property of its own.
@CasePathable
@dynamicMemberLookup
enum OwnStep: Equatable {
  case encode(Int)
  var encode: String { "own" }
}

@CasePathable
enum One { case only }
@CasePathable
enum OneValue { case only(Int) }
@CasePathable
enum NoCase {}
@CasePathable
enum Impossible {
  case never(Never)
  case maybe(Int)
}

@Suite struct CasePathableTests {
  @Test func `case paths embed and extract payloads of every form`() {
    #expect((\Shape.Cases.circle)(2.0) == .circle(2))
    #expect((\Shape.Cases.circle)(2) == .circle(2))
    #expect(Shape.box(width: 1, height: 2)[case: \.box]?.width == 1)
    #expect(Shape.pair(1, "a")[case: \.pair]?.1 == "a")
    #expect(Shape.label("x")[case: \.label] == "x")
    #expect(Shape.named(name: "x")[case: \.named] == "x")
    #expect(Shape.nested(.point).is(\.nested.point))
    #expect(Shape.same(.b)[case: \.same] == .b)
    #expect(Shape.point.is(\.point))
  }

  @Test func `enum cases may be named like methods`() {
    var step = Step.encode("a")
    let payload = step.encode
    #expect(payload == "a")
    #expect(step.hash == nil && step.is == nil && step.modify == nil)
    #expect(step.is(\.encode))
    step.modify(\.encode) { $0 += "b" }
    #expect(step == .encode("ab"))
    #expect(Step.modify(step).modify?.encode == "ab")
    #expect(Step<Int>.hash(1, 2).hash?.1 == 2)
    #expect(Step<Int>.is.is != nil)
    #expect(OwnStep.encode(1).encode == "own")
    #expect(OwnStep.encode(1)[case: \.encode] == 1)
  }

  @Test func `a partial case path embeds a value whose type is known only at run time`() {
    let path: PartialCaseKeyPath<Shape> = \.circle
    #expect(path(2.0 as Any) == .circle(2))
    #expect(path("2" as Any) == nil as Shape?)
  }

  @Test func `allCasePaths contains a path for each available case`() {
    #expect(Array(Shape.allCasePaths).count == 9)
    #expect(Shape.allCasePaths[.circle(1)] == \.circle)
    #expect(Array(NoCase.allCasePaths).isEmpty)
    #expect(Array(Box<Int, String>.allCasePaths).count == 3)
    #expect(Box<Int, String>.elements([1], of: "a")[case: \.elements]?.of == "a")
  }

  @Test func `enums with case paths read back from the log`() throws {
    let values: [Shape] = [
      .point, .circle(2), .label("a"), .box(width: 1, height: 2), .pair(1, "b"), .named(name: "n"),
      .nested(.circle(1)), .same(.a),
    ]
    for value in values {
      let json = JSON(logging: value)
      #expect(try LogDecoder(json).value(Shape.self) == value)
    }
    #expect(JSON(logging: Shape.box(width: 1, height: 2)) == ["box": ["width": 1, "height": 2]])
    #expect(JSON(logging: Shape.same(.a)) == ["same": ["_0": ["a": [:]]]])
  }
}
