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
