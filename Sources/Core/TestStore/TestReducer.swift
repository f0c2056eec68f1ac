/// Runs a feature as a store does, and writes down each of its steps for the test.
///
/// It stands inside of the same core as in an app, so a test sees the behaviour that users see.
struct TestReducer<Base: Reducer>: Reducer {
  let base: Base
  let record: TestRecord<Base.State, Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let context = DependencyValues._current.storeContext
    var dependencies = record.dependencies
    dependencies.storeContext = context
    dependencies.sharedChangeTracker = record.tracker
    let effect = DependencyValues.$_current.withValue(dependencies) {
      base._reduce(into: &state, action: action)
    }
    record.note(
      TestRecord.Step(
        action: action,
        after: TestRecord.Position(
          state: state,
          stackElementIDs: dependencies.stackElementIDs.copy()
        )
      ),
      number: context?.current?.number ?? 0,
      hasEffect: !effect.isNone
    )
    return effect
  }
}
