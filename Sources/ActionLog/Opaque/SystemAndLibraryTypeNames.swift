/// The names of types that an app can use but can't extend with `@LogValue` or a conformance to `Codable`.
///
/// A log contains type names without modules. This list contains only names that an app is certain not to use for its
/// own types.
enum SystemAndLibraryTypeNames {
  /// Whether a type name belongs to the system or to the library.
  static func contains(_ type: String) -> Bool {
    let name = type.prefix { $0 != "<" && $0 != "." }
    if name.hasPrefix("NS"), let third = name.dropFirst(2).first, third.isUppercase { return true }
    return names.contains(name)
  }

  /// Whether a type name belongs to a type-erased box, such as `Any` or `any Error`.
  static func isBox(_ type: String) -> Bool {
    type.hasPrefix("any ") || ["Any", "AnyObject", "AnyHashable", "AnyError"].contains(type)
  }

  private static let names: Set<Substring> = [
    // Types of the standard library.
    "AnyIterator", "AnySequence", "AsyncStream", "AsyncThrowingStream", "CancellationError",
    "CheckedContinuation", "DecodingError", "EncodingError", "Mutex", "Regex", "Task",
    "ThrowingTaskGroup", "UnsafeContinuation",
    // Types of Foundation and Dispatch.
    "Bundle", "CocoaError", "DateFormatter", "DispatchQueue", "DispatchSource", "FileHandle",
    "FileManager", "Formatter", "HTTPURLResponse", "JSONDecoder", "JSONEncoder", "MachError",
    "Notification", "NumberFormatter", "Operation", "OperationQueue", "POSIXError", "Process",
    "Progress", "Scanner", "Thread", "Timer", "URLError", "URLProtocol", "URLRequest",
    "URLResponse", "URLSession", "URLSessionDataTask", "URLSessionTask", "UserDefaults",
    // Types of Apple's frameworks.
    "AVPlayer", "AVPlayerItem", "AnyCancellable", "AnyPublisher", "AnyView", "CGColor", "CGImage",
    "CGPath", "CLHeading", "CLLocation", "CLLocationManager", "CLPlacemark", "MKMapItem",
    "PHAsset", "SKProduct", "UIColor", "UIFont", "UIImage", "UIView", "UIViewController",
    "UNNotification", "WKWebView",
  ]
}
