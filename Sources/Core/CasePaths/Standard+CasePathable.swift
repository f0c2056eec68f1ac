extension Optional: CasePathable {
  /// The case paths of an optional and of the enum that it wraps.
  @dynamicMemberLookup
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    /// The case key path of an optional's case.
    public subscript(root: Optional) -> PartialCaseKeyPath<Optional> {
      root == nil ? \.none : \.some
    }

    /// The case path of `nil`.
    public var none: AnyCasePath<Optional, Void> {
      AnyCasePath(embed: { .none }, extract: { $0 == nil ? () : nil })
    }

    /// The case path of the wrapped value.
    public var some: AnyCasePath<Optional, Wrapped> {
      AnyCasePath(embed: { .some($0) }, extract: { $0 })
    }

    /// The case path of a case of the wrapped enum.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Case<Wrapped>, Case<Member>>
    ) -> AnyCasePath<Optional, Member> where Wrapped: CasePathable {
      let path = AnyCasePath(keyPath)
      return AnyCasePath<Optional, Member>(
        embed: { .some(path.embed($0)) },
        extract: { $0.flatMap(path.extract(from:)) }
      )
    }

    /// The case path of a case of the wrapped enum, with an optional payload; `nil` maps to `nil`.
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

    /// The case path of a case of the wrapped enum whose payload is itself optional; `nil` maps to `nil`.
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

    /// Returns an iterator over the case key paths.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Optional>> {
      [\.none, \.some].makeIterator()
    }
  }

  /// The case paths of an optional.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Optional: CasePathIterable {}

extension Case {
  /// Appends the value that an optional payload wraps, if the result is not optional.
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
  /// Returns whether the optional wraps a value with a case.
  public func `is`(_ keyPath: PartialCaseKeyPath<Wrapped>) -> Bool {
    self?.is(keyPath) ?? false
  }

  /// Changes the payload of a case of the wrapped value in place; reports an issue for `nil` or another case.
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
    /// The case key path of a result's case.
    public subscript(root: Result) -> PartialCaseKeyPath<Result> {
      switch root {
      case .success: \.success
      case .failure: \.failure
      }
    }

    /// The case path of a success.
    public var success: AnyCasePath<Result, Success> {
      AnyCasePath(
        embed: { .success($0) },
        extract: { if case .success(let value) = $0 { value } else { nil } }
      )
    }

    /// The case path of a failure.
    public var failure: AnyCasePath<Result, Failure> {
      AnyCasePath(
        embed: { .failure($0) },
        extract: { if case .failure(let error) = $0 { error } else { nil } }
      )
    }

    /// Returns an iterator over the case key paths.
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
    /// Returns an empty iterator.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Never>> {
      EmptyCollection<PartialCaseKeyPath<Never>>.Iterator()
    }
  }

  /// The case paths of an enum without cases.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
