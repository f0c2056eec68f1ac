extension IdentifiedArray: CustomDumpReflectable {
  /// The elements.
  public var customDumpMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}

extension OrderedSet: CustomDumpReflectable {
  /// The elements.
  public var customDumpMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}

extension StackState: CustomDumpReflectable {
  /// The elements with their ids.
  public var customDumpMirror: Mirror {
    let pairs = zip(ids, elements).map { (key: $0, value: $1) }
    return Mirror(self, unlabeledChildren: pairs, displayStyle: .dictionary)
  }
}

extension StackElementID: CustomDumpStringConvertible {
  /// The number behind a `#`.
  public var customDumpDescription: String { description }
}

extension PresentationState: CustomDumpRepresentable {
  /// The presented state.
  public var customDumpValue: Any { wrappedValue as Any }
}

extension PresentationState: DumpPropertyWrapper {}

extension BindingAction: CustomDumpReflectable {
  /// The property and the value, as they are written in code.
  public var customDumpMirror: Mirror {
    Mirror(self, children: ["set": (keyPath, value)], displayStyle: .enum)
  }
}
