import ActionLog
import Synchronization
import TCACore

/// The answers to what a feature under test reads from its dependencies, by the key that a log has for it.
///
/// It is for reads that no dependency in the test says otherwise: of clients whose properties a log does not name, of random
/// numbers, of shared values.
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
/// The answers to one key are given in order. It is an issue when one is left at the end.
public final class StubbedReads: Sendable {
  private let answers = Mutex<[(key: String, json: String)]>([])
  private let location: IssueLocation

  /// Makes answers for one test store.
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

  /// Sets the answer to the next read of a key.
  ///
  /// - Parameters:
  ///   - key: What is read, as in the log: `random`, `PermissionClient.microphone`.
  ///   - json: The answer, as in the log.
  public func answer(_ key: String, with json: String) {
    answers.withLock { $0.append((key, json)) }
  }

  fileprivate func removeAnswer(_ key: String) -> String? {
    answers.withLock { answers in
      answers.firstIndex { $0.key == key }.map { answers.remove(at: $0).json }
    }
  }
}

extension StubbedReads: ReadInterceptor {
  package func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    guard let json = removeAnswer(key) else { return live() }
    do { return try logged(json) } catch {
      reportIssue("The answer \(json) to \(key) does not fit: \(error)", at: location)
      return standIn()
    }
  }
}

extension Reducer {
  /// Answers what the reducer reads from its dependencies.
  ///
  /// ```swift
  /// Memos().answeringReads(from: reads)
  /// ```
  ///
  /// - Parameter reads: The answers; what has none is read as without them.
  /// - Returns: The reducer with these answers.
  public func answeringReads(from reads: StubbedReads) -> some Reducer<State, Action> {
    AnsweredReducer(base: self, reads: reads)
  }
}

private struct AnsweredReducer<Base: Reducer>: Reducer {
  let base: Base
  let reads: StubbedReads

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let scope = ReadScope(interceptor: reads, parent: ReadScope.current)
    defer { scope.close() }
    return ReadScope.$current.withValue(scope) { base._reduce(into: &state, action: action) }
  }
}

/// Reads a value as a log holds it.
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
