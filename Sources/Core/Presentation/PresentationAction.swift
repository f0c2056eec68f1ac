/// An action of a presented feature, or its dismissal.
///
/// Case key paths can omit `presented`: `\.child.tap` is the same as `\.child.presented.tap`.
///
/// ```swift
/// case .destination(.presented(.add(.submitted))): ...
/// case .destination(.dismiss): ...
/// ```
@LogValue
@dynamicMemberLookup
public indirect enum PresentationAction<Action> {
  /// The action that dismisses the feature.
  case dismiss
  /// An action of the presented feature.
  case presented(Action)
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Sendable where Action: Sendable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}

extension PresentationAction: CasePathable, CasePathIterable {
  /// The case paths of a presentation action and of the action that it wraps.
  @dynamicMemberLookup
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    /// The case key path of a presentation action: `\.dismiss` or `\.presented`.
    public subscript(root: PresentationAction) -> PartialCaseKeyPath<PresentationAction> {
      switch root {
      case .dismiss: \.dismiss
      case .presented: \.presented
      }
    }

    /// The case path of `dismiss`.
    public var dismiss: AnyCasePath<PresentationAction, Void> {
      AnyCasePath(
        embed: { .dismiss },
        extract: { if case .dismiss = $0 { () } else { nil } }
      )
    }

    /// The case path of `presented`, whose payload is the presented feature's action.
    public var presented: AnyCasePath<PresentationAction, Action> {
      AnyCasePath(
        embed: { .presented($0) },
        extract: { if case .presented(let action) = $0 { action } else { nil } }
      )
    }

    /// The case path of one case of the presented feature's actions, without `presented`.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, Member> where Action: CasePathable {
      presented.appending(path: Action.allCasePaths[keyPath: keyPath])
    }

    /// The case path of the actions of one feature in a presented enum, including the dismissal.
    @_disfavoredOverload
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, PresentationAction<Member>>
    where Action: CasePathable {
      PresentationAction.path(through: Action.allCasePaths[keyPath: keyPath])
    }

    /// Returns an iterator over `\.dismiss` and `\.presented`.
    public func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<PresentationAction>> {
      [\.dismiss, \.presented].makeIterator()
    }
  }

  /// The case paths of `dismiss`, `presented`, and the cases of the wrapped action.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension PresentationAction {
  /// Returns the case path of the actions of one feature in a presented enum, including the dismissal.
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

/// A state without a reducer that is dismissed after any of its actions, such as an alert.
public protocol _EphemeralState<Action> {
  /// The type of the actions that the state's buttons send.
  associatedtype Action

  /// The type of the actions that the state's buttons send, as a value.
  static var actionType: Any.Type { get }
}

extension _EphemeralState {
  /// The type of the actions that the state's buttons send, as a value.
  public static var actionType: Any.Type { Action.self }
}
