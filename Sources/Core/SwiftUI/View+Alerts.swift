#if canImport(SwiftUI)
public import SwiftUI

extension View {
  /// Presents an alert while the binding contains the store of an alert.
  ///
  /// ```swift
  /// .alert($store.scope(\.alert, action: \.alert))
  /// ```
  ///
  /// - Parameter item: A binding to the store of the alert, whose value is `nil` while no alert is presented.
  /// - Returns: A view that presents the alert.
  @MainActor
  public func alert<Action>(
    _ item: Binding<Store<AlertState<Action>, Action>?>
  ) -> some View {
    let store = item.wrappedValue
    let alert = store?.state
    return self.alert(
      alert.map { Text($0.title) } ?? Text(verbatim: ""),
      isPresented: item[dynamicMember: \.isThere],
      presenting: alert,
      actions: { alert in AlertButtons(buttons: alert.buttons, store: store) },
      message: { alert in alert.message.map { Text($0) } }
    )
  }

  /// Presents a confirmation dialog while the binding contains the store of a dialog.
  ///
  /// ```swift
  /// .confirmationDialog($store.scope(\.dialog, action: \.dialog))
  /// ```
  ///
  /// - Parameter item: A binding to the store of the dialog, whose value is `nil` while no dialog is presented.
  /// - Returns: A view that presents the dialog.
  @MainActor
  public func confirmationDialog<Action>(
    _ item: Binding<Store<ConfirmationDialogState<Action>, Action>?>
  ) -> some View {
    let store = item.wrappedValue
    let dialog = store?.state
    return confirmationDialog(
      dialog.map { Text($0.title) } ?? Text(verbatim: ""),
      isPresented: item[dynamicMember: \.isThere],
      titleVisibility: dialog.map { Visibility($0.titleVisibility) } ?? .automatic,
      presenting: dialog,
      actions: { dialog in AlertButtons(buttons: dialog.buttons, store: store) },
      message: { dialog in dialog.message.map { Text($0) } }
    )
  }
}

/// A view with the buttons of an alert or a confirmation dialog, each of which sends its action to a store.
private struct AlertButtons<State, Action>: View {
  let buttons: [ButtonState<Action>]
  let store: Store<State, Action>?

  var body: some View {
    SwiftUI.ForEach(buttons) { button in
      Button(role: button.role.map { ButtonRole($0) }) {
        guard let action = button.action.action else { return }
        if let animation = button.action.animation {
          store?.send(action, animation: animation)
        } else {
          store?.send(action)
        }
      } label: {
        Text(button.label)
      }
    }
  }
}

extension Text {
  /// Creates a text view from a text state.
  public init(_ state: TextState) {
    self.init(verbatim: String(state: state))
  }
}

extension ButtonRole {
  /// Creates the SwiftUI role that corresponds to the role of a button state.
  public init(_ role: ButtonStateRole) {
    switch role {
    case .cancel: self = .cancel
    case .destructive: self = .destructive
    }
  }
}

extension Visibility {
  /// Creates the SwiftUI visibility that corresponds to the title visibility of a dialog state.
  public init(_ visibility: ConfirmationDialogTitleVisibility) {
    switch visibility {
    case .automatic: self = .automatic
    case .hidden: self = .hidden
    case .visible: self = .visible
    }
  }
}
#endif
