#if canImport(SwiftUI)
public import SwiftUI

// Modifiers of the older style, which present what the store of a `PresentationState` holds.

extension Store {
  /// A binding to the store of what this one presents.
  fileprivate func presented<Child, ChildAction>() -> Binding<Store<Child, ChildAction>?>
  where State == PresentationState<Child>, Action == PresentationAction<ChildAction> {
    let identity = state.wrappedValue.flatMap { ChildIdentity(of: $0) }
    return Bindable(self)[dynamicMember: \.[presented: identity]]
  }
}

extension View {
  /// Shows a sheet while a state is presented.
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

  /// Shows a cover of the whole screen while a state is presented.
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

  /// Shows a popover while a state is presented.
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

  /// Pushes a view while a state is presented.
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

  /// Shows an alert while a state holds one.
  @available(*, deprecated, message: "Write \".alert($store.scope(\\.alert, action: \\.alert))\".")
  @MainActor
  public func alert<Action>(
    store: Store<PresentationState<AlertState<Action>>, PresentationAction<Action>>
  ) -> some View {
    alert(store.presented())
  }

  /// Shows a dialog while a state holds one.
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
