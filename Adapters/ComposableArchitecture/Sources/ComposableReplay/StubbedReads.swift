import ActionLog
public import ComposableArchitecture
import ComposableRecorder
import Synchronization

/// The answers to the dependency reads of a feature under test, by their keys in a log.
///
/// Use it for reads that no simple test value covers: random numbers, the time of clocks, the ids of stack elements, and
/// the stored values of keys with which a reducer makes shared values.
///
/// ```swift
/// let reads = StubbedReads()
/// let store = TestStore(initialState: Dice.State()) {
///   Dice().answeringReads(from: reads)
/// }
/// reads.answer("random", with: "13961891240522562109")
/// await store.send(.rollTapped) { $0.die = 5 }
/// ```
///
/// The answers to a key are returned in order. An unused answer at the end is reported as an issue.
public final class StubbedReads: Sendable {
  private let answers = Mutex<[(key: String, json: String)]>([])
  private let sharedKeyValues = Mutex(SharedKeyValues())
  private let fileID: StaticString
  private let filePath: StaticString
  private let line: UInt
  private let column: UInt

  /// Creates the answers for one test store.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }

  deinit {
    let left = answers.withLock { $0.map(\.key) }
    guard !left.isEmpty else { return }
    report("expected the feature to read \(left.joined(separator: ", "))")
  }

  /// Adds the answer to the next read of a key.
  ///
  /// - Parameters:
  ///   - key: The key of the read, as in the log: `random`, `continuousClock.now`.
  ///   - json: The answer as JSON, as in the log.
  public func answer(_ key: String, with json: String) {
    answers.withLock { $0.append((key, json)) }
  }

  /// Decodes and removes the next answer to a key; `nil` if there is none.
  fileprivate func next<Value>(_ key: String, as _: Value.Type = Value.self) throws -> Value? {
    let json = answers.withLock { answers in
      answers.firstIndex { $0.key == key }.map { answers.remove(at: $0).json }
    }
    return try json.map { try logged($0) }
  }

  /// Sets the values of keys that the next action may read.
  ///
  /// - Parameter rehearse: Reduces the action without consequences, and returns what it has made.
  fileprivate func prepareSharedKeys(rehearse: (RehearsedReads) -> Any) {
    let all = answers.withLock { $0 }
    var reads: [LogEvent.Read] = []
    for (key, json) in all where key.hasPrefix(SharedKeys.readPrefix) {
      guard !reads.contains(where: { $0.key == key }) else { continue }
      do { reads.append(LogEvent.Read(seq: 0, key: key, value: try JSON(parsing: json))) } catch {
        report("the answer to \(key) does not fit: \(error)")
      }
    }
    guard !reads.isEmpty else { return }
    // The rehearsal runs code of the app.
    var values = sharedKeyValues.withLock { $0 }
    let findings = values.prepare(reads) { (rehearse(RehearsedReads(all)), true) }
    for finding in findings {
      report("the answer to \(finding.subject) does not fit: \(finding.message ?? "")")
    }
    sharedKeyValues.withLock { $0 = values }
  }

  /// Whether answers are values of keys.
  fileprivate var hasSharedKeys: Bool {
    answers.withLock { $0.contains { $0.key.hasPrefix(SharedKeys.readPrefix) } }
  }

  /// Removes the answer for a key with which the reducer has made a shared value.
  fileprivate func noteRead(of key: String) {
    answers.withLock { answers in
      if let index = answers.firstIndex(where: { $0.key == key }) { answers.remove(at: index) }
    }
  }

  fileprivate func report(_ message: String) {
    reportIssue(message, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension StubbedReads: DependencyReadInterceptor {
  package func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    do { return try next(key) ?? live() } catch {
      report("the answer to \(key) does not fit: \(error)")
      return standIn()
    }
  }
}

/// Answers to an action that is reduced again.
private final class RehearsedReads: DependencyReadInterceptor {
  private let answers: Mutex<[(key: String, json: String)]>

  init(_ answers: [(key: String, json: String)]) { self.answers = Mutex(answers) }

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    let json = answers.withLock { answers in
      answers.firstIndex { $0.key == key }.map { answers.remove(at: $0).json }
    }
    return json.flatMap { try? logged($0) } ?? standIn()
  }
}

extension Reducer {
  /// Answers the dependency reads of this reducer.
  ///
  /// - Parameter reads: The answers. A read without an answer returns the dependency's own value.
  /// - Returns: The reducer with these answers.
  public func answeringReads(from reads: StubbedReads) -> some Reducer<State, Action> {
    ReadStubbingReducer(base: self, reads: reads)
  }
}

private struct ReadStubbingReducer<Base: Reducer>: Reducer {
  let base: Base
  let reads: StubbedReads

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    guard reads.hasSharedKeys else { return reduce(&state, action, by: reads) }
    let old = state
    reads.prepareSharedKeys { rehearsed in
      var state = old
      let effect = AnswerRehearsal.run {
        SharedValueChanges().discard { reduce(&state, action, by: rehearsed) }
      }
      return (state, effect)
    }
    var keys = SharedKeys(of: old)
    let effect = reduce(&state, action, by: reads)
    for made in keys.update(to: state) { reads.noteRead(of: made.read) }
    return effect
  }

  private func reduce(
    _ state: inout Base.State,
    _ action: Base.Action,
    by interceptor: some DependencyReadInterceptor
  ) -> Effect<Base.Action> {
    func reduce() -> Effect<Base.Action> {
      ReducerReadScope.run(interceptor) { base._reduce(into: &state, action: action) }
    }
    // Without an answer, the number is that of the store.
    let first: Int = interceptor.read("stackElementID", standIn: { -1 }, live: { -1 })
    return first < 0 ? reduce() : StackElements.counting(from: first, reduce).0
  }
}

/// Decodes a value from the JSON in a log.
///
/// ```swift
/// await store.send(.addTapped) {
///   $0.meeting = try logged(#"{"id":1,"title":"Monday"}"#)
/// }
/// ```
///
/// - Parameters:
///   - json: The JSON in the log.
///   - places: The paths in the value that share one value, as in the checkpoint of the log; `nil` if there are none.
///   - type: The type of the value.
/// - Returns: The value.
/// - Throws: `JSON.SyntaxError` or `LogDecodingError`.
public func logged<Value>(
  _ json: String,
  sharing places: String? = nil,
  as type: Value.Type = Value.self
) throws -> Value {
  let json = try JSON(parsing: json)
  func read(_ json: JSON) throws -> Value { try LogDecoder(json).value(type) }
  guard let places = SharedValuePaths(try places.map { try JSON(parsing: $0) }) else {
    return try read(json)
  }
  return try places.decode(json, read)
}
