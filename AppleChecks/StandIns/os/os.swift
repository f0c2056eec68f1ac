// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// Apple's unified logging, reduced to the parts that the project uses. Each comment names the page that describes the
// declaration.

// developer.apple.com/documentation/os/oslog
public final class OSLog {
  // developer.apple.com/documentation/os/oslog/init(subsystem:category:)
  public init(subsystem _: String, category _: String) {}
  // developer.apple.com/documentation/os/oslog/signpostsenabled
  public var signpostsEnabled: Bool { false }
}

// developer.apple.com/documentation/os/ossignpostid
public struct OSSignpostID: Sendable {
  // developer.apple.com/documentation/os/ossignpostid/init(_:)
  public init(_ value: UInt64) { rawValue = value }
  // developer.apple.com/documentation/os/ossignpostid/init(log:)
  public init(log _: OSLog) { rawValue = 0 }
  // developer.apple.com/documentation/os/ossignpostid/rawvalue
  public let rawValue: UInt64
}

// developer.apple.com/documentation/os/ossignposttype
public struct OSSignpostType: Sendable {
  // developer.apple.com/documentation/os/ossignposttype/event
  public static let event = OSSignpostType()
  // developer.apple.com/documentation/os/ossignposttype/begin
  public static let begin = OSSignpostType()
  // developer.apple.com/documentation/os/ossignposttype/end
  public static let end = OSSignpostType()
}

// developer.apple.com/documentation/os/os_signpost(_:dso:log:name:signpostid:_:_:)
public func os_signpost(
  _: OSSignpostType,
  dso _: UnsafeRawPointer = #dsohandle,
  log _: OSLog,
  name _: StaticString,
  signpostID _: OSSignpostID,
  _: StaticString,
  _: any CVarArg...
) {}
