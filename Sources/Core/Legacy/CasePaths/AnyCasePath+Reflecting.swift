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
  guard let (name, payload) = unwrappedCase(of: root), let payload else { return nil }
  guard let value = payload as? Value ?? onlyElement(of: payload) as? Value else { return nil }
  // Another case may hold the same type.
  return unwrappedCase(of: embed(value))?.label == name ? value : nil
}

/// The case that an enum, or the one inside of an optional, stands in.
private func unwrappedCase(of value: Any) -> (label: String, payload: Any?)? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return enumCase(of: value) }
  return mirror.children.first.flatMap { enumCase(of: $0.value) }
}

/// The payload of a case with a label is a tuple of one.
private func onlyElement(of payload: Any) -> Any? {
  let mirror = Mirror(reflecting: payload)
  guard mirror.displayStyle == .tuple, mirror.children.count == 1 else { return nil }
  return mirror.children.first?.value
}

extension AnyCasePath where Value == Void {
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
