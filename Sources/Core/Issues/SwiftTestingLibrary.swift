import Foundation

/// Access to Swift Testing without linking it, for processes that have loaded the library.
///
/// The types of Swift Testing are resilient, so their values are always passed indirectly. Generic code passes values
/// of unknown types in the same way, which makes the calls in this file compatible.
enum SwiftTestingLibrary {
  /// Whether the command-line arguments say that this process runs only tests of Swift Testing.
  static let ownsProcess: Bool = {
    let arguments = ProcessInfo.processInfo.arguments
    guard let option = arguments.firstIndex(of: "--testing-library") else { return false }
    return arguments[option...].dropFirst().first == "swift-testing"
  }()

  /// The id of the running test; `nil` if the current task doesn't belong to a test.
  static var currentTest: String? {
    // Calls the getter of `Test.current`, and reads the `id` of its value.
    func describe(_ test: some Identifiable) -> String { String(describing: test.id) }
    let test = current("7Testing4TestV", "$s7Testing4TestV7currentACSgvgZ")
    guard let test = test as? any Identifiable else { return nil }
    return describe(test)
  }

  /// The arguments of a parameterized test.
  struct Arguments: Hashable, Sendable {
    /// The ids that Swift Testing assigned to the arguments, as the bytes of their encodings.
    let ids: [[UInt8]]
    /// A number that distinguishes arguments with the same ids.
    let discriminator: Int
  }

  /// The arguments of the running test; `nil` if it has none, or if the current task doesn't belong to a test.
  static var currentArguments: Arguments? {
    // Calls the getter of `Test.Case.current`. The members of its value are accessible only by reflection.
    guard let value = current("7Testing4TestV4CaseV", "$s7Testing4TestV4CaseV7currentAESgvgZ"),
      let kind = member("_kind", of: value), let members = member("parameterized", of: kind),
      let arguments = member("arguments", of: members),
      let discriminator = member("discriminator", of: members) as? Int
    else { return nil }
    let ids = Mirror(reflecting: arguments).children.compactMap { argument in
      member("id", of: argument.value).flatMap { member("bytes", of: $0) } as? [UInt8]
    }
    return Arguments(ids: ids, discriminator: discriminator)
  }

  private static func member(_ name: String, of value: Any) -> Any? {
    Mirror(reflecting: value).children.first { $0.label == name }?.value
  }

  /// Returns the value of a static property of Swift Testing with an optional type.
  ///
  /// - Parameters:
  ///   - type: The mangled name of the wrapped type.
  ///   - getter: The mangled name of the property's getter.
  /// - Returns: The value; `nil` if the property is `nil` or the library isn't loaded.
  private static func current(_ type: String, _ getter: String) -> Any? {
    guard let type = _typeByName(type), let symbol = DynamicSymbolLookup.address(of: getter) else {
      return nil
    }
    return current(type, symbol)
  }

  @inline(never)
  private static func current<Value>(
    _: Value.Type,
    _ getter: UnsafeMutableRawPointer
  ) -> Any? {
    typealias Get = @convention(thin) () -> Value?
    return unsafeBitCast(getter, to: Get.self)()
  }

  /// Fails the running test, or the test run if the current task doesn't belong to a test.
  ///
  /// - Returns: Whether Swift Testing is available.
  static func record(_ message: String, at location: IssueLocation) -> Bool {
    guard
      warning == nil,
      let comment = comment(message),
      let place = sourceLocation(of: location),
      let issue = _typeByName("7Testing5IssueV")
    else { return false }
    return call(comment, place, returning: box(issue))
  }

  private static let recordName =
    "$s7Testing5IssueV6record_14sourceLocationAcA7CommentVSg_AA06SourceE0VtFZ"

  /// A warning that explains why issues can't be recorded; `nil` if they can.
  static var warning: String? {
    Self.warning(
      isKnownVersion: TestingLibraryCompatibility.isKnownVersion,
      symbol: DynamicSymbolLookup.address
    )
  }

  /// Returns a warning that explains why issues can't be recorded, or `nil` if they can.
  ///
  /// - Parameters:
  ///   - isKnownVersion: Whether this code supports the version of Swift Testing.
  ///   - symbol: A function that returns the address of a loaded symbol by its mangled name, or `nil`.
  /// - Returns: The warning, or `nil` if issues can be recorded.
  static func warning(
    isKnownVersion: Bool,
    symbol: (String) -> UnsafeMutableRawPointer?
  ) -> String? {
    guard isKnownVersion, symbol(recordName) != nil else { return Messages.unknownSwiftTesting }
    return nil
  }

  // Calls `Issue.record(_: Comment?, sourceLocation: SourceLocation)`.
  @inline(never)
  private static func call<Comment: ErasedOptional, Place: ErasedOptional, Issue: ErasedOptional>(
    _ comment: Comment,
    _ place: Place,
    returning _: Issue
  ) -> Bool {
    typealias Record = @convention(thin) (Comment.Value?, Place.Value) -> Issue.Value
    guard
      let symbol = DynamicSymbolLookup.address(of: recordName),
      let comment = comment.value,
      let place = place.value
    else { return false }
    _ = unsafeBitCast(symbol, to: Record.self)(comment, place)
    return true
  }

