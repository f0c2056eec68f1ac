import ActionLog
import Foundation
import TCACore
import Testing

@Reducer
private struct OutlinedRow {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var title = ""
    var tags: [String: [Int]] = [:]
    @Presents var sheet: OutlinedSheet.State?
  }

  enum Action {
    case tapped
    case renamed(to: String)
    case sheet(PresentationAction<OutlinedSheet.Action>)
  }
}

@Reducer
private struct OutlinedSheet {
  @ObservableState
  struct State: Equatable {
    var size = Size.small
    var step = Step.first
    @Shared(.inMemory("outlined")) var count = 0
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case dismiss
    case step(Step)
    case answered(Result<Int, any Error>)
  }

  enum Size: String {
    case small
    case large = "XL"
  }

  @LogValue
  enum Step: Equatable {
    case first
    case second(Int)
    case third(of: Int, String)
    indirect case again(Step)
    case never(Never)
  }
}

@Reducer
private enum OutlinedPath {
  case row(OutlinedRow)
  case sheet(OutlinedSheet)
}

@Reducer
private struct Outlined {
  @ObservableState
  struct State {
    var rows: IdentifiedArrayOf<OutlinedRow.State> = []
    var path = StackState<OutlinedPath.State>()
    var ids: Set<UUID> = []
    @LogIgnored var cache: [Int] = []
  }

  enum Action {
    case rows(IdentifiedActionOf<OutlinedRow>)
    case path(StackActionOf<OutlinedPath>)
    case child(action: OutlinedRow.Action)
    case loaded(Int, String)
  }
}

/// The outlines of types, which list the possible contents of logs.
@Suite struct TypeOutlineTests {
  @Test func `the outline of an action lists its case paths in Swift notation`() {
    #expect(
      TypeOutline(of: Outlined.Action.self).casePaths == [
        ".rows[].renamed", ".rows[].sheet.binding", ".rows[].sheet.step.second",
        ".rows[].sheet.step.third", ".rows[].sheet.step.again", ".rows[].sheet.step.first",
        ".rows[].sheet.answered", ".rows[].sheet.presented.dismiss", ".rows[].sheet.dismiss",
        ".rows[].tapped", ".path[].row.renamed", ".path[].row.sheet.binding",
        ".path[].row.sheet.step.second", ".path[].row.sheet.step.third",
        ".path[].row.sheet.step.again", ".path[].row.sheet.step.first",
        ".path[].row.sheet.answered", ".path[].row.sheet.presented.dismiss",
        ".path[].row.sheet.dismiss", ".path[].row.tapped", ".path[].sheet.binding",
        ".path[].sheet.step.second", ".path[].sheet.step.third", ".path[].sheet.step.again",
        ".path[].sheet.step.first", ".path[].sheet.answered", ".path[].sheet.dismiss",
        ".path.popFrom", ".path.push", ".child", ".loaded",
      ]
    )
  }

  @Test func `the outline of a state has its members and reads back from JSON`() {
    let sheet: TypeOutline = .members([
      .init("size", .choice(["small", "XL"])),
      .init(
        "step",
        .cases([
          .init("second", [.init("_0", .value)]),
          .init("third", [.init("of", .value), .init("_1", .value)]),
          .init("again", [.init("_0", .value)]), .init("first"),
        ])
      ), .init("count", .value),
    ])
    let row: TypeOutline = .members([
      .init("id", .value), .init("title", .value), .init("tags", .elements(.elements(.value))),
      .init("sheet", sheet),
    ])
    let expected: TypeOutline = .members([
      .init("rows", .elements(row)),
      .init(
        "path",
        .elements(
          .cases([.init("row", [.init("_0", row)]), .init("sheet", [.init("_0", sheet)])])
        )
      ), .init("ids", .elements(.value)),
    ])
    #expect(TypeOutline(of: Outlined.State.self) == expected)
    #expect(TypeOutline(json: expected.json) == expected)
  }

  @Test("The outline of an enum lists the case names with which its values are written")
  func namesOfCases() throws {
    let steps: [OutlinedSheet.Step] = [.second(1), .third(of: 1, "a"), .again(.first), .first]
    guard case .cases(let cases) = TypeOutline(of: OutlinedSheet.Step.self) else {
      Issue.record("no cases")
      return
    }
    for (step, outline) in zip(steps, cases) {
      let written = try #require(JSON(logging: step).object)
      #expect(written.keys == [outline.name])
      #expect(written.values.first?.object?.keys == outline.payload.map(\.name))
    }
  }

  @Test(
    "The outline of a type without members is a plain value",
    arguments: [Int.self, String.self, Date.self] as [Any.Type]
  )
  func plainValues(type: Any.Type) {
    #expect(TypeOutline(of: type) == .value)
    #expect(TypeOutline(of: type).casePaths.isEmpty)
  }
}
