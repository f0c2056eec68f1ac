import ActionLog

extension ReadableReference {
  /// Returns the components of the path from the root to a member, or `nil` if a component has no name.
  func parts(at keyPath: AnyKeyPath) -> [SharedPathComponent]? {
    func open<Members: LogMembers>(_: Members.Type) -> [String]? {
      (keyPath as? PartialKeyPath<Members>).flatMap { Members.names(of: $0) }
    }
    guard let type = Value.self as? any LogMembers.Type, let names = open(type) else { return nil }
    return parts.map { $0 + names.map(SharedPathComponent.member) }
  }

  /// Returns a reference to a part of the value, or `nil` if the part can't be referenced.
  ///
  /// The reference to an element exists even if the collection has no such element.
  func part(_ part: SharedPathComponent) -> (any ReadableReference)? {
    switch part {
    case .member(let name): member(name)
    case .id(let id): (Value.self as? any IdentifiedElementReferencing.Type)?.row(of: self, id: id)
    case .index(let index):
      (Value.self as? any IndexedElementReferencing.Type)?.element(of: self, at: index)
    case .wrapped: (Value.self as? any WrappedValueReferencing.Type)?.unwrapped(self)
    }
  }

  private func member(_ name: String) -> (any ReadableReference)? {
    func open<Members: LogMembers>(_: Members.Type) -> AnyKeyPath? {
      Members.keyPath(named: [name])
    }
    guard let type = Value.self as? any LogMembers.Type else { return nil }
    return (open(type) as? any MemberReferencing)?.reference(in: self)
  }
}

/// A key path that can create a reference to a member.
private protocol MemberReferencing {
  func reference(in base: any ReadableReference) -> (any ReadableReference)?
}

extension KeyPath: MemberReferencing {
  fileprivate func reference(in base: any ReadableReference) -> (any ReadableReference)? {
    if let base = base as? any WritableReference<Root>,
      let path = self as? WritableKeyPath<Root, Value>
    {
      return WritableMemberReference(base, path)
    }
    return (base as? any ReadableReference<Root>).map { ReadableMemberReference($0, self) }
  }
}

/// A collection that can create references to its elements by id.
private protocol IdentifiedElementReferencing {
  static func row(of reference: any ReadableReference, id: JSON) -> (any ReadableReference)?
}

/// A collection that can create references to its elements by index.
private protocol IndexedElementReferencing {
  static func element(
    of reference: any ReadableReference,
    at index: Int
  ) -> (any ReadableReference)?
}

/// An optional that can create a reference to its wrapped value.
private protocol WrappedValueReferencing {
  static func unwrapped(_ reference: any ReadableReference) -> (any ReadableReference)?
}

extension IdentifiedArray: IdentifiedElementReferencing {
  static func row(of reference: any ReadableReference, id: JSON) -> (any ReadableReference)? {
    guard let id = try? LogDecoder(id).value(ID.self) else { return nil }
    if let base = reference as? any WritableReference<Self> {
      return WritableElementByIDReference(base, id)
    }
    return (reference as? any ReadableReference<Self>).map { ReadableElementByIDReference($0, id) }
  }
}

extension Array: IndexedElementReferencing {
  static func element(
    of reference: any ReadableReference,
    at index: Int
  ) -> (any ReadableReference)? {
    if let base = reference as? any WritableReference<Self> {
      return WritableElementAtIndexReference(base, index)
    }
    return (reference as? any ReadableReference<Self>).map {
      ReadableElementAtIndexReference($0, index)
    }
  }
}

extension Optional: WrappedValueReferencing {
  static func unwrapped(_ reference: any ReadableReference) -> (any ReadableReference)? {
    if let base = reference as? any WritableReference<Wrapped?> {
      return WritableUnwrappedReference(base)
    }
    return (reference as? any ReadableReference<Wrapped?>).flatMap {
      ReadableUnwrappedReference($0)
    }
  }
}
