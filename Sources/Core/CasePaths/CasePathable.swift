/// An enum that has a case path for each of its cases.
///
/// `@CasePathable` writes the conformance. By hand it is one property for each case:
///
/// ```swift
/// enum Action: CasePathable {
///   case tap
///   case rename(String)
///
///   struct AllCasePaths {
///     var tap: AnyCasePath<Action, Void> {
///       AnyCasePath(embed: { .tap }, extract: { if case .tap = $0 { () } else { nil } })
///     }
///     var rename: AnyCasePath<Action, String> {
///       AnyCasePath(
///         embed: Action.rename,
///         extract: { if case .rename(let name) = $0 { name } else { nil } }
///       )
///     }
///   }
///   static var allCasePaths: AllCasePaths { AllCasePaths() }
/// }
/// ```
public protocol CasePathable: SendableMetatype {
  /// A type with one property of type `AnyCasePath` for each case.
  associatedtype AllCasePaths

  /// The case paths of this enum.
  static var allCasePaths: AllCasePaths { get }
}

/// An enum whose case paths can be gone through in order.
///
/// ```swift
/// for path in Tab.allCasePaths { print(tab.is(path)) }  // one line for each case, in the order of the enum
/// ```
public protocol CasePathIterable: CasePathable
where AllCasePaths: Sequence, AllCasePaths.Element == PartialCaseKeyPath<Self> {}

/// Case paths that find the case of a value.
///
/// ```swift
/// Tab.allCasePaths[Tab.search] == \.search  // true
/// ```
public protocol CasePathReflectable<Root> {
  /// The enum whose cases these are.
  associatedtype Root: CasePathable

  /// The case path of a value.
  subscript(root: Root) -> PartialCaseKeyPath<Root> { get }
}

/// Case paths that are known by a list of them, as macros generate it.
public protocol _$ListedCasePaths<Root>: CasePathReflectable, Sendable, Sequence
where Element == PartialCaseKeyPath<Root>, Iterator == IndexingIterator<[PartialCaseKeyPath<Root>]>
{
  /// A case path for each case, in the order of the enum.
  var _$all: [PartialCaseKeyPath<Root>] { get }
}

extension _$ListedCasePaths {
  /// Goes through the cases.
  public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<Root>]> {
    _$all.makeIterator()
  }

  /// The case path of a value.
  public subscript(root: Root) -> PartialCaseKeyPath<Root> {
    guard let path = _$all.first(where: { root.is($0) }) else {
      preconditionFailure("A value stands in none of its cases.")
    }
    return path
  }
}

extension CasePathable {
  /// The payload of a case, nil when the value has another one.
  ///
  /// Setting replaces the payload; it does nothing when the value has another case.
  public subscript<Payload>(case keyPath: CaseKeyPath<Self, Payload>) -> Payload? {
    get { AnyCasePath(keyPath).extract(from: self) }
    set {
      let path = AnyCasePath(keyPath)
      guard let newValue, path.extract(from: self) != nil else { return }
      self = path.embed(newValue)
    }
  }

  /// The payload of a case whose type is not stated, nil when the value has another one.
  ///
  /// ```swift
  /// let paths: [PartialCaseKeyPath<Action>] = [\.rename, \.tap]
  /// let payloads = paths.compactMap { action[case: $0] }
  /// ```
  @_disfavoredOverload
  public subscript(case keyPath: PartialCaseKeyPath<Self>) -> Any? {
    (Case<Self>()[keyPath: keyPath] as? any PartialCase)?.extract(from: self)
  }

  /// The payload of a case as a property, for enums marked `@dynamicMemberLookup`.
  public subscript<Payload>(
    dynamicMember keyPath: KeyPath<AllCasePaths, AnyCasePath<Self, Payload>>
  ) -> Payload? {
    Self.allCasePaths[keyPath: keyPath].extract(from: self)
  }

  /// Whether the value has a case.
  ///
  /// ```swift
  /// if state.is(\.loading) { ... }
  /// ```
  public func `is`(_ keyPath: PartialCaseKeyPath<Self>) -> Bool {
    (Case<Self>()[keyPath: keyPath] as? any PartialCase)?.extract(from: self) != nil
  }

  /// Changes the payload of a case in place, and reports an issue when the value has another.
  ///
  /// - Parameters:
  ///   - keyPath: The case.
  ///   - body: Changes the payload.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public mutating func modify<Payload>(
    _ keyPath: CaseKeyPath<Self, Payload>,
    _ body: (inout Payload) throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) rethrows {
    let path = AnyCasePath(keyPath)
    guard var payload = path.extract(from: self) else {
      reportIssue(
        Messages.modifiedUnrelatedCase(of: self),
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
      )
      return
    }
    try body(&payload)
    self = path.embed(payload)
  }
}

extension CasePathable where AllCasePaths: CasePathReflectable<Self> {
  /// The case path of the value.
  ///
  /// ```swift
  /// if action.case == \.tap { ... }
  /// ```
  public var `case`: PartialCaseKeyPath<Self> { Self.allCasePaths[self] }
}

/// Converts a value that cannot exist to any type, so that a case with the payload `Never` has a case path as well.
public func _$absurd<Value>(_ never: Never) -> Value {}
