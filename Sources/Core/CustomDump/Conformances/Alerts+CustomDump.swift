extension TextState: CustomDumpRepresentable {
  /// The text.
  public var customDumpValue: Any { description }
}

extension AlertState: CustomDumpReflectable {
  /// What the alert says, and what its buttons do.
  public var customDumpMirror: Mirror {
    var children: [(String?, Any)] = [("title", title)]
    if !buttons.isEmpty { children.append(("actions", buttons)) }
    if let message { children.append(("message", message)) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension ConfirmationDialogState: CustomDumpReflectable {
  /// What the dialog says, and what its buttons do.
  public var customDumpMirror: Mirror {
    var children: [(String?, Any)] = [("title", title)]
    if titleVisibility != .automatic { children.append(("titleVisibility", titleVisibility)) }
    if !buttons.isEmpty { children.append(("actions", buttons)) }
    if let message { children.append(("message", message)) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension ButtonState: CustomDumpReflectable {
  /// What the button says and does.
  public var customDumpMirror: Mirror {
    var children: [(String?, Any)] = []
    if let role { children.append(("role", role)) }
    if action.action != nil { children.append(("action", action)) }
    children.append(("label", label))
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension ButtonStateAction: CustomDumpReflectable {
  /// What is sent.
  public var customDumpMirror: Mirror {
    Mirror(self, children: ["send": action as Any], displayStyle: .enum)
  }
}
