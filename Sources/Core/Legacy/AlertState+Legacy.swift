extension AlertState {
  /// A button of an alert, under its former name.
  @available(*, deprecated, message: "Use \"ButtonState\".")
  public typealias Button = ButtonState<Action>
  /// The action of an alert's button, under its former name.
  @available(*, deprecated, message: "Use \"ButtonStateAction\".")
  public typealias ButtonAction = ButtonStateAction<Action>
  /// The role of an alert's button, under its former name.
  @available(*, deprecated, message: "Use \"ButtonStateRole\".")
  public typealias ButtonRole = ButtonStateRole

  /// Creates an alert from a title, a message, and a list of buttons.
  ///
  /// - Parameters:
  ///   - title: The text at the top of the alert.
  ///   - message: The text below the title; `nil` for no message.
  ///   - buttons: The buttons, in order.
  @available(*, deprecated, message: "Use \"init(title:actions:message:)\".")
  public init(title: TextState, message: TextState? = nil, buttons: [ButtonState<Action>]) {
    self.init(
      title: { title },
      actions: { for button in buttons { button } },
      message: message.map { message in { message } }
    )
  }

  /// Creates an alert with one button.
  ///
  /// - Parameters:
  ///   - title: The text at the top of the alert.
  ///   - message: The text below the title; `nil` for no message.
  ///   - dismissButton: The button; `nil` for the button that the system adds to an alert without buttons.
  @available(*, deprecated, message: "Use \"init(title:actions:message:)\".")
  public init(
    title: TextState,
    message: TextState? = nil,
    dismissButton: ButtonState<Action>? = nil
  ) {
    self.init(title: title, message: message, buttons: dismissButton.map { [$0] } ?? [])
  }

  /// Creates an alert with two buttons.
  ///
  /// - Parameters:
  ///   - title: The text at the top of the alert.
  ///   - message: The text below the title; `nil` for no message.
  ///   - primaryButton: The first button.
  ///   - secondaryButton: The second button.
  @available(*, deprecated, message: "Use \"init(title:actions:message:)\".")
  public init(
    title: TextState,
    message: TextState? = nil,
    primaryButton: ButtonState<Action>,
    secondaryButton: ButtonState<Action>
  ) {
    self.init(title: title, message: message, buttons: [primaryButton, secondaryButton])
  }
}

/// The former name of `ConfirmationDialogState`.
@available(*, deprecated, renamed: "ConfirmationDialogState")
public typealias ActionSheetState<Action> = ConfirmationDialogState<Action>

extension ConfirmationDialogState {
  /// A button of a confirmation dialog, under its former name.
  @available(*, deprecated, message: "Use \"ButtonState\".")
  public typealias Button = ButtonState<Action>

  /// Creates a confirmation dialog from a title, a message, and a list of buttons.
  ///
  /// - Parameters:
  ///   - title: The text at the top of the dialog.
  ///   - titleVisibility: A value that specifies whether the dialog shows its title.
  ///   - message: The text below the title; `nil` for no message.
  ///   - buttons: The buttons, in order.
  @available(*, deprecated, message: "Use \"init(titleVisibility:title:actions:message:)\".")
  public init(
    title: TextState,
    titleVisibility: ConfirmationDialogTitleVisibility = .automatic,
    message: TextState? = nil,
    buttons: [ButtonState<Action>] = []
  ) {
    self.init(
      titleVisibility: titleVisibility,
      title: { title },
      actions: { for button in buttons { button } },
      message: message.map { message in { message } }
    )
  }
}

extension ButtonState {
  /// Returns a button with the cancel role.
  @available(*, deprecated, message: "Use \"ButtonState(role: .cancel, action:label:)\".")
  public static func cancel(
    _ label: TextState = TextState("Cancel"),
    action: ButtonStateAction<Action> = .send(nil)
  ) -> Self {
    Self(role: .cancel, action: action) { label }
  }

  /// Returns a button without a special role.
  @available(*, deprecated, message: "Use \"ButtonState(action:label:)\".")
  public static func `default`(
    _ label: TextState,
    action: ButtonStateAction<Action> = .send(nil)
  ) -> Self {
    Self(action: action) { label }
  }

  /// Returns a button with the destructive role.
  @available(*, deprecated, message: "Use \"ButtonState(role: .destructive, action:label:)\".")
  public static func destructive(
    _ label: TextState,
    action: ButtonStateAction<Action> = .send(nil)
  ) -> Self {
    Self(role: .destructive, action: action) { label }
  }

  /// Returns a button with the cancel role.
  @available(*, deprecated, message: "Use \"ButtonState(role: .cancel, action:label:)\".")
  public static func cancel(_ label: TextState = TextState("Cancel"), send action: Action?) -> Self
  {
    Self(role: .cancel, action: .send(action)) { label }
  }

  /// Returns a button without a special role.
  @available(*, deprecated, message: "Use \"ButtonState(action:label:)\".")
  public static func `default`(_ label: TextState, send action: Action?) -> Self {
    Self(action: .send(action)) { label }
  }

  /// Returns a button with the destructive role.
  @available(*, deprecated, message: "Use \"ButtonState(role: .destructive, action:label:)\".")
  public static func destructive(_ label: TextState, send action: Action?) -> Self {
    Self(role: .destructive, action: .send(action)) { label }
  }
}
