internal import ActionLog
@_spi(References) internal import ComposableArchitecture

// MARK: - Which part it is

extension Shared {
  /// The steps from the shared value to this part; empty for the entire value, `nil` if a step has no name.
  var parts: [SharedPathComponent]? {
    func open(_ reference: some MutableReference<Value>) -> [SharedPathComponent]? {
      reference.parts(value: reference.wrappedValue)
    }
    return open(reference)
  }
}

extension MutableReference {
  /// Returns the steps to the part that this reference leads to.
  ///
  /// The library's references are accessible only by reflection. A part has a base and the key path from it, unless it
  /// is the value of an optional.
  ///
  /// - Parameter value: The value of the part, or of the optional.
  /// - Returns: The steps; `nil` if one has no name.
  fileprivate func parts(value: Any) -> [SharedPathComponent]? {
    let children = Mirror(reflecting: self).children
    func steps(_ base: some MutableReference) -> [SharedPathComponent]? {
      if let keyPath = children.lazy.compactMap({ $0.value as? AnyKeyPath }).first {
        guard let steps = base.steps(at: keyPath, value: value) else { return nil }
        return base.parts(value: base.wrappedValue).map { $0 + steps }
      }
      // A reference may contain another one to the same value.
      guard base is any MutableReference<Value?> else { return base.parts(value: value) }
      return base.parts(value: value).map { $0 + [.wrapped] }
    }
    guard
      let base = children.first(where: { $0.label == "base" })?.value as? any MutableReference
    else { return [] }
    return steps(base)
  }

  /// Returns the steps along a key path.
  private func steps(at keyPath: AnyKeyPath, value: Any) -> [SharedPathComponent]? {
    switch Value.self {
    case let type as any LogMembers.Type:
      func names<Members: LogMembers>(_: Members.Type) -> [SharedPathComponent]? {
        (keyPath as? PartialKeyPath<Members>).flatMap { LogMember<Members>.names(of: $0) }?
          .map(SharedPathComponent.member)
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

/// A shared value of any type.
protocol SharedValue: Sendable {
  /// Returns the shared part of the value; `nil` if there is none.
  func part(_ part: SharedPathComponent) -> (any SharedValue)?
}

extension Shared: SharedValue {
  func part(_ part: SharedPathComponent) -> (any SharedValue)? {
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
  /// Returns the id in a key path to an existing or a removed row.
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

/// Returns the key path with which the library creates the shared rows of a collection.
private func rowKeyPath<Rows: _MutableIdentifiedCollection>(
  _: Rows.Type,
  _ id: Rows.ID
) -> AnyKeyPath {
  \Rows.[id: id]
}

/// Values whose elements can be shared by their indexes.
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
