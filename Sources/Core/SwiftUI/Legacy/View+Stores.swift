#if canImport(SwiftUI)
public import SwiftUI

// View modifiers that receive the store of a `PresentationState` directly, and not as a binding.

extension Store {
  /// Returns a binding to the store of the presented feature, whose value is `nil` while no feature is presented.
  fileprivate func presented<Child, ChildAction>() -> Binding<Store<Child, ChildAction>?>
  where State == PresentationState<Child>, Action == PresentationAction<ChildAction> {
    let identity = state.wrappedValue.flatMap { ChildIdentity(of: $0) }
    return Bindable(self)[dynamicMember: \.[presented: identity]]
  }
}

extension View {
  /// Presents a sheet while the store presents a state.
  @available(
    *,
    deprecated,
    message: "Write \".sheet(item: $store.scope(\\.child, action: \\.child))\"."
  )
  @MainActor
  public func sheet<State, Action>(
    store: Store<PresentationState<State>, PresentationAction<Action>>,
    onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (_ store: Store<State, Action>) -> some View
  ) -> some View {
    sheet(item: store.presented(), onDismiss: onDismiss, content: content)
  }

  /// Presents a full-screen cover while the store presents a state.
  @available(macOS, unavailable)
  @available(
    *,
    deprecated,
    message: "Write \".fullScreenCover(item: $store.scope(\\.child, action: \\.child))\"."
  )
  @MainActor
  public func fullScreenCover<State, Action>(
    store: Store<PresentationState<State>, PresentationAction<Action>>,
    onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (_ store: Store<State, Action>) -> some View
  ) -> some View {
    fullScreenCover(item: store.presented(), onDismiss: onDismiss, content: content)
  }

  /// Presents a popover while the store presents a state.
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  @available(
    *,
    deprecated,
    message: "Write \".popover(item: $store.scope(\\.child, action: \\.child))\"."
  )
  @MainActor
  public func popover<State, Action>(
    store: Store<PresentationState<State>, PresentationAction<Action>>,
    @ViewBuilder content: @escaping (_ store: Store<State, Action>) -> some View
  ) -> some View {
    popover(item: store.presented(), content: content)
  }

  /// Pushes a view onto the navigation stack while the store presents a state.
  @available(
    *,
    deprecated,
    message: "Write \".navigationDestination(item: $store.scope(\\.child, action: \\.child))\"."
  )
  @MainActor
  public func navigationDestination<State, Action>(
    store: Store<PresentationState<State>, PresentationAction<Action>>,
    @ViewBuilder destination: @escaping (_ store: Store<State, Action>) -> some View
  ) -> some View {
    navigationDestination(item: store.presented(), destination: destination)
  }

  /// Presents an alert while the store presents the alert's state.
  @available(*, deprecated, message: "Write \".alert($store.scope(\\.alert, action: \\.alert))\".")
  @MainActor
  public func alert<Action>(
    store: Store<PresentationState<AlertState<Action>>, PresentationAction<Action>>
  ) -> some View {
    alert(store.presented())
  }

  /// Presents a confirmation dialog while the store presents the dialog's state.
  @available(
    *,
    deprecated,
    message: "Write \".confirmationDialog($store.scope(\\.dialog, action: \\.dialog))\"."
  )
  @MainActor
  public func confirmationDialog<Action>(
    store: Store<PresentationState<ConfirmationDialogState<Action>>, PresentationAction<Action>>
  ) -> some View {
    confirmationDialog(store.presented())
  }
}
#endif
