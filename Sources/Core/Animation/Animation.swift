#if !canImport(SwiftUI)
/// An animation where there is no SwiftUI: features that name animations build, and nothing moves.
///
/// ```swift
/// await send(.loaded, animation: .default)
/// ```
public struct Animation: Hashable, Sendable, CustomStringConvertible {
  /// The animation as it was written.
  public let description: String

  private init(_ description: String) {
    self.description = description
  }

  private func then(_ change: String) -> Animation {
    Animation("\(description).\(change)")
  }
}

extension Animation {
  /// The usual one.
  public static let `default` = Animation("default")
  /// At one speed.
  public static let linear = Animation("linear")
  /// Slow at first.
  public static let easeIn = Animation("easeIn")
  /// Slow at the end.
  public static let easeOut = Animation("easeOut")
  /// Slow at first and at the end.
  public static let easeInOut = Animation("easeInOut")
  /// Like a spring.
  public static let spring = Animation("spring")
  /// Like a spring that swings.
  public static let bouncy = Animation("bouncy")
  /// Like a spring that does not swing.
  public static let smooth = Animation("smooth")
  /// Like a spring that swings a little.
  public static let snappy = Animation("snappy")
  /// Like a spring under a finger.
  public static let interactiveSpring = Animation("interactiveSpring")

  /// At one speed, for some seconds.
  public static func linear(duration: Double) -> Animation {
    Animation("linear(duration: \(duration))")
  }

  /// Slow at first, for some seconds.
  public static func easeIn(duration: Double) -> Animation {
    Animation("easeIn(duration: \(duration))")
  }

  /// Slow at the end, for some seconds.
  public static func easeOut(duration: Double) -> Animation {
    Animation("easeOut(duration: \(duration))")
  }

  /// Slow at first and at the end, for some seconds.
  public static func easeInOut(duration: Double) -> Animation {
    Animation("easeInOut(duration: \(duration))")
  }

  /// Along a curve between two points, for some seconds.
  public static func timingCurve(
    _ x0: Double,
    _ y0: Double,
    _ x1: Double,
    _ y1: Double,
    duration: Double = 0.35
  ) -> Animation {
    Animation("timingCurve(\(x0), \(y0), \(x1), \(y1), duration: \(duration))")
  }

  /// Like a spring, for some seconds.
  public static func spring(
    duration: Double = 0.5,
    bounce: Double = 0,
    blendDuration _: Double = 0
  ) -> Animation {
    Animation("spring(duration: \(duration), bounce: \(bounce))")
  }

  /// Like a spring of some stiffness.
  @_disfavoredOverload
  public static func spring(
    response: Double = 0.5,
    dampingFraction: Double = 0.825,
    blendDuration _: Double = 0
  ) -> Animation {
    Animation("spring(response: \(response), dampingFraction: \(dampingFraction))")
  }

  /// Like a spring under a finger.
  public static func interactiveSpring(
    response: Double = 0.15,
    dampingFraction: Double = 0.86,
    blendDuration _: Double = 0.25
  ) -> Animation {
    Animation("interactiveSpring(response: \(response), dampingFraction: \(dampingFraction))")
  }

  /// Like a spring with a weight, which can be added to others.
  public static func interpolatingSpring(
    mass: Double = 1,
    stiffness: Double,
    damping: Double,
    initialVelocity _: Double = 0
  ) -> Animation {
    Animation("interpolatingSpring(mass: \(mass), stiffness: \(stiffness), damping: \(damping))")
  }

  /// Like a spring for some seconds, which can be added to others.
  public static func interpolatingSpring(
    duration: Double = 0.5,
    bounce: Double = 0,
    initialVelocity _: Double = 0
  ) -> Animation {
    Animation("interpolatingSpring(duration: \(duration), bounce: \(bounce))")
  }

  /// Like a spring that swings, for some seconds.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("bouncy(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// Like a spring that does not swing, for some seconds.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("smooth(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// Like a spring that swings a little, for some seconds.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("snappy(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// The animation, begun some seconds later.
  public func delay(_ delay: Double) -> Animation { then("delay(\(delay))") }

  /// The animation at another speed.
  public func speed(_ speed: Double) -> Animation { then("speed(\(speed))") }

  /// The animation, some times.
  public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation {
    then("repeatCount(\(count), autoreverses: \(autoreverses))")
  }

  /// The animation, without an end.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    then("repeatForever(autoreverses: \(autoreverses))")
  }
}

/// The context of a change, where there is no SwiftUI.
///
/// ```swift
/// var transaction = Transaction(animation: .default)
/// transaction.disablesAnimations = true
/// store.send(.saved, transaction: transaction)
/// ```
public struct Transaction: Sendable {
  /// The animation of the change.
  public var animation: Animation?
  /// Whether nothing is animated at all.
  public var disablesAnimations = false

  /// Makes one.
  public init(animation: Animation? = nil) {
    self.animation = animation
  }
}
#endif