  /// Runs an operation in Swift Testing's `withKnownIssue`.
  ///
  /// - Returns: The number of issues that Swift Testing recorded. If the library is unavailable or runs no test,
  ///   returns `nil` without running the operation.
  static func knownIssues(at location: IssueLocation, in operation: () -> Void) -> Int? {
    let name =
      "$s7Testing14withKnownIssue_14isIntermittent14sourceLocation_4when8matching"
      + "yAA7CommentVSg_SbAA06SourceH0VyyKXESbyXESbAA0D0VYbctKF"
    guard warning == nil, currentTest != nil, let symbol = DynamicSymbolLookup.address(of: name),
      let comment = comment(""), let place = sourceLocation(of: location),
      let issue = _typeByName("7Testing5IssueV")
    else { return nil }
    return count(symbol, comment, place, box(issue), operation)
  }

  // Calls `withKnownIssue(_:isIntermittent:sourceLocation:_:when:matching:)`.
  @inline(never)
  private static func count<Comment: ErasedOptional, Place: ErasedOptional, Issue: ErasedOptional>(
    _ symbol: UnsafeMutableRawPointer,
    _: Comment,
    _ place: Place,
    _: Issue,
    _ operation: () -> Void
  ) -> Int? {
    typealias Run =
      @convention(thin) (
        Comment.Value?, Bool, Place.Value, () throws -> Void, () -> Bool,
        @escaping @Sendable (Issue.Value) -> Bool
      ) throws -> Void
    guard let place = place.value else { return nil }
    let count = LockIsolated(0)
    // `withKnownIssue` throws only errors that don't match, and all errors match here.
    try? unsafeBitCast(symbol, to: Run.self)(
      nil,
      true,
      place,
      operation,
      { true },
      { _ in
        count.withValue { $0 += 1 }
        return true
      }
    )
    return count.value
  }

  /// Runs an asynchronous operation in Swift Testing's `withKnownIssue`.
  ///
  /// - Returns: The number of issues that Swift Testing recorded. If the library is unavailable or runs no test,
  ///   returns `nil` without running the operation.
  static func knownIssues(
    isolation: isolated (any Actor)? = #isolation,
    at location: IssueLocation,
    in operation: () async -> Void
  ) async -> Int? {
    // The symbol of the asynchronous function's descriptor, because function pointers refer to the descriptor.
    let name =
      "$s7Testing14withKnownIssue_14isIntermittent9isolation14sourceLocation_4when8matching"
      + "yAA7CommentVSg_SbScA_pSgYiAA06SourceI0VyyYaKXESbyYaXESbAA0D0VYbctYaKFTu"
    guard warning == nil, currentTest != nil, let symbol = DynamicSymbolLookup.address(of: name),
      let comment = comment(""), let place = sourceLocation(of: location),
      let issue = _typeByName("7Testing5IssueV")
    else { return nil }
    return await count(symbol, comment, place, box(issue), operation)
  }

  // Calls `withKnownIssue(_:isIntermittent:isolation:sourceLocation:_:when:matching:)`.
  @inline(never)
  private static func count<Comment: ErasedOptional, Place: ErasedOptional, Issue: ErasedOptional>(
    isolation: isolated (any Actor)? = #isolation,
    _ symbol: UnsafeMutableRawPointer,
    _: Comment,
    _ place: Place,
    _: Issue,
    _ operation: () async -> Void
  ) async -> Int? {
    typealias Run =
      @convention(thin) (
        Comment.Value?, Bool, isolated (any Actor)?, Place.Value, () async throws -> Void,
        () async -> Bool, @escaping @Sendable (Issue.Value) -> Bool
      ) async throws -> Void
    guard let place = place.value else { return nil }
    let count = LockIsolated(0)
    try? await unsafeBitCast(symbol, to: Run.self)(
      nil,
      true,
      isolation,
      place,
      operation,
      { true },
      { _ in
        count.withValue { $0 += 1 }
        return true
      }
    )
    return count.value
  }

  private static func box<Value>(_: Value.Type) -> any ErasedOptional {
    TypedOptional<Value>(value: nil)
  }

  private static func comment(_ message: String) -> (any ErasedOptional)? {
    guard let type = _typeByName("7Testing7CommentV") as? any RawRepresentable.Type else {
      return nil
    }
    return make(type, rawValue: message)
  }

  private static func sourceLocation(of location: IssueLocation) -> (any ErasedOptional)? {
    guard let type = _typeByName("7Testing14SourceLocationV") as? any Decodable.Type else {
      return nil
    }
    return make(type, at: location)
  }

  private static func make<R: RawRepresentable>(_: R.Type, rawValue: String) -> any ErasedOptional {
    TypedOptional(value: (rawValue as? R.RawValue).flatMap(R.init(rawValue:)))
  }

  private static func make<Place: Decodable>(
    _: Place.Type,
    at location: IssueLocation
  ) -> any ErasedOptional {
    let path = location.filePath.description
    let fields: [String: Any] = [
      "fileID": location.fileID.description,
      // Versions of Swift Testing use one of two names for the path, so the table contains both.
      "filePath": path,
      "_filePath": path,
      "line": Int(location.line),
      "column": Int(location.column),
    ]
    let json = try? JSONSerialization.data(withJSONObject: fields)
    return TypedOptional(value: json.flatMap { try? JSONDecoder().decode(Place.self, from: $0) })
  }
}

/// An optional value whose type is known only at run time.
private protocol ErasedOptional {
  associatedtype Value
  var value: Value? { get }
}

private struct TypedOptional<Value>: ErasedOptional {
  let value: Value?
}
