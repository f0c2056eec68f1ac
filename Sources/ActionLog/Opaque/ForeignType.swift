/// The names of types that an app holds and cannot extend with a conformance to `Codable` or with `@LogValue`.
///
/// A log has names without modules, so these are the names that are certainly not the app's.
enum ForeignType {
  /// Whether a type is the system's or the library's.
  static func contains(_ type: String) -> Bool {
    let name = type.prefix { $0 != "<" && $0 != "." }
    if name.hasPrefix("NS"), let third = name.dropFirst(2).first, third.isUppercase { return true }
    return names.contains(name)
  }

  /// Whether a type is a box for values of several types.
  static func isBox(_ type: String) -> Bool {
    type.hasPrefix("any ") || ["Any", "AnyObject", "AnyHashable", "AnyError"].contains(type)
  }

  private static let names: Set<Substring> = [
    // The standard library.
    "AnyIterator", "AnySequence", "AsyncStream", "AsyncThrowingStream", "CancellationError",
    "CheckedContinuation", "DecodingError", "EncodingError", "Mutex", "Regex", "Task",
    "ThrowingTaskGroup", "UnsafeContinuation",
    // Foundation and Dispatch.
    "Bundle", "CocoaError", "DateFormatter", "DispatchQueue", "DispatchSource", "FileHandle",
    "FileManager", "Formatter", "HTTPURLResponse", "JSONDecoder", "JSONEncoder", "MachError",
    "Notification", "NumberFormatter", "Operation", "OperationQueue", "POSIXError", "Process",
    "Progress", "Scanner", "Thread", "Timer", "URLError", "URLProtocol", "URLRequest",
    "URLResponse", "URLSession", "URLSessionDataTask", "URLSessionTask", "UserDefaults",
    // Apple's frameworks.
    "AVPlayer", "AVPlayerItem", "AnyCancellable", "AnyPublisher", "AnyView", "CGColor", "CGImage",
    "CGPath", "CLHeading", "CLLocation", "CLLocationManager", "CLPlacemark", "MKMapItem",
    "PHAsset", "SKProduct", "UIColor", "UIFont", "UIImage", "UIView", "UIViewController",
    "UNNotification", "WKWebView",
  ]
}
