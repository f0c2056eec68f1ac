import Foundation
import TCACore
import Testing

@Reducer
struct Presenter {
  @ObservableState
  struct State: Equatable {
    @Presents var child: Counter.State?
    @Presents var destination: Destination? = .idle
    @Presents var recursive: Presenter.State?
  }
  @CasePathable
  @ObservableState
  enum Destination: Equatable {
    case counter(Counter.State)
    case other(Counter.State)
    case idle
  }
  indirect enum Action {
    case child(PresentationAction<Counter.Action>)
    case recursive(PresentationAction<Presenter.Action>)
  }
}

struct PlainPresenter: Equatable {
  @Presents var child: Int?
}

@Suite struct PresentsTests {
  @Test func `a presented state can be changed, dismissed and nested in its own type`() {
    var state = Presenter.State(child: Counter.State(count: 1))
    #expect(state.$child.wrappedValue?.count == 1)
    state.child?.count += 1
    #expect(state.child?.count == 2)
    state.$child.wrappedValue = nil
    #expect(state.child == nil && state.destination == .idle)
    state.recursive = Presenter.State(child: .init(count: 3))
    #expect(state.recursive?.child?.count == 3)
    var plain = PlainPresenter()
    plain.child = 4
    #expect(plain.$child.wrappedValue == 4)
  }

  @Test func `a presentation notifies observers of presenting, dismissing and changed members`() {
    var state = Presenter.State()
    #expect(notifies(&state, reading: { _ = $0.child }, { $0.child = .init() }))
    #expect(!notifies(&state, reading: { _ = $0.child }, { $0.child?.count += 1 }))
    #expect(notifies(&state, reading: { _ = $0.child?.count }, { $0.child?.count += 1 }))
    #expect(notifies(&state, reading: { _ = $0.child }, { $0.child = nil }))
    #expect(
      notifies(&state, reading: { _ = $0.destination }, { $0.destination = .counter(.init()) })
    )
    #expect(notifies(&state, reading: { _ = $0.$child }, { $0.$child.wrappedValue = .init() }))
  }

  @Test
  func `a presentation notifies observers when its case changes, even if the payload is equal`() {
    let counter = Counter.State()
    var state = Presenter.State()
    state.destination = .counter(counter)
    #expect(
      !notifies(&state, reading: { _ = $0.destination }, { $0.destination = .counter(counter) })
    )
    #expect(notifies(&state, reading: { _ = $0.destination }, { $0.destination = .other(counter) }))
    #expect(notifies(&state, reading: { _ = $0.destination }, { $0.destination = nil }))
  }

  @Test func `case key paths lead into a presented state and its actions`() {
    var state = PresentationState<Presenter.Destination>(wrappedValue: .counter(.init()))
    state[case: \.counter]?.count = 3
    #expect(state[case: \.counter]?.count == 3)
    state[case: \.counter] = nil
    #expect(state.wrappedValue == nil)
    let action = Presenter.Action.child(.presented(.set(4)))
    #expect(action[case: \.child.presented.set] == 4)
    #expect(action[case: \.child.set] == 4)
    #expect(Presenter.Action.child(.dismiss).is(\.child.dismiss))
  }

  @Test func `presented states and their actions are written to the log`() throws {
    var state = Presenter.State(child: .init(count: 2))
    state.destination = nil
    let json = JSON(logging: state)
    #expect(json["child"]?["count"] == 2)
    #expect(json["destination"] == .null)
    #expect(try LogDecoder(json).value(Presenter.State.self) == state)
    let action = Presenter.Action.child(.presented(.increment))
    #expect(JSON(logging: action) == ["child": ["_0": ["presented": ["_0": ["increment": [:]]]]]])
    let coded = try JSONEncoder().encode(PresentationState(wrappedValue: 3))
    #expect(try JSONDecoder().decode(PresentationState<Int>.self, from: coded).wrappedValue == 3)
  }

  @Test func `comparing copies of a presentation does not compare the presented value`() {
    struct Never: Equatable {
      static func == (lhs: Never, rhs: Never) -> Bool {
        Issue.record("compared")
        return false
      }
    }
    let state = PresentationState(wrappedValue: Never())
    #expect(state == state)
  }
}
