/// What a key brings: a value that it has, or what it finds when it is asked.
///
/// A value that was found is old as soon as the shared one changes: what the app itself wrote would come back over what
/// it wrote since. So a search is one step with changes. It is not begun while the key lacks a change; it is repeated
/// when the value has changed before what was found could be taken.
enum SharedNews<Value> {
  case result(Result<Value?, any Error>)
  /// Finds a value, or nil when there is nothing new; may be called several times.
  case search(() throws -> SharedFinding<Value>?)
}

extension SharedNews {
  /// Calls a function with the value, unless a search finds nothing new.
  func deliver(to take: (Result<Value?, any Error>) -> Void) {
    switch self {
    case .result(let result): take(result)
    case .search(let find):
      do {
        guard let found = try find() else { return }
        take(.success(found.value))
        found.didTake()
      } catch { take(.failure(error)) }
    }
  }

  /// The value, nil for none.
  var value: Value? {
    get throws {
      switch self {
      case .result(let result): try result.get()
      case .search(let find): try find().flatMap(\.value)
      }
    }
  }
}

/// What a key has found.
struct SharedFinding<Value> {
  /// The value, nil for none.
  let value: Value?
  /// Notes that the value was taken.
  let didTake: () -> Void
}
