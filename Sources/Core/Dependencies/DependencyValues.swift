/// The dependencies of the running code: the values that were set, and the defaults of all others.
///
/// The structure stores just the values that were set, and looks up defaults by the context. Code that captures the
/// dependencies and uses them elsewhere therefore never captures a default.
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
  /// The dependencies of the current task.
  @TaskLocal public static var _current = DependencyValues.ofProcess

  private var values: [ObjectIdentifier: any Sendable] = [:]
  /// The values that were captured earlier, which apply to keys that `values` doesn't contain.
  private var captured: [ObjectIdentifier: any Sendable] = [:]

  /// The context of the store whose reducer or effect is running.
  package var storeContext: StoreContext?
  /// The path to the feature whose reducer is running, in the tree of presented and pushed features.
  package var navigationPath: [NavigationID] = []
  /// A generator of stack element ids that replaces the store's generator; `nil` to use the store's.
  package var ownStackElementIDs: StackElementIDs?

  /// The `@Dependency` property that is reading these values; `nil` if the access doesn't come from such a property.
  var reader: (location: IssueLocation, readsKey: Bool)?
  /// The number of the `prepareDependencies` call that received these values; `nil` for other values.
  private var preparation: Int?
  /// The defaults of these values and their copies; `nil` to use the defaults of the process.
  private var ownDefaults: DependencyDefaults?

  /// Creates dependencies without set values that don't share defaults with other dependencies.
  public init() {
    self.init(defaults: DependencyDefaults())
  }

  private init(defaults: DependencyDefaults?) {
    ownDefaults = defaults
  }

  /// Dependencies without set values that use the defaults of the process.
  package static let ofProcess = DependencyValues(defaults: nil)

  /// Creates the dependencies that a `prepareDependencies` call changes, in the current context.
  init(preparation: Int) {
    self.preparation = preparation
    let context = ObjectIdentifier(DependencyContext.self)
    captured[context] = Self._current.values[context] ?? Self._current.captured[context]
    ownDefaults = Self._current.ownDefaults
  }

  private var defaults: DependencyDefaults { ownDefaults ?? .ofProcess }

  /// The value of a key: the value that was set, or the default in the current context.
  ///
  /// - Parameters:
  ///   - key: The key of the dependency.
  ///   - fileID: The module and name of the file that contains the call, for messages.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  ///   - function: The name of the property that contains the call, for messages.
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

  private func access(at location: IssueLocation, to property: StaticString) -> DependencyReadSite {
    guard let reader else { return DependencyReadSite(location: location, property: property) }
    return DependencyReadSite(
      location: reader.location,
      property: reader.readsKey ? nil : property
    )
  }

  /// The value of a key; `nil` if no value was set.
  subscript<Key: TestDependencyKey>(key key: Key.Type) -> Key.Value? {
    let id = ObjectIdentifier(key)
    // Casts in two steps, because a direct cast of a missing value to an optional type would succeed with `nil`.
    return (values[id] ?? captured[id]).flatMap { $0 as? Key.Value }
  }

  /// The context that selects the defaults of dependencies.
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

  /// A copy of these values without `reader`, which other code can store or pass on.
  private var withoutReader: DependencyValues {
    var values = self
    values.reader = nil
    return values
  }

  /// Returns these values, with earlier captured values for the keys that aren't set here.
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
