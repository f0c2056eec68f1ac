import Foundation

/// Fails the running test without linking a test framework, which an app must not carry.
///
/// Both frameworks are looked up among what the process has loaded.
enum TestFailure {
  /// Fails the running test.
  ///
  /// - Parameters:
  ///   - message: What was found.
  ///   - location: The source code to blame.
  /// - Returns: Whether there was a test to fail.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    guard isTesting else { return false }
    return SwiftTesting.record(message, at: location)
      || XCTestFramework.record(message, at: location)
  }

  fileprivate static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    dlsym(dlopen(nil, RTLD_LAZY), name)
  }
}

/// XCTest, when it is loaded.
private enum XCTestFramework {
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    // XCTFail(_: String, file: StaticString, line: UInt)
    typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void
    guard
      let symbol = TestFailure.symbol("$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
    else { return false }
    unsafeBitCast(symbol, to: Fail.self)(message, location.filePath, location.line)
    return true
  }
}

/// Swift Testing, when it is loaded and runs a test.
///
/// Its types are resilient, so values of them always go by address. Generic code passes values of
/// unknown types in the same way, which is what makes these calls fit.
private enum SwiftTesting {
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    guard
      runsTest,
      let comment = comment(message),
      let place = place(of: location),
      let issue = _typeByName("7Testing5IssueV")
    else { return false }
    let boxedIssue = box(issue)
    return call(comment, place, returning: boxedIssue)
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
      let symbol = TestFailure.symbol(name),
      let comment = comment.value,
      let place = place.value
    else { return false }
    _ = unsafeBitCast(symbol, to: Record.self)(comment, place)
    return true
  }

  private static func box<Value>(_: Value.Type) -> any Boxed {
    Box<Value>(value: nil)
  }

  private static var runsTest: Bool {
    guard let test = _typeByName("7Testing4TestV") else { return false }
    return hasCurrent(test)
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

  // Test.current != nil
  @inline(never)
  private static func hasCurrent<Test>(_: Test.Type) -> Bool {
    typealias Get = @convention(thin) () -> Test?
    guard let symbol = TestFailure.symbol("$s7Testing4TestV7currentACSgvgZ") else { return false }
    return unsafeBitCast(symbol, to: Get.self)() != nil
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
