import TCACore
import Testing

/// Code of features and tests that must continue to compile.
///
/// Each test contains one pattern.
@MainActor
@Suite struct ShapeTests {
  @Test func `ifLet, Scope and forEach accept self key paths and actions that are not enums`() {
    let add = Reduce<Int, Void> { state, _ in
      state += 1
      return .none
    }
    let store = Store(initialState: Int?.some(1)) {
      EmptyReducer<Int?, Void>().ifLet(\.self, action: \.self) { add }
    }
    store.send(())
    #expect(store.state == 2)

    let scoped = Store(initialState: 1) { Scope(\Int.self, action: \Case<Void>.self) { add } }
    scoped.send(())
    #expect(scoped.state == 2)

    let rows = Store(initialState: IdentifiedArray(uniqueElements: [Job.State(id: 1)])) {
      EmptyReducer<IdentifiedArrayOf<Job.State>, IdentifiedActionOf<Job>>()
        .forEach(\.self, action: \.self) { Job() }
    }
    rows.send(.element(id: 1, action: .done("a")))
    #expect(rows.state[id: 1]?.done == ["a"])
  }

  @Test func `operators on a reducer can return some Reducer with the same state and action types`()
  {
    func count(_ base: some Reducer<Int, Int>) -> some Reducer<Int, Int> {
      base.onChange(of: { $0 }) { _, _ in .none }.dependency(\.uuid, .incrementing)
    }
    let hidden: any ReducerOf<Dashboard> = Dashboard()
    let store = Store(initialState: 1) {
      count(
        Reduce {
          $0 += $1
          return .none
        }
      )
    }
    store.send(2)
    #expect(store.state == 3)
    #expect(hidden is Dashboard)
  }

  @Test func `an effect's closure can call its Send as an anonymous argument`() async {
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        return action == 0 ? .run { await $0(1) } : .none
      }
    }
    await store.send(0).finish()
    #expect(store.state == [0, 1])
  }

  @Test func `the type of an effect is inferred inside withDependencies`() async {
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return withDependencies {
          $0.uuid = .incrementing
        } operation: {
          .run { send in
            @Dependency(\.uuid) var uuid
            await send(uuid() == UUIDGenerator.incrementing() ? 1 : 2)
          }
        }
      }
    }
    await store.send(0).finish()
    #expect(store.state == [0, 1])
  }

  @Test func `patterns of stack element actions match without labels`() {
    let path = StackState<Screens.Path.State>([.detail(.init(number: 7)), .list(.init(number: 8))])
    let store = Store(initialState: Screens.State(path: path)) { Screens() }
    store.send(.path(.element(id: path.ids[0], action: .detail(.tap))))
    #expect(store.chosen == 7)
    store.send(.path(.element(id: path.ids[1], action: .list(.tap))))
    #expect(store.chosen == -8)
  }

  /// A function with the signature of sends by case.
  private func action<Root: CasePathable, Payload>(
    _ keyPath: CaseKeyPath<Root, Payload>,
    _ payload: Payload
  ) -> Root {
    keyPath(payload)
  }

  @Test func `a push action can be made from a tuple in which only the id is labeled`() {
    let store = Store(initialState: Screens.State()) { Screens() }
    store.send(action(\.path.push, (id: 0, .detail(Dashboard.State(number: 5)))))
    #expect(store.path[id: 0]?.detail?.number == 5)
    store.send(action(\.path.popFrom, 0))
    #expect(store.path.isEmpty)
  }

  @Test func `a binding property and an action case can share a name`() {
    #expect(action(\Form.Action.Cases.isOn, ()) == .isOn)
    #expect(action(\Form.Action.Cases.binding.isOn, true) == .set(\.isOn, true))
    #expect(Form.Action.isOn.is(\.isOn))
    #expect(!Form.Action.isOn.is(\.binding.isOn))
    #expect(Form.Action.set(\.isOn, true).is(\.binding.isOn))
  }

  @Test func `a generic feature can use state and actions declared elsewhere`() async {
    let store = Store(initialState: FavoritingState(id: 3)) { Favoriting<Int>() }
    await store.send(.buttonTapped).finish()
    #expect(store.isFavorite)
    #expect(store.saved == "3")
    #expect(FavoritingAction.buttonTapped.is(\.buttonTapped))
  }

  @Test func `a feature can present itself and contain rows of itself`() {
    let store = Store(
      initialState: Nested.State(id: 1, child: Nested.State(id: 2), rows: [Nested.State(id: 3)])
    ) { Nested() }
    store.send(.child(.presented(.named("child"))))
    store.send(.rows(.element(id: 3, action: .named("row"))))
    #expect(store.child?.name == "child")
    #expect(store.rows[id: 3]?.name == "row")
    #expect(
      action(\Nested.Action.Cases.child.rows[id: 1].named, "a")[case: \.child.rows[id: 1].named]
        == "a"
    )
  }

  @Test func `a reducer builder supports if available and if unavailable`() {
    let store = Store(initialState: [String]()) { BySystem() }
    store.send("a")
    #if canImport(Darwin)
    #expect(store.state == ["newer a", "today"])
    #else
    // "*" stands for every version of an unnamed platform.
    #expect(store.state == ["newer a", "not yet"])
    #endif
  }

  @Test func `an alert can have Never as its action type`() {
    @Sendable func alert() -> AlertState<Never> { AlertState { TextState("Done") } }
    let store = Store(initialState: AlertState<Never>?.some(alert())) {
      EmptyReducer<AlertState<Never>?, Never>().ifLet(\.self, action: \.self)
    }
    #expect(store.state == alert())
  }

  @Test func `an effect and a button can send actions with animations`() async {
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .run { send in
          await send(1, animation: .default)
          await send(2, animation: .easeInOut(duration: 0.2).delay(1))
          await send(3, transaction: Transaction(animation: nil))
        }
      }
    }
    await store.send(0).finish()
    #expect(store.state == [0, 1, 2, 3])
    let button = ButtonState(action: .send(1, animation: .default)) { TextState("One") }
    #expect(button == ButtonState(action: 1) { TextState("One") })
    #expect(button.map { $0.map { "\($0)" } }.action.animation == .default)
  }
}
