extension Optional: CasePathable {
  /// The case paths of an optional and of the enum that the optional wraps.
  @dynamicMemberLookup
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    /// The case key path of an optional: `\.none` or `\.some`.
    public subscript(root: Optional) -> PartialCaseKeyPath<Optional> {
      root == nil ? \.none : \.some
    }

    /// The case path of `none`.
    public var none: AnyCasePath<Optional, Void> {
      AnyCasePath(embed: { .none }, extract: { $0 == nil ? () : nil })
    }

    /// The case path of `some`, whose payload is the wrapped value.
    public var some: AnyCasePath<Optional, Wrapped> {
      AnyCasePath(embed: { .some($0) }, extract: { $0 })
    }

    /// The case path from an optional to the payload of a case of the wrapped enum.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Case<Wrapped>, Case<Member>>
    ) -> AnyCasePath<Optional, Member> where Wrapped: CasePathable {
      let path = AnyCasePath(keyPath)
      return AnyCasePath<Optional, Member>(
        embed: { .some(path.embed($0)) },
        extract: { $0.flatMap(path.extract(from:)) }
      )
    }

    /// The case path from an optional to the payload of a case of the wrapped enum, as an optional.
    ///
    /// `nil` as the optional corresponds to `nil` as the payload.
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

    /// The case path from an optional to the payload of a case of the wrapped enum, if that payload is itself optional.
    ///
    /// `nil` as the optional corresponds to `nil` as the payload.
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

    /// Returns an iterator over `\.none` and `\.some`.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Optional>> {
      [\.none, \.some].makeIterator()
    }
  }

  /// The case paths of `none`, `some`, and the cases of a wrapped enum.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Optional: CasePathIterable {}

extension Case {
  /// The case path to the value that an optional payload wraps.
  ///
  /// The compiler chooses this subscript if the context expects a payload that isn't optional.
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
  /// Returns whether the optional wraps a value that has the case at a key path.
  public func `is`(_ keyPath: PartialCaseKeyPath<Wrapped>) -> Bool {
    self?.is(keyPath) ?? false
  }

  /// Changes the payload of a case of the wrapped value in place.
  ///
  /// Reports an issue if the optional is `nil` or the wrapped value has another case.
  ///
  /// - Parameters:
  ///   - keyPath: The case key path of the payload, in the wrapped enum.
  ///   - body: A closure that changes the payload.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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
  /// The case paths of `success` and `failure`.
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    /// The case key path of a result: `\.success` or `\.failure`.
    public subscript(root: Result) -> PartialCaseKeyPath<Result> {
      switch root {
      case .success: \.success
      case .failure: \.failure
      }
    }

    /// The case path of `success`, whose payload is the value.
    public var success: AnyCasePath<Result, Success> {
      AnyCasePath(
        embed: { .success($0) },
        extract: { if case .success(let value) = $0 { value } else { nil } }
      )
    }

    /// The case path of `failure`, whose payload is the error.
    public var failure: AnyCasePath<Result, Failure> {
      AnyCasePath(
        embed: { .failure($0) },
        extract: { if case .failure(let error) = $0 { error } else { nil } }
      )
    }

    /// Returns an iterator over `\.success` and `\.failure`.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Result>> {
      [\.success, \.failure].makeIterator()
    }
  }

  /// The case paths of `success` and `failure`.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Never: CasePathable, CasePathIterable {
  /// The case paths of `Never`: an empty sequence, because the enum has no cases.
  public struct AllCasePaths: Sendable, Sequence {
    /// Returns an empty iterator.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Never>> {
      EmptyCollection<PartialCaseKeyPath<Never>>.Iterator()
    }
  }

  /// The case paths of `Never`: an empty sequence, because the enum has no cases.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
