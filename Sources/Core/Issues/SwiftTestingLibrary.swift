import Foundation

/// Swift Testing, when the process has loaded it.
///
/// Its types are resilient, so values of them always go by address. Generic code passes values of
/// unknown types in the same way, which is what makes these calls fit.
enum SwiftTestingLibrary {
  /// Whether this process runs tests of Swift Testing only.
  static let ownsProcess: Bool = {
    let arguments = ProcessInfo.processInfo.arguments
    guard let option = arguments.firstIndex(of: "--testing-library") else { return false }
    return arguments[option...].dropFirst().first == "swift-testing"
  }()

  /// The identity of the running test, nil when there is none in this task.
  static var currentTest: String? {
    guard let type = _typeByName("7Testing4TestV") else { return nil }
    return currentID(type)
  }

  // Test.current?.id
  @inline(never)
  private static func currentID<Test>(_: Test.Type) -> String? {
    typealias Get = @convention(thin) () -> Test?
    guard let symbol = LoadedSymbol.address(of: "$s7Testing4TestV7currentACSgvgZ") else {
      return nil
    }
    guard let test = unsafeBitCast(symbol, to: Get.self)() as? any Identifiable else { return nil }
    return id(of: test)
  }

  private static func id(of test: some Identifiable) -> String {
    String(describing: test.id)
  }

  /// Fails the running test, or the whole run from a task that belongs to no test.
  ///
  /// - Returns: Whether Swift Testing is there.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    guard
      let comment = comment(message),
      let place = place(of: location),
      let issue = _typeByName("7Testing5IssueV")
    else { return false }
    return call(comment, place, returning: box(issue))
  }

  // Issue.record(_: Comment?, sourceLocation: SourceLocation)
  @inline(never)
  private static func call<Comment: Boxed, Place: Boxed, Issue: Boxed>(
    _ comment: Comment,
    _ place: Place,
    returning _: Issue
  ) -> Bool {
    typealias Record = @convention(thin) (Comment.Value?, Place.Value) -> Issue.Value
    let name = "$s7Testing5IssueV6record_14sourceLocationAcA7CommentVSg_AA06SourceE0VtFZ"
    guard
      let symbol = LoadedSymbol.address(of: name),
      let comment = comment.value,
      let place = place.value
    else { return false }
    _ = unsafeBitCast(symbol, to: Record.self)(comment, place)
    return true
  }

  private static func box<Value>(_: Value.Type) -> any Boxed {
    Box<Value>(value: nil)
  }

  private static func comment(_ message: String) -> (any Boxed)? {
    guard let type = _typeByName("7Testing7CommentV") as? any RawRepresentable.Type else {
      return nil
    }
    return make(type, rawValue: message)
  }

  private static func place(of location: IssueLocation) -> (any Boxed)? {
    guard let type = _typeByName("7Testing14SourceLocationV") as? any Decodable.Type else {
      return nil
    }
    return make(type, at: location)
  }

  private static func make<R: RawRepresentable>(_: R.Type, rawValue: String) -> any Boxed {
    Box(value: (rawValue as? R.RawValue).flatMap(R.init(rawValue:)))
  }

  private static func make<Place: Decodable>(_: Place.Type, at location: IssueLocation) -> any Boxed
  {
    let path = location.filePath.description
    let fields: [String: Any] = [
      "fileID": location.fileID.description,
      // Swift Testing has had both names for it.
      "filePath": path,
      "_filePath": path,
      "line": Int(location.line),
      "column": Int(location.column),
    ]
    let json = try? JSONSerialization.data(withJSONObject: fields)
    return Box(value: json.flatMap { try? JSONDecoder().decode(Place.self, from: $0) })
  }
}

/// A value of a type that is only known while the program runs.
private protocol Boxed {
  associatedtype Value
  var value: Value? { get }
}

private struct Box<Value>: Boxed {
  let value: Value?
}
