import ActionLog
public import Foundation

extension Date: CustomDumpStringConvertible {
  /// The instant in UTC, exactly.
  public var customDumpDescription: String {
    "Date(\(iso8601 ?? "timeIntervalSinceReferenceDate: \(timeIntervalSinceReferenceDate)"))"
  }
}

extension URL: CustomDumpStringConvertible {
  /// The whole URL.
  public var customDumpDescription: String { "URL(\(absoluteString))" }
}

extension UUID: CustomDumpStringConvertible {
  /// The digits.
  public var customDumpDescription: String { "UUID(\(uuidString))" }
}

extension Data: CustomDumpStringConvertible {
  private static let mostBytes = 32

  /// How many bytes there are, and the first of them in hexadecimal.
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
  /// The number.
  public var customDumpDescription: String { description }
}

extension Locale: CustomDumpStringConvertible {
  /// The identifier.
  public var customDumpDescription: String { "Locale(\(identifier))" }
}

extension TimeZone: CustomDumpStringConvertible {
  /// The identifier.
  public var customDumpDescription: String { "TimeZone(\(identifier))" }
}

extension Calendar: CustomDumpStringConvertible {
  /// The calendar's kind, time zone and locale.
  public var customDumpDescription: String {
    let locale = locale.map { ", locale: \($0.identifier)" } ?? ""
    return "Calendar(\(identifier), timeZone: \(timeZone.identifier)\(locale))"
  }
}

extension IndexSet: CustomDumpReflectable {
  /// The indices in ranges.
  public var customDumpMirror: Mirror {
    Mirror(self, children: ["ranges": Array(rangeView)], displayStyle: .struct)
  }
}

extension NSError: CustomDumpReflectable {
  /// The domain, the code, and what is said besides.
  public var customDumpMirror: Mirror {
    Mirror(
      self,
      children: ["domain": domain, "code": code, "userInfo": userInfo],
      displayStyle: .struct
    )
  }
}
