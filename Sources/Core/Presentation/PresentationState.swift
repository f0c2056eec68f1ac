/// The state of a feature that is presented now and then: an optional in a box of its own.
///
/// `@Presents` makes one for each property. The box lets a state hold one of its own type, and lets two copies be
/// compared without a look at what they hold.
///
/// ```swift
/// @ObservableState
/// struct State {
///   @Presents var child: Child.State?
/// }
///
/// state.child = Child.State()                      // presents a child
/// Reduce { state, action in ... }
///   .ifLet(\.$child, action: \.child) { Child() }  // takes the box
/// ```
@propertyWrapper
@dynamicMemberLookup
public struct PresentationState<State> {
  /// Empty or one element: an array is a box with value semantics that changes in place.
  private var box: [State]

  /// Boxes a state.
  public init(wrappedValue: State?) {
    box = wrappedValue.map { [$0] } ?? []
  }

  /// Takes a box over.
  public init(projectedValue: PresentationState) {
    self = projectedValue
  }

  /// The presented state.
  public var wrappedValue: State? {
    get { box.first }
    _modify {
      var state = box.popLast()
      defer { if let state { box.append(state) } }
      yield &state
    }
  }

  /// The box.
  public var projectedValue: PresentationState {
    get { self }
    set { self = newValue }
  }

  /// Whether two boxes are copies that have not changed since.
  func isCopy(of other: PresentationState) -> Bool { box.span.isIdentical(to: other.box.span) }
}

extension PresentationState where State: CasePathable {
  /// The payload of a case of the presented enum, nil when that is absent or has another case.
  ///
  /// Setting `nil` dismisses. Setting a payload while another case is presented reports an issue and does nothing.
  public subscript<Payload>(case keyPath: CaseKeyPath<State, Payload>) -> Payload? {
    get { wrappedValue.flatMap { $0[case: keyPath] } }
    set { setPayload(newValue, along: AnyCasePath(keyPath)) }
  }
}

extension PresentationState {
  /// Sets the payload of the case that is presented.
  mutating func setPayload<Payload>(_ payload: Payload?, along path: AnyCasePath<State, Payload>) {
    guard let state = wrappedValue, path.extract(from: state) != nil else {
      reportIssue(Messages.modifiedUnrelatedCase(of: wrappedValue))
      return
    }
    wrappedValue = payload.map(path.embed)
  }
}

extension PresentationState {
  /// The box of a part of what is presented: `\.$child.name`.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<State, Member>
  ) -> PresentationState<Member> {
    PresentationState<Member>(wrappedValue: wrappedValue?[keyPath: keyPath])
  }

  /// The box of one case of the presented enum, empty while that has another: `\.$destination.detail`.
  public subscript<Payload>(
    dynamicMember keyPath: CaseKeyPath<State, Payload>
  ) -> PresentationState<Payload> where State: CasePathable {
    PresentationState<Payload>(wrappedValue: wrappedValue?[case: keyPath])
  }
}

extension PresentationState: Sendable where State: Sendable {}

extension PresentationState: Equatable where State: Equatable {
  /// Whether the presented states are equal; copies are, and are not compared.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.isCopy(of: rhs) || lhs.wrappedValue == rhs.wrappedValue
  }
}

extension PresentationState: Hashable where State: Hashable {
  /// Hashes the presented state.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}

extension PresentationState: Encodable where State: Encodable {
  /// Writes the presented state or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension PresentationState: Decodable where State: Decodable {
  /// Reads a state or `null`.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(State?.self))
  }
}

extension PresentationState: LogValue {
  /// Writes the presented state or `null`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(wrappedValue)
  }

  /// Reads a state or `null`.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    Self(wrappedValue: try decoder.value(State?.self, over: template.map(\.wrappedValue)))
  }

  /// Reads a state or `null`.
  public static func _$read(from text: inout LogText) throws -> Self {
    Self(wrappedValue: try text.value(State?.self))
  }

  /// Compares the presented states in step; unchanged copies are skipped.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    guard !(old.isCopy(of: new) && patch.isPlain(State.self)) else { return }
    patch.value(old.wrappedValue, new.wrappedValue)
  }

  /// Names the type of the presented state.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayBeNull()
    type.contains(State.self, below: 0)
  }

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

extension PresentationState: CustomReflectable {
  /// The mirror of the presented state.
  public var customMirror: Mirror {
    Mirror(reflecting: wrappedValue as Any)
  }
}
