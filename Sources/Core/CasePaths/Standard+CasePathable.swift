extension Optional: CasePathable {
  /// The case paths of an optional, and those of what it wraps.
  @dynamicMemberLookup
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    /// The case path of an optional.
    public subscript(root: Optional) -> PartialCaseKeyPath<Optional> {
      root == nil ? \.none : \.some
    }

    /// The absence of a value.
    public var none: AnyCasePath<Optional, Void> {
      AnyCasePath(embed: { .none }, extract: { $0 == nil ? () : nil })
    }

    /// The presence of a value.
    public var some: AnyCasePath<Optional, Wrapped> {
      AnyCasePath(embed: { .some($0) }, extract: { $0 })
    }

    /// A case of the wrapped enum.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Case<Wrapped>, Case<Member>>
    ) -> AnyCasePath<Optional, Member> where Wrapped: CasePathable {
      let path = AnyCasePath(keyPath)
      return AnyCasePath<Optional, Member>(
        embed: { .some(path.embed($0)) },
        extract: { $0.flatMap(path.extract(from:)) }
      )
    }

    /// A case of the wrapped enum, where an optional is asked for; nil goes through as nil.
    @_disfavoredOverload
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Case<Wrapped>, Case<Member>>
    ) -> AnyCasePath<Optional, Member?> where Wrapped: CasePathable {
      let path = AnyCasePath(keyPath)
      return AnyCasePath<Optional, Member?>(
        embed: { $0.map { path.embed($0) } },
        extract: { optional in
          guard let wrapped = optional else { return .some(nil) }
          return path.extract(from: wrapped).map { .some($0) }
        }
      )
    }

    /// A case of the wrapped enum whose payload is optional itself; nil goes through as nil.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Case<Wrapped>, Case<Member?>>
    ) -> AnyCasePath<Optional, Member?> where Wrapped: CasePathable {
      let path = AnyCasePath(keyPath)
      return AnyCasePath<Optional, Member?>(
        embed: { $0.map { path.embed($0) } },
        extract: { optional in
          guard let wrapped = optional else { return .some(nil) }
          return path.extract(from: wrapped)
        }
      )
    }

    /// Goes through the cases.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Optional>> {
      [\.none, \.some].makeIterator()
    }
  }

  /// The case paths of an optional.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Optional: CasePathIterable {}

extension Case {
  /// Goes on to what an optional payload wraps, where no optional is asked for.
  ///
  /// ```swift
  /// enum Action { case show(User?) }
  /// let path: CaseKeyPath<Action, User> = \.show
  /// path(user)   // .show(user)
  /// ```
  @_disfavoredOverload
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Member?>>
  ) -> Case<Member> where Value: CasePathable {
    appending(Value.allCasePaths[keyPath: keyPath]).appending(Optional<Member>.allCasePaths.some)
  }
}

extension Optional where Wrapped: CasePathable {
  /// Whether there is a value with a case.
  public func `is`(_ keyPath: PartialCaseKeyPath<Wrapped>) -> Bool {
    self?.is(keyPath) ?? false
  }

  /// Changes the payload of a case of the wrapped value, and reports an issue when that is not there.
  ///
  /// - Parameters:
  ///   - keyPath: The case of the wrapped enum.
  ///   - body: Changes the payload.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public mutating func modify<Payload>(
    _ keyPath: CaseKeyPath<Wrapped, Payload>,
    _ body: (inout Payload) throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) rethrows {
    guard var wrapped = self else {
      reportIssue(
        Messages.modifiedUnrelatedCase(of: self),
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
      )
      return
    }
    try wrapped.modify(
      keyPath,
      body,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    self = wrapped
  }
}

extension Result: CasePathable, CasePathIterable {
  /// The case paths of a result.
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    /// The case path of a result.
    public subscript(root: Result) -> PartialCaseKeyPath<Result> {
      switch root {
      case .success: \.success
      case .failure: \.failure
      }
    }

    /// The value of a success.
    public var success: AnyCasePath<Result, Success> {
      AnyCasePath(
        embed: { .success($0) },
        extract: { if case .success(let value) = $0 { value } else { nil } }
      )
    }

    /// The error of a failure.
    public var failure: AnyCasePath<Result, Failure> {
      AnyCasePath(
        embed: { .failure($0) },
        extract: { if case .failure(let error) = $0 { error } else { nil } }
      )
    }

    /// Goes through the cases.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Result>> {
      [\.success, \.failure].makeIterator()
    }
  }

  /// The case paths of a result.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Never: CasePathable, CasePathIterable {
  /// The case paths of an enum without cases.
  public struct AllCasePaths: Sendable, Sequence {
    /// Goes through no cases.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Never>> {
      EmptyCollection<PartialCaseKeyPath<Never>>.Iterator()
    }
  }

  /// The case paths of an enum without cases.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
