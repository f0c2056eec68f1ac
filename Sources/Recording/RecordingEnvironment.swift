import ActionLog

/// Where a recording takes place, for its header.
enum RecordingEnvironment {
  /// The members of `environment` in the header.
  ///
  /// - Parameter members: Those of the model, which come after the system and the compiler.
  static func json(with members: JSON.Object) -> JSON {
    var object: JSON.Object = ["os": .string(os), "swift": .string(swift)]
    for (name, value) in members { object[name] = value }
    return .object(object)
  }

  private static var os: String {
    #if os(Linux)
    "Linux"
    #elseif os(macOS)
    "macOS"
    #elseif os(iOS)
    "iOS"
    #elseif os(tvOS)
    "tvOS"
    #elseif os(watchOS)
    "watchOS"
    #elseif os(visionOS)
    "visionOS"
    #else
    "unknown"
    #endif
  }

  private static var swift: String {
    #if compiler(>=6.4)
    "6.4"
    #elseif compiler(>=6.3)
    "6.3"
    #else
    "6.2"
    #endif
  }
}
