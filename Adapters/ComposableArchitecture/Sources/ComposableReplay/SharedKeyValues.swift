import ActionLog
@_spi(References) import ComposableArchitecture
import ComposableRecorder

/// The values of keys that reducers make in a replay.
///
/// A reducer that makes a shared value with a key loads what is stored. A replay sets the recorded value before the
/// reducer runs. The type of the value and the key are known only to the reducer, so a rehearsal of the action finds
/// them.
struct SharedKeyValues: Sendable {
  /// A reference that the library keeps because this value holds it.
  private struct Held: Sendable {
    let reference: any MutableReference
    /// Restores the value that the key had in this replay before the first recorded one.
    let reset: @Sendable () -> Void
  }

  /// The references by the names of their reads.
  private var held: [String: Held] = [:]

  /// Creates a value without references.
  init() {}

  /// Sets the values that an action reads from its keys.
  ///
  /// - Parameters:
  ///   - reads: The recorded reads of the action.
  ///   - rehearse: Reduces the action without consequences. Returns what must be kept for as long as the references
  ///     are looked up, and whether all reads of dependencies came.
  /// - Returns: The values that their keys do not fit, as findings.
  mutating func prepare(
    _ reads: [LogEvent.Read],
    rehearse: () -> (kept: Any, isComplete: Bool)
  ) -> [LogEvent.Finding] {
    let wanted = reads.filter { $0.key.hasPrefix(SharedKeys.readPrefix) }
    guard !wanted.isEmpty else { return [] }
    var findings = wanted.compactMap(set)
    // A value can decide which other one the reducer makes.
    while wanted.contains(where: { held[$0.key] == nil }) {
      let new = hold(wanted, afterRehearsal: rehearse)
      guard !new.isEmpty else { break }
      findings += new.compactMap(set)
    }
    // A default value that reads dependencies is evaluated only if no reference is in use. The keys have stored the
    // values, so new references load them.
    if wanted.count < reads.count, !rehearse().isComplete {
      for read in wanted { held[read.key] = nil }
      if !rehearse().isComplete { _ = hold(wanted, afterRehearsal: rehearse) }
    }
    return findings
  }

  /// Holds the references of keys that a rehearsal makes.
  ///
  /// - Returns: The reads of these keys.
  private mutating func hold(
    _ reads: [LogEvent.Read],
    afterRehearsal rehearse: () -> (kept: Any, isComplete: Bool)
  ) -> [LogEvent.Read] {
    let made = withExtendedLifetime(rehearse()) { _ in PersistentReferences.current }
    return reads.filter { read in
      guard held[read.key] == nil, let reference = made[read.key] else { return false }
      hold(reference, as: read.key)
      return true
    }
  }

  /// Holds the references of keys that the reducer has made without recorded values.
  mutating func hold(_ reads: [String]) {
    guard reads.contains(where: { held[$0] == nil }) else { return }
    let references = PersistentReferences.current
    for read in reads where held[read] == nil {
      if let reference = references[read] { hold(reference, as: read) }
    }
  }

  private mutating func hold(_ reference: some MutableReference, as read: String) {
    nonisolated(unsafe) let first = reference.wrappedValue
    held[read] = Held(reference: reference) { reference.withLock { $0 = first } }
  }

  /// Sets the value of a key.
  ///
  /// - Returns: A finding if the value does not fit.
  private func set(_ read: LogEvent.Read) -> LogEvent.Finding? {
    func set(_ reference: some MutableReference) throws {
      nonisolated(unsafe) let value = try LogDecoder(read.value)
        .value(type(of: reference).Value.self, over: reference.wrappedValue)
      // Unlike `Shared.withLock`, it is no change that a test has to state.
      reference.withLock { $0 = value }
    }
    do {
      if let reference = held[read.key]?.reference { try set(reference) }
      return nil
    } catch {
      return LogEvent.Finding(
        seq: read.seq,
        code: .undecodable,
        subject: read.key,
        actual: read.value,
        message: "\(error)"
      )
    }
  }
}

extension SharedKeyValues {
  /// The current values, which a snapshot restores.
  var snapshot: [String: @Sendable () -> Void] {
    func restoring(_ reference: some MutableReference) -> @Sendable () -> Void {
      nonisolated(unsafe) let value = reference.wrappedValue
      return { reference.withLock { $0 = value } }
    }
    return held.mapValues { restoring($0.reference) }
  }

  /// Restores the values of a snapshot.
  ///
  /// Keys that were made after it get their first values.
  func restore(_ snapshot: [String: @Sendable () -> Void]) {
    for (read, held) in held { (snapshot[read] ?? held.reset)() }
  }
}
