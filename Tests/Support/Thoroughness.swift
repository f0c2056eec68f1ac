private import Foundation

/// How much random tests try: enough to notice a fault soon in each run, and more where `TCA_REPLAY_THOROUGH` is set, as in
/// the nightly run.
///
/// ```swift
/// @Test(arguments: Thoroughness.seeds(4, thorough: 24))
/// func `random logs replay identically`(seed: UInt64) throws { … }
/// ```
package enum Thoroughness {
  /// Whether there is time for more.
  package static let isHigh = ProcessInfo.processInfo.environment["TCA_REPLAY_THOROUGH"] != nil

  /// Seeds from 1 on.
  ///
  /// - Parameters:
  ///   - usual: How many there are in each run.
  ///   - thorough: How many there are where there is time for more.
  /// - Returns: The seeds.
  package static func seeds(_ usual: UInt64, thorough: UInt64) -> ClosedRange<UInt64> {
    1...count(usual, thorough: thorough)
  }

  /// A number of repetitions.
  ///
  /// - Parameters:
  ///   - usual: The number in each run.
  ///   - thorough: The number where there is time for more.
  /// - Returns: The number.
  package static func count<Number: FixedWidthInteger>(_ usual: Number, thorough: Number) -> Number
  {
    isHigh ? thorough : usual
  }
}
