#if !canImport(SwiftUI)
/// A substitute for SwiftUI's `Animation`, so that features with animations build on systems without SwiftUI.
///
/// ```swift
/// await send(.loaded, animation: .default)
///
/// let curves: [Animation] = [.linear, .easeIn, .easeOut, .easeInOut]
/// let springs: [Animation] = [.spring, .bouncy, .smooth, .snappy, .interactiveSpring]
/// ```
///
/// The substitute animates no views. All durations and delays are in seconds.
public struct Animation: Hashable, Sendable, CustomStringConvertible {
  /// The Swift expression that creates the animation, such as `easeOut(duration: 0.2)`.
  public let description: String

  private init(_ description: String) {
    self.description = description
  }

  private func then(_ change: String) -> Animation {
    Animation("\(description).\(change)")
  }
}

extension Animation {
  /// The system's default animation.
  public static let `default` = Animation("default")
  /// An animation with a constant speed.
  public static let linear = Animation("linear")
  /// An animation that starts slowly.
  public static let easeIn = Animation("easeIn")
  /// An animation that ends slowly.
  public static let easeOut = Animation("easeOut")
  /// An animation that starts and ends slowly.
  public static let easeInOut = Animation("easeInOut")
  /// A spring animation with the system's default parameters.
  public static let spring = Animation("spring")
  /// A spring animation with a large bounce: the movement overshoots its target visibly.
  public static let bouncy = Animation("bouncy")
  /// A spring animation without bounce.
  public static let smooth = Animation("smooth")
  /// A spring animation with a small bounce: the movement overshoots its target slightly.
  public static let snappy = Animation("snappy")
  /// A spring animation for interactive changes, such as drags.
  public static let interactiveSpring = Animation("interactiveSpring")

  /// Returns an animation that lasts `duration` seconds and has a constant speed.
  ///
  /// ```swift
  /// store.send(.progressed, animation: .linear(duration: 0.2))
  /// ```
  public static func linear(duration: Double) -> Animation {
    Animation("linear(duration: \(duration))")
  }

  /// Returns an animation that starts slowly and lasts `duration` seconds.
  public static func easeIn(duration: Double) -> Animation {
    Animation("easeIn(duration: \(duration))")
  }

  /// Returns an animation that ends slowly and lasts `duration` seconds.
  public static func easeOut(duration: Double) -> Animation {
    Animation("easeOut(duration: \(duration))")
  }

  /// Returns an animation that starts and ends slowly and lasts `duration` seconds.
  public static func easeInOut(duration: Double) -> Animation {
    Animation("easeInOut(duration: \(duration))")
  }

  /// Returns an animation that lasts `duration` seconds and follows a cubic Bézier curve with two control points.
  ///
  /// ```swift
  /// store.send(.panelOpened, animation: .timingCurve(0.2, 0, 0, 1, duration: 0.4))
  /// ```
  public static func timingCurve(
    _ x0: Double,
    _ y0: Double,
    _ x1: Double,
    _ y1: Double,
    duration: Double = 0.35
  ) -> Animation {
    Animation("timingCurve(\(x0), \(y0), \(x1), \(y1), duration: \(duration))")
  }

  /// Returns a spring animation that lasts `duration` seconds.
  ///
  /// A `bounce` of 0 means no overshoot.
  ///
  /// ```swift
  /// store.send(.panelOpened, animation: .spring(duration: 0.3, bounce: 0.2))
  /// ```
  public static func spring(
    duration: Double = 0.5,
    bounce: Double = 0,
    blendDuration _: Double = 0
  ) -> Animation {
    Animation("spring(duration: \(duration), bounce: \(bounce))")
  }

  /// Returns a spring animation with the given response, in seconds.
  ///
  /// A `dampingFraction` of 1 means no overshoot.
  ///
  /// ```swift
  /// store.send(.cardDropped, animation: .spring(response: 0.4, dampingFraction: 0.7))
  /// ```
  @_disfavoredOverload
  public static func spring(
    response: Double = 0.5,
    dampingFraction: Double = 0.825,
    blendDuration _: Double = 0
  ) -> Animation {
    Animation("spring(response: \(response), dampingFraction: \(dampingFraction))")
  }

