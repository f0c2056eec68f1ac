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

  /// The description of the enum itself is irrelevant.
  var description: String { "shape" }
}

/// Cases with the same name and different labels.
private enum Move: Equatable {
  case to(x: Int)
  case to(y: Int)
  case along(x: Int, from: Int)
  case along(y: Int, from: Int)
}

@Suite("Case paths by the prefix operator")
struct CasePathOperatorTests {
  @Test func `the case path operator extracts by case name and payload`() {
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

  @Test func `the case path operator extracts and embeds cases without a payload`() {
    #expect((/Shape.point).extract(from: .point) != nil)
    #expect((/Shape.point).extract(from: .other) == nil)
    #expect((/Shape.point).extract(from: .circle(1)) == nil)
    #expect((/Shape.point).embed() == .point)
  }

  @Test func `the case path operator embeds payloads`() {
    #expect((/Shape.circle).embed(2) == .circle(2))
    #expect((/Shape.labelled(id:name:)).embed((1, "a")) == .labelled(id: 1, name: "a"))
    #expect((/Shape.self).embed(.point) == .point)
  }

  @Test func `case paths made by the operator can be composed`() {
    let path = /Shape.nested .. /Shape.nested .. /Shape.circle
    #expect(path.extract(from: .nested(.nested(.circle(3)))) == 3)
    #expect(path.extract(from: .nested(.circle(3))) == nil)
    #expect(path.embed(4) == .nested(.nested(.circle(4))))
  }

  @Test func `the case path operator extracts from an optional enum`() {
    let path: AnyCasePath<Shape?, Int> = /Shape.circle
    #expect(path.extract(from: .some(.circle(1))) == 1)
    #expect(path.extract(from: nil) == nil)
    #expect(path.embed(1) == .circle(1))
  }

  @Test func `a case path made by the operator can be used as a function and as a pattern`() {
    let shapes: [Shape] = [.circle(1), .point, .circle(2)]
    #expect(shapes.compactMap(/Shape.circle) == [1, 2])
    switch shapes[0] {
    case /Shape.circle: break
    default: Issue.record("no circle")
    }
  }

  @Test func `the case path operator extracts cases of optionals`() {
    #expect((/String?.some).extract(from: "a") == "a")
    #expect((/String?.some).extract(from: nil) == nil)
    #expect(
      (/Shape?.some).extract(from: .some(.nested(.nested(.point)))) == .nested(.nested(.point))
    )
    let nested: AnyCasePath<Shape?, Shape> = /Shape.nested
    #expect(nested.extract(from: .some(.nested(.nested(.point)))) == .nested(.point))
    #expect(nested.extract(from: .some(.circle(1))) == nil)
  }

  @Test func `the case path operator distinguishes cases that differ only in their labels`() {
    #expect((/Move.to(x:)).extract(from: .to(x: 1)) == 1)
    #expect((/Move.to(x:)).extract(from: .to(y: 1)) == nil)
    #expect((/Move.to(y:)).extract(from: .to(y: 1)) == 1)
    #expect((/Move.along(x:from:)).extract(from: .along(y: 1, from: 2)) == nil)
    #expect((/Move.along(y:from:)).extract(from: .along(y: 1, from: 2))?.0 == 1)
  }

  @Test func `deprecated names of case path methods extract payloads`() {
    let same: AnyCasePath<Shape, Shape> = /.self
    #expect(same.extract(from: .point) == .point)
    #expect(AnyCasePath(Shape.point).extract(from: .point) != nil)
    #expect(AnyCasePath(Shape.point).extract(from: .other) == nil)
    let path = /Shape.nested .. Shape.circle
    #expect(path.extract(from: .nested(.circle(3))) == 3)
  }

  @Test func `a composed case path can be used as a function that returns the payload or nil`() {
    let shapes: [Shape] = [.point, .nested(.circle(3)), .circle(1)]
    #expect(shapes.compactMap(/Shape.point).count == 1)
    #expect(shapes.compactMap(/Shape.nested .. Shape.circle) == [3])
    #expect(
      [Result.success(1), .success(nil)].compactMap(
        /Result<Int?, any Error>.success .. Optional.some
      ) == [1]
    )
    let isPoint: (Shape?) -> Void? = /Shape.point
    #expect(isPoint(.point) != nil)
    #expect(isPoint(.other) == nil)
    #expect(isPoint(nil) == nil)
    #expect((/.some).extract(from: Optional(42)) == 42)
    #expect((/Int??.some .. Int?.some).extract(from: Optional(Optional(42))) == 42)
  }

  @Test func `constants, raw values and descriptions have case paths`() async throws {
    struct Code: OldCode {
      enum Unit: String { case metre = "m" }

      @available(*, deprecated)
      func run() async throws {
        #expect(AnyCasePath(Int.self).extract(from: 42) == 42)
        #expect(AnyCasePath.constant(42).extract(from: ()) == 42)
        #expect(AnyCasePath<Int, Never>.never.extract(from: 42) == nil)
        #expect(AnyCasePath<String, Unit>.rawValue.extract(from: "m") == .metre)
        #expect(AnyCasePath.rawValue.embed(Unit.metre) == "m")
        #expect(AnyCasePath<String, Int>.description.extract(from: "42") == 42)
        #expect(AnyCasePath.description.embed(42) == "42")
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `presentation and stack states are changed by case paths made by the operator`() {
    var presented = PresentationState<Shape>(wrappedValue: .circle(1))
    presented[case: /Shape.circle]? += 1
    #expect(presented.wrappedValue == .circle(2))
    #expect(presented[case: /Shape.square] == nil)
    let issues = recordingIssues { presented[case: /Shape.square] = 3 }
    #expect(issues.count == 1)
    presented[case: /Shape.circle] = nil
    #expect(presented.wrappedValue == nil)

    var stack = StackState<Shape>([.circle(1), .point])
    let id = stack.ids[0]
    stack[id: id, case: /Shape.circle]? += 1
    #expect(Array(stack) == [.circle(2), .point])
    #expect(recordingIssues { stack[id: id, case: /Shape.square] = 3 }.count == 1)
    stack[id: id, case: /Shape.circle] = nil
    #expect(Array(stack) == [.point])
  }

  @Test @MainActor func `ifLet with a case path removes an alert after its action`() {
    struct Feature: Reducer {
      struct State: Equatable { var alert: AlertState<Int>? }
      enum Action { case alert(Int) }
      var body: some ReducerOf<Self> {
        EmptyReducer().ifLet(\.alert, action: /Action.alert)
      }
    }
    let store = Store(
      initialState: Feature.State(alert: AlertState { TextState("Really?") })
    ) {
      Feature()
    }
    store.send(.alert(1))
    #expect(store.withState(\.alert) == nil)
  }

  @Test func `modify of a case path changes the payload, and throws for another case`() throws {
    var shape = Shape.circle(1)
    try (/Shape.circle).modify(&shape) { $0 += 1 }
    #expect(shape == .circle(2))
    #expect(throws: ExtractionFailed.self) { try (/Shape.square).modify(&shape) { $0 += 1 } }
    #expect(shape == .circle(2))
  }
}
