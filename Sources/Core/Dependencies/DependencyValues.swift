/// The dependencies that were set, and access to the defaults of all others.
///
/// Stores the values that were set and computes the others from the context. Values that are captured and used
/// elsewhere therefore never freeze a default.
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
  /// Values that were captured earlier.
  ///
  /// Those in `values` take precedence.
  private var captured: [ObjectIdentifier: any Sendable] = [:]

  /// The context of the store whose reducer or effect is running.
  package var storeContext: StoreContext?
  /// The running reducer's path in the tree of presented and pushed features.
  package var navigationPath: [NavigationID] = []
  /// The generator of stack element ids, if it is not the store's.
  package var ownStackElementIDs: StackElementIDs?

  /// The `@Dependency` property that currently reads these values, if one does.
  var reader: (location: IssueLocation, readsKey: Bool)?
  /// The number of the `prepareDependencies` call that these values were passed to.
  private var preparation: Int?
  /// The defaults of these values; `nil` for those of the process.
  private var ownDefaults: DependencyDefaults?

  /// Creates values of which none is set, with new defaults.
  public init() {
    self.init(defaults: DependencyDefaults())
  }

  private init(defaults: DependencyDefaults?) {
    ownDefaults = defaults
  }

  /// Values of which none is set, with the defaults of the process.
  package static let ofProcess = DependencyValues(defaults: nil)

  /// Creates values for a `prepareDependencies` call, in the current context.
  init(preparation: Int) {
    self.preparation = preparation
    let context = ObjectIdentifier(DependencyContext.self)
    captured[context] = Self._current.values[context] ?? Self._current.captured[context]
    ownDefaults = Self._current.ownDefaults
  }

  private var defaults: DependencyDefaults { ownDefaults ?? .ofProcess }

  /// The value of a key: the one that was set, or the default in the current context.
  ///
  /// - Parameters:
  ///   - key: The key of the dependency.
  ///   - fileID: The file that reads the value, for messages.
  ///   - filePath: The path of that file.
  ///   - line: The line that reads the value.
  ///   - column: The column that reads the value.
  ///   - function: The property that reads the value, for messages.
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

  /// The value of a key; `nil` if none was set.
  subscript<Key: TestDependencyKey>(key key: Key.Type) -> Key.Value? {
    let id = ObjectIdentifier(key)
    // Casts in two steps. A direct cast of a missing value to an optional type would succeed with `nil`.
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

  /// These values without the `@Dependency` property that reads them, to store or pass on.
  private var withoutReader: DependencyValues {
    var values = self
    values.reader = nil
    return values
  }

  /// Returns these values, with previously captured values for those that are not set here.
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
