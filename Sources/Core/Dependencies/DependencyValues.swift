/// The values of dependencies: those that were set here, and the defaults of all others.
///
/// Only what was set is stored. Everything else follows the context, so values that travel from
/// one place to another never freeze a default.
///
/// ```swift
/// extension DependencyValues {
///   var api: API {
///     get { self[APIKey.self] }
///     set { self[APIKey.self] = newValue }
///   }
/// }
/// ```
public struct DependencyValues: Sendable {
  /// The values of the current task.
  @TaskLocal public static var _current = DependencyValues.ofProcess

  private var values: [ObjectIdentifier: any Sendable] = [:]
  /// Values that were captured earlier; what is set above wins.
  private var captured: [ObjectIdentifier: any Sendable] = [:]

  /// The store whose reducer or effect is running.
  package var storeContext: StoreContext?
  /// The place of the running reducer in the tree of presented and pushed features.
  package var navigationPath: [NavigationID] = []
  /// Where the ids of new stack elements come from, when that is not the store.
  package var ownStackElementIDs: StackElementIDs?

  /// The property wrapper that reads these values, when it is one.
  var reader: (location: IssueLocation, readsKey: Bool)?
  /// The call of `prepareDependencies` whose closure these values were handed to.
  private var preparation: Int?
  /// The values that are made when nothing is set; nil for those of the process.
  private var ownDefaults: DependencyDefaults?

  /// Makes values of which none is set, and whose defaults are made anew.
  public init() {
    self.init(defaults: DependencyDefaults())
  }

  private init(defaults: DependencyDefaults?) {
    ownDefaults = defaults
  }

  /// Values of which none is set, and whose defaults are those of the process.
  package static let ofProcess = DependencyValues(defaults: nil)

  /// Makes values that prepare dependencies when they are set, for the context that holds here.
  init(preparation: Int) {
    self.preparation = preparation
    let context = ObjectIdentifier(DependencyContext.self)
    captured[context] = Self._current.values[context] ?? Self._current.captured[context]
    ownDefaults = Self._current.ownDefaults
  }

  private var defaults: DependencyDefaults { ownDefaults ?? .ofProcess }

  /// The value of a key: the one that was set, or the default for the context.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - fileID: The file that asks, for messages.
  ///   - filePath: The path of that file.
  ///   - line: The line that asks.
  ///   - column: The column that asks.
  ///   - function: The property that asks, whose name messages use.
  public subscript<Key: TestDependencyKey>(
    key: Key.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    function: StaticString = #function
  ) -> Key.Value {
    get {
      if let value = self[key: key] { return value }
      return defaults.value(
        of: key,
        in: context,
        for: access(
          at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column),
          to: function
        ),
        preparation: preparation,
        within: withoutReader
      )
    }
    set {
      guard let preparation else {
        values[ObjectIdentifier(key)] = newValue
        return
      }
      let isPrepared = defaults.prepare(
        newValue,
        of: key,
        in: context,
        preparation: preparation
      )
      guard !isPrepared else { return }
      let access = access(
        at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column),
        to: function
      )
      reportIssue(Messages.preparedTooLate(key, for: access), at: access.location)
    }
  }

  private func access(at location: IssueLocation, to property: StaticString) -> DependencyAccess {
    guard let reader else { return DependencyAccess(location: location, property: property) }
    return DependencyAccess(
      location: reader.location,
      property: reader.readsKey ? nil : property
    )
  }

  /// The value of a key if it was set.
  subscript<Key: TestDependencyKey>(key key: Key.Type) -> Key.Value? {
    let id = ObjectIdentifier(key)
    // Not one cast: that of nothing to an optional type gives a value, which is nil.
    return (values[id] ?? captured[id]).flatMap { $0 as? Key.Value }
  }

  /// The context of the dependencies.
  public var context: DependencyContext {
    get {
      let id = ObjectIdentifier(DependencyContext.self)
      return (values[id] ?? captured[id]) as? DependencyContext ?? DependencyDefaults.context
    }
    set {
      if let preparation {
        DependencyDefaults.prepare(newValue, preparation: preparation)
      }
      if preparation == nil || captured[ObjectIdentifier(DependencyContext.self)] != nil {
        values[ObjectIdentifier(DependencyContext.self)] = newValue
      }
    }
  }

  /// These values for others than the property wrapper that reads them.
  private var withoutReader: DependencyValues {
    var values = self
    values.reader = nil
    return values
  }

  /// These values over ones that were captured earlier.
  func over(_ earlier: DependencyValues) -> DependencyValues {
    var merged = self
    merged.reader = nil
    let below =
      earlier.captured.isEmpty
      ? earlier.values : earlier.captured.merging(earlier.values) { $1 }
    merged.captured = captured.isEmpty ? below : below.merging(captured) { $1 }
    merged.ownDefaults = ownDefaults ?? earlier.ownDefaults
    merged.storeContext = storeContext ?? earlier.storeContext
    merged.ownStackElementIDs = ownStackElementIDs ?? earlier.ownStackElementIDs
    merged.navigationPath = navigationPath.isEmpty ? earlier.navigationPath : navigationPath
    return merged
  }
}
