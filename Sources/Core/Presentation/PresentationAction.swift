/// An action of a presented feature, or its dismissal.
///
/// Case key paths may skip `presented`: `\.child.tap` is `\.child.presented.tap`.
///
/// ```swift
/// case .destination(.presented(.add(.submitted))): ...
/// case .destination(.dismiss): ...
/// ```
@LogValue
@dynamicMemberLookup
public indirect enum PresentationAction<Action> {
  /// The feature goes away.
  case dismiss
  /// The feature does something.
  case presented(Action)
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Sendable where Action: Sendable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}

extension PresentationAction: CasePathable, CasePathIterable {
  /// The case paths of an action, and those of what it wraps.
  @dynamicMemberLookup
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    /// The case path of an action.
    public subscript(root: PresentationAction) -> PartialCaseKeyPath<PresentationAction> {
      switch root {
      case .dismiss: \.dismiss
      case .presented: \.presented
      }
    }

    /// The dismissal.
    public var dismiss: AnyCasePath<PresentationAction, Void> {
      AnyCasePath(
        embed: { .dismiss },
        extract: { if case .dismiss = $0 { () } else { nil } }
      )
    }

    /// The actions of the presented feature.
    public var presented: AnyCasePath<PresentationAction, Action> {
      AnyCasePath(
        embed: { .presented($0) },
        extract: { if case .presented(let action) = $0 { action } else { nil } }
      )
    }

    /// A case of the presented feature's actions.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, Member> where Action: CasePathable {
      presented.appending(path: Action.allCasePaths[keyPath: keyPath])
    }

    /// The actions of one case of a presented enum of features, with their dismissal.
    @_disfavoredOverload
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, PresentationAction<Member>>
    where Action: CasePathable {
      PresentationAction.path(through: Action.allCasePaths[keyPath: keyPath])
    }

    /// Goes through the cases.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<PresentationAction>> {
      [\.dismiss, \.presented].makeIterator()
    }
  }

  /// The case paths of a presentation action.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension PresentationAction {
  /// The path to the actions of one case of a presented enum of features, with their dismissal.
  static func path<Member>(
    through path: AnyCasePath<Action, Member>
  ) -> AnyCasePath<PresentationAction, PresentationAction<Member>> {
    AnyCasePath<PresentationAction, PresentationAction<Member>>(
      embed: { action in
        switch action {
        case .dismiss: .dismiss
        case .presented(let member): .presented(path.embed(member))
        }
      },
      extract: { action in
        switch action {
        case .dismiss: .dismiss
        case .presented(let action): path.extract(from: action).map { .presented($0) }
        }
      }
    )
  }
}

/// State that goes away with any of its actions, such as an alert; it has no reducer.
public protocol _EphemeralState<Action> {
  /// The actions that its buttons send.
  associatedtype Action

  /// The type of what its buttons send.
  static var actionType: Any.Type { get }
}

extension _EphemeralState {
  /// The type of what its buttons send.
  public static var actionType: Any.Type { Action.self }
}
