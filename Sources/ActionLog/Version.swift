/// The version of this package.
///
/// ```swift
/// print("tca-replay \(Version.current)")
/// ```
public enum Version {
  /// The version as `major.minor.patch`.
  public static let current = "0.2.0"
}
