// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
public import ComposableArchitecture

extension TextState: @retroactive LogValue {
  /// Writes the text.
  public func encode(to encoder: inout LogEncoder) { encoder.value(String(state: self)) }

  /// Reads a text.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    TextState(verbatim: try decoder.value(String.self))
  }

  /// Reports no contained types.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension AlertState: @retroactive LogValue {
  /// Writes the title, the message and the buttons.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.member("title", title)
    encoder.member("message", message)
    encoder.member("buttons", buttons)
    encoder.endObject()
  }

  /// Reads the title, the message and the buttons.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let members = try decoder.members(of: Self.self)
    defer { members.finish() }
    var alert = AlertState { TextState(verbatim: "") }
    alert.title = try members.value("title")
    alert.message = try members.value("message")
    alert.buttons = try members.value("buttons")
    return alert
  }

  /// Reports the type of the actions.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(Action.self) }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension ConfirmationDialogState: @retroactive LogValue {
  /// Writes the title, its visibility, the message and the buttons.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.member("title", title)
    encoder.member("titleVisibility", "\(titleVisibility)")
    encoder.member("message", message)
    encoder.member("buttons", buttons)
    encoder.endObject()
  }

  /// Reads the title, its visibility, the message and the buttons.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let members = try decoder.members(of: Self.self)
    defer { members.finish() }
    var dialog = ConfirmationDialogState { TextState(verbatim: "") }
    dialog.title = try members.value("title")
    dialog.titleVisibility =
      switch try members.value("titleVisibility", String.self) {
      case "hidden": .hidden
      case "visible": .visible
      default: .automatic
      }
    dialog.message = try members.value("message")
    dialog.buttons = try members.value("buttons")
    return dialog
  }

  /// Reports the type of the actions.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(Action.self) }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension ButtonState: @retroactive LogValue {
  /// Writes the action, the label and the role.
  public func encode(to encoder: inout LogEncoder) {
    var action: Action?
    withAction { action = $0 }
    encoder.beginObject()
    encoder.member("action", action)
    encoder.member("label", label)
    encoder.member("role", role.map { $0 == .cancel ? "cancel" : "destructive" })
    encoder.endObject()
  }

  /// Reads the action, the label and the role.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let members = try decoder.members(of: Self.self)
    defer { members.finish() }
    let action = try members.value("action", Action?.self)
    let label = try members.value("label", TextState.self)
    let role = try members.value("role", String?.self)
    return ButtonState(
      role: role.map { $0 == "cancel" ? .cancel : .destructive },
      action: .send(action),
      label: { label }
    )
  }

  /// Reports the type of the action.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(Action.self) }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}
