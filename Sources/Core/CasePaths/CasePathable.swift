/// An enum with a case path for each of its cases.
///
/// `@CasePathable` generates the conformance. A manual conformance needs one property for each case:
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

  /// The case paths of the enum's cases.
  static var allCasePaths: AllCasePaths { get }
}

/// The name of one of an enum's cases, as the key path to the case's property in `AllCasePaths`: `\.rename`.
public typealias CaseName<Root: CasePathable, Value> = KeyPath<
  Root.AllCasePaths, AnyCasePath<Root, Value>
>

/// An enum whose case paths form a sequence.
///
/// ```swift
/// for path in Tab.allCasePaths { print(tab.is(path)) }  // one line for each case, in the order of the enum
/// ```
public protocol CasePathIterable: CasePathable
where AllCasePaths: Sequence, AllCasePaths.Element == PartialCaseKeyPath<Self> {}

/// A collection of case paths that can look up the case of a value.
///
/// ```swift
/// Tab.allCasePaths[Tab.search] == \.search  // true
/// ```
public protocol CasePathReflectable<Root> {
  /// The enum that the case paths belong to.
  associatedtype Root: CasePathable

  /// The case key path of the case that a value has.
  subscript(root: Root) -> PartialCaseKeyPath<Root> { get }
}

/// A collection of case paths that macros generate, with a list of its case key paths.
public protocol _$ListedCasePaths<Root>: CasePathReflectable, Sendable, Sequence
where Element == PartialCaseKeyPath<Root>, Iterator == IndexingIterator<[PartialCaseKeyPath<Root>]>
{
  /// The case key paths, in the order of the enum's cases.
  var _$all: [PartialCaseKeyPath<Root>] { get }
}

/// The case paths of an action with the case `binding`, which macros generate.
public protocol _$BindingCasePaths<Root>: _$ListedCasePaths {
  /// The state whose properties the binding actions set.
  associatedtype _$BindingRoot

  /// The case path of the case `binding`.
  var binding: AnyCasePath<Root, BindingAction<_$BindingRoot>> { get }
}

extension _$ListedCasePaths {
  /// Returns an iterator over the case key paths, in the order of the enum's cases.
  public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<Root>]> {
    _$all.makeIterator()
  }

  /// The case key path of the case that a value has.
  public subscript(root: Root) -> PartialCaseKeyPath<Root> {
    guard let path = _$all.first(where: { root.is($0) }) else {
      preconditionFailure("The value of \(Root.self) matches none of its case paths.")
    }
    return path
  }
}

extension CasePathable {
  /// The payload of the case at a key path; `nil` if the value has another case.
  ///
  /// Setting replaces the payload. If the value has another case or the new payload is `nil`, setting has no effect.
  public subscript<Payload>(case keyPath: CaseKeyPath<Self, Payload>) -> Payload? {
    get { AnyCasePath(keyPath).extract(from: self) }
    set {
      let path = AnyCasePath(keyPath)
      guard let newValue, path.extract(from: self) != nil else { return }
      self = path.embed(newValue)
    }
  }

  /// The payload of the case at a key path, as `Any`; `nil` if the value has another case.
  ///
  /// ```swift
  /// let paths: [PartialCaseKeyPath<Action>] = [\.rename, \.tap]
  /// let payloads = paths.compactMap { action[case: $0] }
  /// ```
  @_disfavoredOverload
  public subscript(case keyPath: PartialCaseKeyPath<Self>) -> Any? {
    (Case<Self>()[keyPath: keyPath] as? any PartialCase)?.extract(from: self)
  }

  /// The payload of a case as a property, for enums with `@dynamicMemberLookup`.
  ///
  /// The payload is `nil` if the value has another case.
  public subscript<Payload>(
    dynamicMember keyPath: KeyPath<AllCasePaths, AnyCasePath<Self, Payload>>
  ) -> Payload? {
    Self.allCasePaths[keyPath: keyPath].extract(from: self)
  }

  /// Returns whether the value has the case at a key path.
  ///
  /// ```swift
  /// if state.is(\.loading) { ... }
  /// ```
  public func `is`(_ keyPath: PartialCaseKeyPath<Self>) -> Bool {
    (Case<Self>()[keyPath: keyPath] as? any PartialCase)?.extract(from: self) != nil
  }

  /// Changes the payload of a case in place, or reports an issue if the value has another case.
  ///
  /// - Parameters:
  ///   - keyPath: The case key path of the payload.
  ///   - body: A closure that changes the payload.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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
  /// The case key path of the case that the value has.
  ///
  /// ```swift
  /// if action.case == \.tap { ... }
  /// ```
  public var `case`: PartialCaseKeyPath<Self> { Self.allCasePaths[self] }
}

/// Converts a value of type `Never` to any type, so that a case with the payload `Never` also has a case path.
public func _$absurd<Value>(_ never: Never) -> Value {}
