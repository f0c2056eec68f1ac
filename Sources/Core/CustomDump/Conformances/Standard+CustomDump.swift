extension AnyHashable: CustomDumpRepresentable {
  /// The value inside.
  public var customDumpValue: Any { base }
}

extension Duration: CustomDumpStringConvertible {
  /// The seconds.
  public var customDumpDescription: String { "Duration(\(self))" }
}

extension Range: CustomDumpStringConvertible {
  /// The bounds.
  public var customDumpDescription: String {
    "\(DumpText.key(lowerBound))..<\(DumpText.key(upperBound))"
  }
}

extension ClosedRange: CustomDumpStringConvertible {
  /// The bounds.
  public var customDumpDescription: String {
    "\(DumpText.key(lowerBound))...\(DumpText.key(upperBound))"
  }
}

extension LockIsolated: CustomDumpRepresentable {
  /// The value behind the lock.
  public var customDumpValue: Any {
    withValue { $0 as Any }
  }
}

extension KeyValuePairs: CustomDumpReflectable {
  /// The pairs, in their order.
  public var customDumpMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .dictionary)
  }
}
