/// How much of what happens in a test store the test has to assert.
public enum Exhaustivity: Hashable, Sendable {
  /// Everything: each change of the state, each received action, the end of each effect.
  case on
  /// Only what the test chooses to assert.
  ///
  /// What it leaves out fails nothing; with `showSkippedAssertions` it is shown beside the issues.
  case off(showSkippedAssertions: Bool)

  /// Only what the test chooses to assert, and nothing is shown of the rest.
  public static let off = Exhaustivity.off(showSkippedAssertions: false)
}
