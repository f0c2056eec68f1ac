#if !canImport(SwiftUI)
/// An animation where there is no SwiftUI: features that name animations build, and nothing moves.
///
/// ```swift
/// await send(.loaded, animation: .default)
///
/// let curves: [Animation] = [.linear, .easeIn, .easeOut, .easeInOut]
/// let springs: [Animation] = [.spring, .bouncy, .smooth, .snappy, .interactiveSpring]
/// ```
///
/// All durations, and delays, are in seconds.
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
  /// The system's default.
  public static let `default` = Animation("default")
  /// At a constant speed.
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
  /// Like a spring that follows a finger.
  public static let interactiveSpring = Animation("interactiveSpring")

  /// At a constant speed, over a number of seconds.
  ///
  /// ```swift
  /// store.send(.progressed, animation: .linear(duration: 0.2))
  /// ```
  public static func linear(duration: Double) -> Animation {
    Animation("linear(duration: \(duration))")
  }

  /// Slow at first, over a number of seconds.
  public static func easeIn(duration: Double) -> Animation {
    Animation("easeIn(duration: \(duration))")
  }

  /// Slow at the end, over a number of seconds.
  public static func easeOut(duration: Double) -> Animation {
    Animation("easeOut(duration: \(duration))")
  }

  /// Slow at first and at the end, over a number of seconds.
  public static func easeInOut(duration: Double) -> Animation {
    Animation("easeInOut(duration: \(duration))")
  }

  /// Along a cubic Bézier curve with two control points, over a number of seconds.
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

  /// Like a spring, over a number of seconds; a `bounce` of 0 does not swing.
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

  /// Like a spring with a response in seconds; a `dampingFraction` of 1 does not swing.
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

  /// Like a spring that follows a finger, with a response in seconds.
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

  /// Like a spring with a mass, whose movements add up where several overlap.
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

  /// Like a spring over a number of seconds, whose movements add up where several overlap.
  public static func interpolatingSpring(
    duration: Double = 0.5,
    bounce: Double = 0,
    initialVelocity _: Double = 0
  ) -> Animation {
    Animation("interpolatingSpring(duration: \(duration), bounce: \(bounce))")
  }

  /// Like a spring that swings, over a number of seconds.
  ///
  /// ```swift
  /// store.send(.badgeAdded, animation: .bouncy(duration: 0.4, extraBounce: 0.1))
  /// ```
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("bouncy(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// Like a spring that does not swing, over a number of seconds.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("smooth(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// Like a spring that swings a little, over a number of seconds.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation("snappy(duration: \(duration), extraBounce: \(extraBounce))")
  }

  /// The animation, begun after a number of seconds.
  ///
  /// ```swift
  /// store.send(.appeared, animation: .default.delay(0.1))
  /// ```
  public func delay(_ delay: Double) -> Animation { then("delay(\(delay))") }

  /// The animation at a multiple of its speed.
  ///
  /// ```swift
  /// store.send(.panelClosed, animation: .easeOut.speed(2))  // in half the time
  /// ```
  public func speed(_ speed: Double) -> Animation { then("speed(\(speed))") }

  /// The animation, repeated a number of times; with `autoreverses`, every other time backwards.
  ///
  /// ```swift
  /// store.send(.alarmRang, animation: .linear.repeatCount(3, autoreverses: false))
  /// ```
  public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation {
    then("repeatCount(\(count), autoreverses: \(autoreverses))")
  }

  /// The animation, repeated without an end; with `autoreverses`, every other time backwards.
  ///
  /// ```swift
  /// store.send(.recordingStarted, animation: .easeInOut(duration: 1).repeatForever())
  /// ```
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

/// Makes changes in a context, which has no effect where nothing is shown.
func withTransaction<Result>(
  _: Transaction,
  _ body: () throws -> Result
) rethrows -> Result {
  try body()
}
#endif
