/// A repeated unit of work on a composed feature.
///
/// The features are in a module of their own, as those of apps are, so that neither the library nor the benchmarks can
/// specialize code for them.
public struct ComposedWork: Sendable {
  /// The name of the work.
  public let name: String
  /// Prepares the work, and returns a function that performs it once.
  ///
  /// The argument of the function is the number of previous repetitions.
  public let make: @MainActor @Sendable () -> @MainActor (Int) -> Void

  init(_ name: String, make: @escaping @MainActor @Sendable () -> @MainActor (Int) -> Void) {
    self.name = name
    self.make = make
  }
}
