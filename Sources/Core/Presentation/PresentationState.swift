/// The optional state of a feature that can be presented, in its own storage.
///
/// The macro `@Presents` creates a presentation for a property. The separate storage lets a state contain a
/// presentation of its own type. Unchanged copies compare as equal without a comparison of their contents.
///
/// ```swift
/// @ObservableState
/// struct State {
///   @Presents var child: Child.State?
/// }
///
/// state.child = Child.State()                      // presents a child
/// Reduce { state, action in ... }
///   .ifLet(\.$child, action: \.child) { Child() }  // the key path leads to the presentation
/// ```
@propertyWrapper
@dynamicMemberLookup
public struct PresentationState<State> {
  /// An array with at most one element, which serves as indirect storage with value semantics.
  ///
  /// The element can change in place.
  private var box: [State]

  /// Creates a presentation of a state, or an empty presentation if the state is `nil`.
  public init(wrappedValue: State?) {
    box = wrappedValue.map { [$0] } ?? []
  }

  /// Creates a copy of a presentation.
  public init(projectedValue: PresentationState) {
    self = projectedValue
  }

  /// The presented state; `nil` if no feature is presented.
  public var wrappedValue: State? {
    get { box.first }
    _modify {
      var state = box.popLast()
      defer { if let state { box.append(state) } }
      yield &state
    }
  }

  /// The presentation itself, to which key paths such as `\.$child` lead.
  public var projectedValue: PresentationState {
    get { self }
    set { self = newValue }
  }

  /// Returns whether two presentations are copies that haven't changed since they were copied.
  func isCopy(of other: PresentationState) -> Bool { box.span.isIdentical(to: other.box.span) }
}

extension PresentationState where State: CasePathable {
  /// The payload of a case of the presented enum; `nil` if no feature is presented or the enum has another case.
  ///
  /// Setting `nil` dismisses the feature. Setting a value while the case isn't presented reports an issue and leaves
  /// the state unchanged.
  public subscript<Payload>(case keyPath: CaseKeyPath<State, Payload>) -> Payload? {
    get { wrappedValue.flatMap { $0[case: keyPath] } }
    set { setPayload(newValue, along: AnyCasePath(keyPath)) }
  }
}

extension PresentationState {
  /// Sets the payload of the presented case, or reports an issue if the case isn't presented.
  mutating func setPayload<Payload>(_ payload: Payload?, along path: AnyCasePath<State, Payload>) {
    guard let state = wrappedValue, path.extract(from: state) != nil else {
      reportIssue(Messages.modifiedUnrelatedCase(of: wrappedValue))
      return
    }
    wrappedValue = payload.map(path.embed)
  }
}

extension PresentationState {
  /// A presentation of a member of the presented state, for key paths such as `\.$child.name`.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<State, Member>
  ) -> PresentationState<Member> {
    PresentationState<Member>(wrappedValue: wrappedValue?[keyPath: keyPath])
  }

  /// A presentation of one case of the presented enum, for key paths such as `\.$destination.detail`.
  ///
  /// The presentation is empty while another case is presented.
  public subscript<Payload>(
    dynamicMember keyPath: CaseKeyPath<State, Payload>
  ) -> PresentationState<Payload> where State: CasePathable {
    PresentationState<Payload>(wrappedValue: wrappedValue?[case: keyPath])
  }
}

extension PresentationState: Sendable where State: Sendable {}

extension PresentationState: Equatable where State: Equatable {
  /// Returns whether the presented states are equal.
  ///
  /// The states of unchanged copies aren't compared.
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
  /// Encodes the presented state, or `null` if there is none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension PresentationState: Decodable where State: Decodable {
  /// Decodes a presented state, or an empty presentation from `null`.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(State?.self))
  }
}

extension PresentationState: LogValue {
  /// Encodes the presented state, or `null` if there is none.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(wrappedValue)
  }

  /// Decodes a presented state, or an empty presentation from `null`.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    Self(wrappedValue: try decoder.value(State?.self, over: template.map(\.wrappedValue)))
  }

  /// Decodes a presented state, or an empty presentation from `null`, directly from the text of a log.
  public static func _$read(from text: inout LogText) throws -> Self {
    Self(wrappedValue: try text.value(State?.self))
  }

  /// Adds the differences between two presented states to a patch.
  ///
  /// Unchanged copies are skipped.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    guard !(old.isCopy(of: new) && patch.isPlain(State.self)) else { return }
    patch.value(old.wrappedValue, new.wrappedValue)
  }

  /// Adds the type of the presented state to a survey of log types.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayBeNull()
    type.contains(State.self, below: 0)
  }

  /// Whether the encoded JSON is always well-formed, which is `true` because the presentation encodes itself.
  public static var _$isWellFormed: Bool { true }
}

extension PresentationState: CustomReflectable {
  /// A mirror of the presented state.
  public var customMirror: Mirror {
    Mirror(reflecting: wrappedValue as Any)
  }
}
