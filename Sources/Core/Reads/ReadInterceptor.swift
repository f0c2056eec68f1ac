/// Something that answers what a reducer reads from the world: the recorder writes the value down,
/// a replay gives the one that was written.
package protocol ReadInterceptor: Sendable {
  /// Answers one read.
  ///
  /// - Parameters:
  ///   - key: What is read: `uuid`, `date`, `random`, `continuousClock.now`, ...
  ///   - standIn: A harmless value, for a replay that has none recorded.
  ///   - live: Reads the world.
  /// - Returns: What the reducer gets.
  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value
}
