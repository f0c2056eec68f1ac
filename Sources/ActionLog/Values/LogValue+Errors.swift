public import Foundation

// Features distinguish these system errors. The conformances let a replay decode them with their own types.

extension CancellationError: LogValue {
  /// Writes an empty object, because all cancellation errors are equal.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.endObject()
  }

  /// Decodes an object, and records drift for each of its members.
  public static func decode(
    from decoder: LogDecoder,
    over template: CancellationError?
  ) throws -> CancellationError {
    try decoder.members(of: Self.self).finish()
    return CancellationError()
  }
}

/// A Foundation error that has a code in its own domain.
///
/// The log holds the code, and the strings and URLs in the error's user info:
/// `{"code":-1009,"userInfo":{"NSLocalizedDescription":"Offline"}}`.
public protocol _$CodedError: LogValue {
  associatedtype Code: RawRepresentable where Code.RawValue: FixedWidthInteger & LogValue
  var code: Code { get }
  var userInfo: [String: Any] { get }
  init(_ code: Code, userInfo: [String: Any])
}

extension _$CodedError {
  /// Writes the code, and the strings and URLs in the user info.
  public func encode(to encoder: inout LogEncoder) {
    let texts = userInfo.compactMapValues { $0 as? String }
    let addresses = userInfo.compactMapValues { $0 as? URL }
    encoder.beginObject()
    encoder.member("code", code.rawValue)
    if !texts.isEmpty { encoder.member("userInfo", texts) }
    if !addresses.isEmpty { encoder.member("urls", addresses) }
    encoder.endObject()
  }

  /// Decodes the code and the user info.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    let members = try decoder.members(of: Self.self)
    defer { members.finish() }
    let number: Code.RawValue = try members.value("code")
    guard let code = Code(rawValue: number) else {
      throw decoder.error(.unknownCase("\(number)"), type: Self.self)
    }
    var userInfo: [String: Any] = [:]
    if members.names.contains("userInfo") {
      userInfo = try members.value("userInfo", [String: String].self)
    }
    if members.names.contains("urls") {
      userInfo.merge(try members.value("urls", [String: URL].self)) { text, _ in text }
    }
    return Self(code, userInfo: userInfo)
  }
}

extension CocoaError: _$CodedError {}
extension POSIXError: _$CodedError {}
extension URLError: _$CodedError {}
