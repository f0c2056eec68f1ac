import ActionLog

extension ReadableReference {
  /// Returns the components of the path from the root to a member, or `nil` if a component has no name.
  func parts(at keyPath: AnyKeyPath) -> [SharedPart]? {
    func open<Members: LogMembers>(_: Members.Type) -> [String]? {
      (keyPath as? PartialKeyPath<Members>).flatMap { Members.names(of: $0) }
    }
    guard let type = Value.self as? any LogMembers.Type, let names = open(type) else { return nil }
    return parts.map { $0 + names.map(SharedPart.member) }
  }

  /// Returns a reference to a part of the value, or `nil` if the value has no such part.
  func part(_ part: SharedPart) -> (any ReadableReference)? {
    switch part {
    case .member(let name): member(name)
    case .id(let id): (Value.self as? any SharedRows.Type)?.row(of: self, id: id)
    case .index(let index): (Value.self as? any SharedElements.Type)?.element(of: self, at: index)
    case .wrapped: (Value.self as? any SharedOptional.Type)?.unwrapped(self)
    }
  }

  private func member(_ name: String) -> (any ReadableReference)? {
    func open<Members: LogMembers>(_: Members.Type) -> AnyKeyPath? {
      Members.keyPath(named: [name])
    }
    guard let type = Value.self as? any LogMembers.Type else { return nil }
    return (open(type) as? any SharedMember)?.reference(in: self)
  }
}

/// A key path that can create a reference to a member.
private protocol SharedMember {
  func reference(in base: any ReadableReference) -> (any ReadableReference)?
}

extension KeyPath: SharedMember {
  fileprivate func reference(in base: any ReadableReference) -> (any ReadableReference)? {
    if let base = base as? any WritableReference<Root>,
      let path = self as? WritableKeyPath<Root, Value>
    {
      return WritablePart(base, path)
    }
    return (base as? any ReadableReference<Root>).map { ReadablePart($0, self) }
  }
}

/// A collection that can create references to its elements by id.
private protocol SharedRows {
  static func row(of reference: any ReadableReference, id: JSON) -> (any ReadableReference)?
}

/// A collection that can create references to its elements by index.
private protocol SharedElements {
  static func element(
    of reference: any ReadableReference,
    at index: Int
  ) -> (any ReadableReference)?
}

/// An optional that can create a reference to its wrapped value.
private protocol SharedOptional {
  static func unwrapped(_ reference: any ReadableReference) -> (any ReadableReference)?
}

extension IdentifiedArray: SharedRows {
  static func row(of reference: any ReadableReference, id: JSON) -> (any ReadableReference)? {
    guard let id = try? LogDecoder(id).value(ID.self) else { return nil }
    if let base = reference as? any WritableReference<Self> { return WritableRow(base, id) }
    return (reference as? any ReadableReference<Self>).map { ReadableRow($0, id) }
  }
}

extension Array: SharedElements {
  static func element(
    of reference: any ReadableReference,
    at index: Int
  ) -> (any ReadableReference)? {
    if let base = reference as? any WritableReference<Self> { return WritablePlace(base, index) }
    return (reference as? any ReadableReference<Self>).map { ReadablePlace($0, index) }
  }
}

extension Optional: SharedOptional {
  static func unwrapped(_ reference: any ReadableReference) -> (any ReadableReference)? {
    if let base = reference as? any WritableReference<Wrapped?> { return WritableUnwrapped(base) }
    return (reference as? any ReadableReference<Wrapped?>).flatMap { ReadableUnwrapped($0) }
  }
}
