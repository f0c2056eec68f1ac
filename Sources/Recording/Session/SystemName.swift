/// The system that this code was compiled for, as headers of logs name it.
///
/// Only a build for each system compiles each line, so nothing else is in this file.
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
