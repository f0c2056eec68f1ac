/// A place in a state, for a mask, found by its members instead of by the log's names.
///
/// ```swift
/// MaskPath(in: AppFeature.State.self) { $0.rows.each.phone }
/// MaskPath(in: AppFeature.State.self) { $0.path.each.payload(of: "settings", Settings.State.self).email }
/// ```
///
/// It goes on to members, also of what is optional or presented, and to each element of a collection or stack. A case of an enum
/// has no key path that knows its name, so that is given.
@dynamicMemberLookup
public struct MaskPlace<Value>: Sendable {
  let tokens: [MaskPath.Token]

  init(_ tokens: [MaskPath.Token]) { self.tokens = tokens }
}

extension MaskPlace {
  /// The place of a member.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> MaskPlace<Member>
  where Value: LogMembers {
    MaskPlace<Member>(tokens + MaskPath.tokens(of: keyPath))
  }

  /// The place of a member of what is optional.
  public subscript<Wrapped: LogMembers, Member>(
    dynamicMember keyPath: KeyPath<Wrapped, Member>
  ) -> MaskPlace<Member> where Value == Wrapped? {
    MaskPlace<Member>(tokens + MaskPath.tokens(of: keyPath))
  }

  /// The place of a case's payload.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - type: The type of its payload, which has no label.
  /// - Returns: The place.
  public func payload<Payload>(of name: String, _ type: Payload.Type) -> MaskPlace<Payload> {
    MaskPlace<Payload>(tokens + [.name(name), .name("_0")])
  }
}

extension MaskPlace where Value: LogElements {
  /// The place of each element.
  public var each: MaskPlace<Value.LogElement> {
    MaskPlace<Value.LogElement>(
      tokens + [.any] + Value._$namesWithinElements.map { MaskPath.Token.name($0) }
    )
  }
}

/// A collection whose elements stand in an array or an object of the log.
///
/// ```swift
/// MaskPath(in: AppFeature.State.self) { $0.rows.each.phone }  // an array: /rows/*/phone
/// ```
public protocol LogElements {
  /// What stands there: an element, or the value for a key.
  associatedtype LogElement
  /// The names within an element of the array that lead to it.
  static var _$namesWithinElements: [String] { get }
}

extension LogElements {
  /// The element itself.
  public static var _$namesWithinElements: [String] { [] }
}

extension Array: LogElements {
  /// An element.
  public typealias LogElement = Element
}

extension Set: LogElements {
  /// An element.
  public typealias LogElement = Element
}

extension Dictionary: LogElements {
  /// The value for a key.
  public typealias LogElement = Value
}

extension MaskPath {
  /// The place of a member of a state, also of a member of a member: `\AppFeature.State.settings.email`.
  ///
  /// Computed properties have no place; a mask of one is named as one that matches nothing.
  public init<State: LogMembers>(_ keyPath: PartialKeyPath<State>) {
    self.init(Self.tokens(of: keyPath))
  }

  /// A place in a state.
  ///
  /// - Parameters:
  ///   - state: The type of the state.
  ///   - place: Goes from the state to the place.
  public init<State, Value>(
    in state: State.Type,
    _ place: (MaskPlace<State>) -> MaskPlace<Value>
  ) {
    self.init(place(MaskPlace<State>([])).tokens)
  }

  fileprivate static func tokens<Root: LogMembers>(of keyPath: PartialKeyPath<Root>) -> [Token] {
    Root.names(of: keyPath)?.map { .name($0) } ?? [.name("\(keyPath) is no stored variable")]
  }
}

extension LogMasks {
  /// Masks for members of a state.
  ///
  /// ```swift
  /// LogMasks(state: \AppFeature.State.settings.email, \.user.phone, action: ["/login/_0/password"])
  /// ```
  ///
  /// - Parameters:
  ///   - first: A member of the state.
  ///   - others: More of its members.
  ///   - action: Places in actions.
  ///   - read: Places in reads, below the read's key.
  ///   - call: Places in the calls of effects, below the endpoint's key.
  ///   - omitted: Places in the state that are left out.
  ///   - cleared: Places in actions, reads and calls whose values never go where a mask is.
  public init<State: LogMembers>(
    state first: PartialKeyPath<State>,
    _ others: PartialKeyPath<State>...,
    action: [MaskPath] = [],
    read: [MaskPath] = [],
    call: [MaskPath] = [],
    omitted: [MaskPath] = [],
    cleared: [MaskPath] = []
  ) {
    self.init(
      state: ([first] + others).map { MaskPath($0) },
      action: action,
      read: read,
      call: call,
      omitted: omitted,
      cleared: cleared
    )
  }
}
