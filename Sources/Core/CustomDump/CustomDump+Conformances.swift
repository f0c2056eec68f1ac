import ActionLog
public import Foundation

extension AnyHashable: CustomDumpRepresentable {
  /// The wrapped value, which a dump shows in place of the `AnyHashable`.
  public var customDumpValue: Any { base }
}

extension Duration: CustomDumpStringConvertible {
  /// The duration in seconds: `Duration(1.5 seconds)`.
  public var customDumpDescription: String { "Duration(\(self))" }
}

extension Range: CustomDumpStringConvertible {
  /// The range with its bounds as in source code: `1..<5`.
  public var customDumpDescription: String {
    "\(DumpText.key(lowerBound))..<\(DumpText.key(upperBound))"
  }
}

extension ClosedRange: CustomDumpStringConvertible {
  /// The range with its bounds as in source code: `1...5`.
  public var customDumpDescription: String {
    "\(DumpText.key(lowerBound))...\(DumpText.key(upperBound))"
  }
}

extension LockIsolated: CustomDumpRepresentable {
  /// The protected value, which a dump shows in place of the container.
  public var customDumpValue: Any {
    withValue { $0 as Any }
  }
}

extension KeyValuePairs: CustomDumpReflectable {
  /// A mirror of the key-value pairs, in order.
  public var customDumpMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .dictionary)
  }
}

extension Date: CustomDumpStringConvertible {
  /// The instant in UTC, with all digits.
  public var customDumpDescription: String {
    "Date(\(iso8601 ?? "timeIntervalSinceReferenceDate: \(timeIntervalSinceReferenceDate)"))"
  }
}

extension URL: CustomDumpStringConvertible {
  /// The absolute URL.
  public var customDumpDescription: String { "URL(\(absoluteString))" }
}

extension UUID: CustomDumpStringConvertible {
  /// The UUID as a hexadecimal string.
  public var customDumpDescription: String { "UUID(\(uuidString))" }
}

extension Data: CustomDumpStringConvertible {
  private static let mostBytes = 32

  /// The number of bytes, followed by the first bytes in hexadecimal.
  public var customDumpDescription: String {
    guard !isEmpty else { return "Data(0 bytes)" }
    let digits = prefix(Self.mostBytes).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    let rest = count > Self.mostBytes ? "…" : ""
    return "Data(\(count) byte\(count == 1 ? "" : "s"): \(digits.joined())\(rest))"
  }
}

extension Decimal: CustomDumpStringConvertible {
  /// The number in decimal notation.
  public var customDumpDescription: String { description }
}

extension Locale: CustomDumpStringConvertible {
  /// The identifier of the locale.
  public var customDumpDescription: String { "Locale(\(identifier))" }
}

extension TimeZone: CustomDumpStringConvertible {
  /// The identifier of the time zone.
  public var customDumpDescription: String { "TimeZone(\(identifier))" }
}

extension Calendar: CustomDumpStringConvertible {
  /// The identifier, the time zone, and the locale of the calendar.
  public var customDumpDescription: String {
    let locale = locale.map { ", locale: \($0.identifier)" } ?? ""
    return "Calendar(\(identifier), timeZone: \(timeZone.identifier)\(locale))"
  }
}

extension IndexSet: CustomDumpReflectable {
  /// A mirror of the index ranges, in ascending order.
  public var customDumpMirror: Mirror {
    Mirror(self, children: ["ranges": Array(rangeView)], displayStyle: .struct)
  }
}

extension NSError: CustomDumpReflectable {
  /// A mirror of the error's domain, code, and user info.
  public var customDumpMirror: Mirror {
    Mirror(
      self,
      children: ["domain": domain, "code": code, "userInfo": userInfo],
      displayStyle: .struct
    )
  }
}

extension IdentifiedArray: CustomDumpReflectable {
  /// A mirror of the elements, in order.
  public var customDumpMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}

extension OrderedSet: CustomDumpReflectable {
  /// A mirror of the elements, in order.
  public var customDumpMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}

extension StackState: CustomDumpReflectable {
  /// A mirror of the elements with their ids, in order.
  public var customDumpMirror: Mirror {
    let pairs = zip(ids, elements).map { (key: $0, value: $1) }
    return Mirror(self, unlabeledChildren: pairs, displayStyle: .dictionary)
  }
}

extension StackElementID: CustomDumpStringConvertible {
  /// The id as a number after `#`.
  public var customDumpDescription: String { description }
}

extension PresentationState: CustomDumpRepresentable {
  /// The presented state, or `nil`.
  public var customDumpValue: Any { wrappedValue as Any }
}

extension PresentationState: DumpedUnderWrappedName {}

extension BindingAction: CustomDumpReflectable {
  /// A mirror that shows the action as an enum case `set` with the key path and the new value.
  public var customDumpMirror: Mirror {
    Mirror(self, children: ["set": (keyPath, value)], displayStyle: .enum)
  }
}

extension TextState: CustomDumpRepresentable {
  /// The string that the text state contains.
  public var customDumpValue: Any { description }
}

extension AlertState: CustomDumpReflectable {
  /// A mirror of the alert's title, message, and buttons.
  public var customDumpMirror: Mirror {
    var children: [(String?, Any)] = [("title", title)]
    if !buttons.isEmpty { children.append(("actions", buttons)) }
    if let message { children.append(("message", message)) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension ConfirmationDialogState: CustomDumpReflectable {
  /// A mirror of the dialog's title, title visibility, buttons, and message.
  public var customDumpMirror: Mirror {
    var children: [(String?, Any)] = [("title", title)]
    if titleVisibility != .automatic { children.append(("titleVisibility", titleVisibility)) }
    if !buttons.isEmpty { children.append(("actions", buttons)) }
    if let message { children.append(("message", message)) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension ButtonState: CustomDumpReflectable {
  /// A mirror of the button's role, action, and label.
  public var customDumpMirror: Mirror {
    var children: [(String?, Any)] = []
    if let role { children.append(("role", role)) }
    if action.action != nil { children.append(("action", action)) }
    children.append(("label", label))
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension ButtonStateAction: CustomDumpReflectable {
  /// A mirror of the action that the button sends.
  public var customDumpMirror: Mirror {
    Mirror(self, children: ["send": action as Any], displayStyle: .enum)
  }
}
