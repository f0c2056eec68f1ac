/// The version of this package.
public enum Version {
  /// The version as `major.minor.patch`.
  public static let current = "0.2.0"
}
