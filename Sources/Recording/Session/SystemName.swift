/// The name of the operating system for which this code was compiled, as the header of a log contains it.
///
/// The type has its own file, because no single build compiles all of its lines.
enum SystemName {
  static var current: String {
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
}
