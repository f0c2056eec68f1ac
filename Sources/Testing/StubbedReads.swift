import ActionLog
import Synchronization
import TCACore

/// The answers to the dependency reads of a feature under test, by their keys in a log.
///
/// Use it for reads that no test dependency covers: client properties that a log does not name, random numbers, and
/// shared values.
///
/// ```swift
/// let reads = StubbedReads()
/// let store = TestStore(initialState: Memos.State()) {
///   Memos().answeringReads(from: reads)
/// }
/// reads.answer("PermissionClient.microphone", with: #""granted""#)
/// await store.send(.recordButtonTapped) { … }
/// ```
///
/// The answers to a key are returned in order. An unused answer at the end is reported as an issue.
public final class StubbedReads: Sendable {
  private let answers = Mutex<[(key: String, json: String)]>([])
  private let location: IssueLocation

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
    location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  deinit {
    let left = answers.withLock { $0.map(\.key) }
    guard !left.isEmpty else { return }
    reportIssue("The feature has not read: \(left.joined(separator: ", "))", at: location)
  }

  /// Adds the answer to the next read of a key.
  ///
  /// - Parameters:
  ///   - key: The key of the read, as in the log: `random`, `PermissionClient.microphone`.
  ///   - json: The answer as JSON, as in the log.
  public func answer(_ key: String, with json: String) {
    answers.withLock { $0.append((key, json)) }
  }

  fileprivate func removeAnswer(_ key: String) -> String? {
    answers.withLock { answers in
      answers.firstIndex { $0.key == key }.map { answers.remove(at: $0).json }
    }
  }
}

extension StubbedReads: DependencyReadInterceptor {
  package func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    guard let json = removeAnswer(key) else { return live() }
    do { return try logged(json) } catch {
      reportIssue("The answer \(json) to \(key) does not fit: \(error)", at: location)
      return standIn()
    }
  }
}

extension Reducer {
  /// Answers the dependency reads of this reducer.
  ///
  /// ```swift
  /// Memos().answeringReads(from: reads)
  /// ```
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
    let scope = ReducerReadScope(interceptor: reads, parent: ReducerReadScope.current)
    defer { scope.close() }
    return ReducerReadScope.$current.withValue(scope) { base._reduce(into: &state, action: action) }
  }
}

/// Decodes a value from the JSON in a log.
///
/// ```swift
/// await store.send(.addButtonTapped) {
///   $0.todo = try logged(#"{"id":1,"title":"Milk"}"#)
/// }
/// ```
///
/// - Parameters:
///   - json: The JSON in the log.
///   - type: The type of the value.
/// - Returns: The value.
/// - Throws: `JSON.SyntaxError` or `LogDecodingError`.
public func logged<Value>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
  try LogDecoder(JSON(parsing: json)).value(type)
}
