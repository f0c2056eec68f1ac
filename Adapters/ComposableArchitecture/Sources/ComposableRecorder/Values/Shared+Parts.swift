internal import ActionLog
@_spi(References) internal import ComposableArchitecture

// MARK: - Which part it is

extension Shared {
  /// The steps to this part from the value that is shared: none for the whole, `nil` when a step has no name.
  var parts: [SharedPart]? {
    func open(_ reference: some MutableReference<Value>) -> [SharedPart]? {
      reference.parts(value: reference.wrappedValue)
    }
    return open(reference)
  }
}

extension MutableReference {
  /// The steps to the part that this reference leads to.
  ///
  /// The library's references are known by reflection alone: a part has its base, and the key path from there unless it is the
  /// value of an optional.
  ///
  /// - Parameter value: The value of the part, or of the optional that it is.
  /// - Returns: The steps; `nil` when one has no name.
  fileprivate func parts(value: Any) -> [SharedPart]? {
    let children = Mirror(reflecting: self).children
    func steps(_ base: some MutableReference) -> [SharedPart]? {
      if let keyPath = children.lazy.compactMap({ $0.value as? AnyKeyPath }).first {
        guard let steps = base.steps(at: keyPath, value: value) else { return nil }
        return base.parts(value: base.wrappedValue).map { $0 + steps }
      }
      // A reference may hold another one that leads to the same value.
      guard base is any MutableReference<Value?> else { return base.parts(value: value) }
      return base.parts(value: value).map { $0 + [.wrapped] }
    }
    guard
      let base = children.first(where: { $0.label == "base" })?.value as? any MutableReference
    else { return [] }
    return steps(base)
  }

  /// The steps along a key path.
  private func steps(at keyPath: AnyKeyPath, value: Any) -> [SharedPart]? {
    switch Value.self {
    case let type as any LogMembers.Type:
      func names<Members: LogMembers>(_: Members.Type) -> [SharedPart]? {
        (keyPath as? PartialKeyPath<Members>).flatMap { LogMember<Members>.names(of: $0) }?
          .map(SharedPart.member)
      }
      return names(type)
    case let type as any SharedRows.Type:
      return type.id(of: value, at: keyPath).map { [.id($0)] }
    case is any SharedElements.Type:
      return (wrappedValue as? any SharedElements)?.index(at: keyPath).map { [.index($0)] }
    default: return nil
    }
  }
}

// MARK: - The part itself

/// A shared value, whatever its type is.
protocol SharedValue: Sendable {
  /// The shared part of the value; `nil` when there is none.
  func part(_ part: SharedPart) -> (any SharedValue)?
}

extension Shared: SharedValue {
  func part(_ part: SharedPart) -> (any SharedValue)? {
    switch part {
    case .member(let name):
      func keyPath<Members: LogMembers>(_: Members.Type) -> AnyKeyPath? {
        LogMember<Members>.keyPath(named: [name])
      }
      guard let type = Value.self as? any LogMembers.Type else { return nil }
      return (keyPath(type) as? any SharedMember)?.part(of: self)
    case .id(let id): return (Value.self as? any SharedRows.Type)?.row(of: self, id: id)
    case .index(let index):
      return (Value.self as? any SharedElements.Type)?.element(of: self, at: index)
    case .wrapped: return (Value.self as? any SharedOptional.Type)?.unwrapped(self)
    }
  }
}

/// Key paths to members that can be shared.
private protocol SharedMember {
  func part(of shared: any SharedValue) -> (any SharedValue)?
}

extension WritableKeyPath: SharedMember {
  fileprivate func part(of shared: any SharedValue) -> (any SharedValue)? {
    (shared as? Shared<Root>)?[dynamicMember: self]
  }
}

/// Values whose rows can be shared by their ids.
private protocol SharedRows {
  /// The id by which a key path leads to a row, or to one that has been there.
  static func id(of row: Any, at keyPath: AnyKeyPath) -> JSON?
  static func row(of shared: any SharedValue, id: JSON) -> (any SharedValue)?
}

extension IdentifiedArray: SharedRows {
  fileprivate static func id(of row: Any, at keyPath: AnyKeyPath) -> JSON? {
    func id<Row: Identifiable>(_ row: Row) -> ID? { row.id as? ID }
    guard let row = row as? any Identifiable, let id = id(row),
      keyPath == \Self.[id: id] || keyPath == rowKeyPath(Self.self, id)
    else { return nil }
    return JSON(logging: id)
  }

  fileprivate static func row(of shared: any SharedValue, id: JSON) -> (any SharedValue)? {
    guard let shared = shared as? Shared<Self>, let id = try? LogDecoder(id).value(ID.self) else {
      return nil
    }
    return shared[dynamicMember: \Self.[id: id]]
  }
}

/// The key path with which the library makes the shared rows of a collection.
private func rowKeyPath<Rows: _MutableIdentifiedCollection>(
  _: Rows.Type,
  _ id: Rows.ID
) -> AnyKeyPath {
  \Rows.[id: id]
}

/// Values whose elements can be shared by their places.
private protocol SharedElements {
  func index(at keyPath: AnyKeyPath) -> Int?
  static func element(of shared: any SharedValue, at index: Int) -> (any SharedValue)?
}

extension Array: SharedElements {
  fileprivate func index(at keyPath: AnyKeyPath) -> Int? {
    indices.first { keyPath == \Self.[$0] }
  }

  fileprivate static func element(
    of shared: any SharedValue,
    at index: Int
  ) -> (any SharedValue)? {
    guard let shared = shared as? Shared<Self>, shared.wrappedValue.indices.contains(index) else {
      return nil
    }
    return shared[dynamicMember: \Self.[index]]
  }
}

/// Values that may be absent.
private protocol SharedOptional {
  static func unwrapped(_ shared: any SharedValue) -> (any SharedValue)?
}

extension Optional: SharedOptional {
  fileprivate static func unwrapped(_ shared: any SharedValue) -> (any SharedValue)? {
    (shared as? Shared<Wrapped?>).flatMap { Shared<Wrapped>($0) }
  }
}
