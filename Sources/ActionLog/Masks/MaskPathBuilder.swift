/// A path in a state for a mask, written with Swift's members instead of the log's names.
///
/// ```swift
/// MaskPath(in: AppFeature.State.self) { $0.rows.each.phone }
/// MaskPath(in: AppFeature.State.self) { $0.path.each.payload(of: "settings", Settings.State.self).email }
/// ```
///
/// The path can lead to members, including those of optional or presented values, and to all elements of a collection
/// or stack. An enum case is given by its name, because it has no key path with a name.
@dynamicMemberLookup
public struct MaskPathBuilder<Value>: Sendable {
  let tokens: [MaskPath.Token]

  init(_ tokens: [MaskPath.Token]) { self.tokens = tokens }
}

extension MaskPathBuilder {
  /// The path of a member of this value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> MaskPathBuilder<Member>
  where Value: LogMembers {
    MaskPathBuilder<Member>(tokens + MaskPath.tokens(of: keyPath))
  }

  /// The path of a member of the value that this optional contains.
  public subscript<Wrapped: LogMembers, Member>(
    dynamicMember keyPath: KeyPath<Wrapped, Member>
  ) -> MaskPathBuilder<Member> where Value == Wrapped? {
    MaskPathBuilder<Member>(tokens + MaskPath.tokens(of: keyPath))
  }

  /// Returns the path of a case's payload.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - type: The type of the payload, which must not have a label.
  /// - Returns: The path of the payload in the state.
  public func payload<Payload>(of name: String, _ type: Payload.Type) -> MaskPathBuilder<Payload> {
    MaskPathBuilder<Payload>(tokens + [.name(name), .name("_0")])
  }
}

extension MaskPathBuilder where Value: LogElements {
  /// The path that matches each element of this collection.
  public var each: MaskPathBuilder<Value.LogElement> {
    MaskPathBuilder<Value.LogElement>(
      tokens + [.any] + Value._$namesWithinElements.map { MaskPath.Token.name($0) }
    )
  }
}

/// A collection whose elements are logged in an array or an object.
///
/// ```swift
/// MaskPath(in: AppFeature.State.self) { $0.rows.each.phone }  // an array: /rows/*/phone
/// ```
public protocol LogElements {
  /// The type of an element, or of the value for a key.
  associatedtype LogElement
  /// The names that lead from an element of the logged array to the collection's element.
  static var _$namesWithinElements: [String] { get }
}

extension LogElements {
  /// No names, because the logged element is the collection's element.
  public static var _$namesWithinElements: [String] { [] }
}

extension Array: LogElements {
  /// The type of the collection's elements.
  public typealias LogElement = Element
}

extension Set: LogElements {
  /// The type of the collection's elements.
  public typealias LogElement = Element
}

extension Dictionary: LogElements {
  /// The type of the dictionary's values.
  public typealias LogElement = Value
}

extension MaskPath {
  /// Creates the path of a member of a state, possibly through other members: `\AppFeature.State.settings.email`.
  ///
  /// Computed properties have no path. A mask for a computed property is reported as a mask without a match.
  public init<State: LogMembers>(_ keyPath: PartialKeyPath<State>) {
    self.init(Self.tokens(of: keyPath))
  }

  /// Creates the path of a value in a state.
  ///
  /// - Parameters:
  ///   - state: The type of the state.
  ///   - place: A closure that navigates from the state to the value.
  public init<State, Value>(
    in state: State.Type,
    _ place: (MaskPathBuilder<State>) -> MaskPathBuilder<Value>
  ) {
    self.init(place(MaskPathBuilder<State>([])).tokens)
  }

  fileprivate static func tokens<Root: LogMembers>(of keyPath: PartialKeyPath<Root>) -> [Token] {
    Root.names(of: keyPath)?.map { .name($0) } ?? [.name("\(keyPath) is no stored variable")]
  }
}

extension LogMasks {
  /// Creates masks for members of a state.
  ///
  /// ```swift
  /// LogMasks(state: \AppFeature.State.settings.email, \.user.phone, action: ["/login/_0/password"])
  /// ```
  ///
  /// - Parameters:
  ///   - first: The key path of a member to mask.
  ///   - others: The key paths of further members to mask.
  ///   - action: The masked paths in actions.
  ///   - read: The masked paths in reads, which start with the read's key.
  ///   - call: The masked paths in calls that effects make, which start with the endpoint's key.
  ///   - omitted: The paths in the state whose values are omitted.
  ///   - cleared: The paths in actions, reads, and calls whose values never reach a masked path.
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

/// The former name of `MaskPathBuilder`.
@available(*, deprecated, renamed: "MaskPathBuilder")
public typealias MaskPlace = MaskPathBuilder
