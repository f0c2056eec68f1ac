public import Foundation

/// Makes UUIDs, at random or as a test wants them.
///
/// ```swift
/// @Dependency(\.uuid) var uuid
/// state.todos.append(Todo(id: uuid()))
/// ```
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Makes a generator of a function.
  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.generate = generate
  }

  /// Makes a UUID.
  public func callAsFunction() -> UUID {
    ReadScope.read("uuid", standIn: UUID(0), live: generate)
  }
}

extension UUIDGenerator {
  /// A generator that always makes the same UUID.
  public static func constant(_ uuid: UUID) -> UUIDGenerator {
    UUIDGenerator { uuid }
  }

  /// A generator that counts: `00000000-0000-0000-0000-000000000000`, `...01`, and so on.
  ///
  /// Each use of this property starts a sequence of its own.
  public static var incrementing: UUIDGenerator {
    let next = LockIsolated(0)
    return UUIDGenerator {
      next.withValue { next in
        defer { next += 1 }
        return UUID(next)
      }
    }
  }
}

extension UUID {
  /// The UUID whose last digits are a number, in hexadecimal.
  ///
  /// Negative numbers have a marker in front, so they never meet a positive one.
  public init(_ number: Int) {
    let magnitude = UInt64(number.magnitude)
    func byte(_ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: magnitude >> (8 * place)) }
    let marker: UInt8 = number < 0 ? 0xFF : 0
    self.init(
      uuid: (
        marker, 0, 0, 0, 0, 0, 0, 0,
        byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1), byte(0)
      )
    )
  }
}

private enum UUIDKey: DependencyKey {
  static let liveValue = UUIDGenerator { UUID() }
}

extension DependencyValues {
  /// Makes UUIDs.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }
}