  /// Returns a spring animation for interactive changes, with the given response, in seconds.
  ///
  /// ```swift
  /// store.send(.cardDragged, animation: .interactiveSpring(response: 0.1))
  /// ```
  public static func interactiveSpring(
    response: Double = 0.15,
    dampingFraction: Double = 0.86,
    blendDuration _: Double = 0.25
  ) -> Animation {
    Animation("interactiveSpring(response: \(response), dampingFraction: \(dampingFraction))")
  }

  /// Returns the animation of a mass on a spring with the given stiffness and damping.
  ///
  /// When animations overlap, their movements add up.
  ///
  /// ```swift
  /// store.send(.cardDropped, animation: .interpolatingSpring(stiffness: 170, damping: 26))
  /// ```
  public static func interpolatingSpring(
    mass: Double = 1,
    stiffness: Double,
    damping: Double,
    initialVelocity _: Double = 0
  ) -> Animation {
    Animation("interpolatingSpring(mass: \(mass), stiffness: \(stiffness), damping: \(damping))")
  }

  /// Returns a spring animation that lasts `duration` seconds.
  ///
  /// When animations overlap, their movements add up.
  public static func interpolatingSpring(
    duration: Double = 0.5,
    bounce: Double = 0,
    initialVelocity _: Double = 0
  ) -> Animation {
    Animation("interpolatingSpring(duration: \(duration), bounce: \(bounce))")
  }

  /// Returns a spring animation that lasts `duration` seconds and has a large bounce.
  ///
  /// ```swift
  /// store.send(.badgeAdded, animation: .bouncy(duration: 0.4, extraBounce: 0.1))
  /// ```
  ///
  /// - Parameters:
  ///   - duration: The duration in seconds.
  ///   - extraBounce: A value that is added to the default bounce.
  /// - Returns: The animation.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("bouncy(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// Returns a spring animation that lasts `duration` seconds and has no bounce, unless `extraBounce` adds one.
  ///
  /// - Parameters:
  ///   - duration: The duration in seconds.
  ///   - extraBounce: A value that is added to the default bounce.
  /// - Returns: The animation.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("smooth(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// Returns a spring animation that lasts `duration` seconds and has a small bounce.
  ///
  /// - Parameters:
  ///   - duration: The duration in seconds.
  ///   - extraBounce: A value that is added to the default bounce.
  /// - Returns: The animation.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("snappy(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// Returns an animation that starts this one after `delay` seconds.
  ///
  /// ```swift
  /// store.send(.appeared, animation: .default.delay(0.1))
  /// ```
  public func delay(_ delay: Double) -> Animation { then("delay(\(delay))") }

  /// Returns an animation that runs this one at a multiple of its speed.
  ///
  /// ```swift
  /// store.send(.panelClosed, animation: .easeOut.speed(2))  // in half the time
  /// ```
  public func speed(_ speed: Double) -> Animation { then("speed(\(speed))") }

  /// Returns an animation that runs `count` times.
  ///
  /// With `autoreverses`, every second run goes backward.
  ///
  /// ```swift
  /// store.send(.alarmRang, animation: .linear.repeatCount(3, autoreverses: false))
  /// ```
  public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation {
    then("repeatCount(\(count), autoreverses: \(autoreverses))")
  }

  /// Returns an animation that repeats endlessly.
  ///
  /// With `autoreverses`, every second run goes backward.
  ///
  /// ```swift
  /// store.send(.recordingStarted, animation: .easeInOut(duration: 1).repeatForever())
  /// ```
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    then("repeatForever(autoreverses: \(autoreverses))")
  }
}

/// A substitute for SwiftUI's `Transaction`, the context of a state change, on systems without SwiftUI.
///
/// ```swift
/// var transaction = Transaction(animation: .default)
/// transaction.disablesAnimations = true
/// store.send(.saved, transaction: transaction)
/// ```
public struct Transaction: Sendable {
  /// The animation of the state change; `nil` for no animation.
  public var animation: Animation?
  /// Whether views must apply the change without their own animations.
  public var disablesAnimations = false

  /// Creates a transaction with an animation, or without one.
  public init(animation: Animation? = nil) {
    self.animation = animation
  }
}

/// Runs a closure, ignoring the transaction.
func withTransaction<Result>(
  _: Transaction,
  _ body: () throws -> Result
) rethrows -> Result {
  try body()
}
#endif
