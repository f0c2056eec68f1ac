/// The values of dependencies: those that were set here, and the defaults of all others.
///
/// Only what was set is stored. Everything else follows the context, so values that travel from
/// one place to another never freeze a default.
public struct DependencyValues: Sendable {
  /// The values of the current task.
  @TaskLocal public static var _current = DependencyValues()

  private var values: [ObjectIdentifier: any Sendable] = [:]
  /// Values that were captured earlier; what is set above wins.
  private var captured: [ObjectIdentifier: any Sendable] = [:]

  /// The store whose reducer or effect is running.
  package var storeContext: StoreContext?
  /// Where in the tree of presented and pushed features the running reducer stands.
  package var navigationPath: [NavigationID] = []
  /// Where the ids of new stack elements come from, when that is not the store.
  package var ownStackElementIDs: StackElementIDs?

  /// Makes values of which none is set.
  public init() {}

  /// The value of a key: the one that was set, or the default for the context.
  public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
    get {
      self[key: key] ?? DependencyDefaults.value(of: key, in: context)
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// The value of a key if it was set.
  subscript<Key: TestDependencyKey>(key key: Key.Type) -> Key.Value? {
    let id = ObjectIdentifier(key)
    return (values[id] ?? captured[id]) as? Key.Value
  }

  /// What the dependencies run for.
  public var context: DependencyContext {
    get {
      let id = ObjectIdentifier(DependencyContext.self)
      return (values[id] ?? captured[id]) as? DependencyContext ?? .ofProcess
    }
    set { values[ObjectIdentifier(DependencyContext.self)] = newValue }
  }

  /// These values over ones that were captured earlier.
  func over(_ earlier: DependencyValues) -> DependencyValues {
    var merged = self
    let below =
      earlier.captured.isEmpty
      ? earlier.values : earlier.captured.merging(earlier.values) { $1 }
    merged.captured = captured.isEmpty ? below : below.merging(captured) { $1 }
    merged.storeContext = storeContext ?? earlier.storeContext
    merged.ownStackElementIDs = ownStackElementIDs ?? earlier.ownStackElementIDs
    merged.navigationPath = navigationPath.isEmpty ? earlier.navigationPath : navigationPath
    return merged
  }
}
