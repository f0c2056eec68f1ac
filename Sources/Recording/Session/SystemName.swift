/// The name of the operating system that this code was compiled for, as in the header of a log.
///
/// The file contains nothing else, because no single build compiles all of its lines.
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
