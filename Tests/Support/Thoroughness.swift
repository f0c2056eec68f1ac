private import Foundation

/// The effort of random tests: enough to find a fault soon, and more if `TCA_REPLAY_THOROUGH` is set, as in the nightly
/// run.
///
/// ```swift
/// @Test(arguments: Thoroughness.seeds(4, thorough: 24))
/// func `random logs replay identically`(seed: UInt64) throws { … }
/// ```
package enum Thoroughness {
  /// Whether the run may take more time.
  package static let isHigh = ProcessInfo.processInfo.environment["TCA_REPLAY_THOROUGH"] != nil

  /// Returns seeds that start at 1.
  ///
  /// - Parameters:
  ///   - usual: The number of seeds in each run.
  ///   - thorough: The number of seeds in a thorough run.
  /// - Returns: The seeds.
  package static func seeds(_ usual: UInt64, thorough: UInt64) -> ClosedRange<UInt64> {
    1...count(usual, thorough: thorough)
  }

  /// Returns a number of repetitions.
  ///
  /// - Parameters:
  ///   - usual: The number in each run.
  ///   - thorough: The number in a thorough run.
  /// - Returns: The number.
  package static func count<Number: FixedWidthInteger>(_ usual: Number, thorough: Number) -> Number
  {
    isHigh ? thorough : usual
  }
}
