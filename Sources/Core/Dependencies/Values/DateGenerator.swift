public import Foundation

/// Tells the date.
///
/// ```swift
/// @Dependency(\.date.now) var now
/// ```
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Makes a generator of a function.
  public init(_ generate: @escaping @Sendable () -> Date) {
    self.generate = generate
  }

  /// A generator that always tells the same date.
  public static func constant(_ date: Date) -> DateGenerator {
    DateGenerator { date }
  }

  /// The date as it is told now.
  ///
  /// Setting it makes it stand still.
  public var now: Date {
    get { ReadScope.read("date", standIn: Date(timeIntervalSince1970: 0), live: generate) }
    set { generate = { newValue } }
  }

  /// The date.
  public func callAsFunction() -> Date {
    now
  }
}

private enum DateKey: DependencyKey {
  static let liveValue = DateGenerator { Date() }
}

extension DependencyValues {
  /// Tells the date.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }
}
