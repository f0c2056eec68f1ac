extension AnyCasePath {
  /// Makes a case path of a case alone, and finds the payload by reflection.
  ///
  /// ```swift
  /// AnyCasePath(Action.rename)
  /// ```
  ///
  /// Enums that conform to `CasePathable` need none of this, and are faster.
  ///
  /// - Parameter embed: The case.
  public init(_ embed: @escaping (Value) -> Root) {
    self.init(_$embed: embed, extract: { root in reflectedPayload(of: root, embed) })
  }
}

/// What an enum holds, if it stands in the case that `embed` makes.
private func reflectedPayload<Root, Value>(of root: Root, _ embed: (Value) -> Root) -> Value? {
  if let wrapped = wrappedValue(of: root) as? Value, DumpEquality.areEqual(embed(wrapped), root) {
    // The case is `some` itself.
    return wrapped
  }
  guard let found = unwrappedCase(of: root), let payload = found.payload else { return nil }
  guard let value = payload as? Value ?? onlyElement(of: payload) as? Value else { return nil }
  // Another case may hold the same type, and may have the same name with other labels.
  guard let made = unwrappedCase(of: embed(value)), made.label == found.label,
    made.payload.map(labels) == labels(of: payload)
  else { return nil }
  return value
}

/// What an optional holds.
private func wrappedValue(of value: Any) -> Any? {
  let mirror = Mirror(reflecting: value)
  return mirror.displayStyle == .optional ? mirror.children.first?.value : nil
}

/// The case that an enum, or the one inside of an optional, stands in.
private func unwrappedCase(of value: Any) -> (label: String, payload: Any?)? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return enumCase(of: value) }
  return mirror.children.first.flatMap { enumCase(of: $0.value) }
}

/// The labels within a payload.
private func labels(of payload: Any) -> [String?] {
  let mirror = Mirror(reflecting: payload)
  return mirror.displayStyle == .tuple ? mirror.children.map(\.label) : [nil]
}

/// The payload of a case with a label is a tuple of one.
private func onlyElement(of payload: Any) -> Any? {
  let mirror = Mirror(reflecting: payload)
  guard mirror.displayStyle == .tuple, mirror.children.count == 1 else { return nil }
  return mirror.children.first?.value
}

extension AnyCasePath where Value == Void {
  /// Makes a case path of a case without payload: `AnyCasePath(Action.tap)`.
  ///
  /// - Parameter root: The case.
  @_disfavoredOverload
  public init(_ root: Root) {
    self.init(case: root)
  }

  /// Makes a case path of a case without payload.
  init(case root: Root) {
    self.init(
      _$embed: { root },
      extract: { other in
        guard let own = unwrappedCase(of: root), let found = unwrappedCase(of: other) else {
          return nil
        }
        return own.label == found.label && found.payload == nil ? () : nil
      }
    )
  }
}
