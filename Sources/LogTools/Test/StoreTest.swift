import ActionLog
import ReplayCommands
import ReplayEngine

/// Generates a test that sends the actions of a log to a `TestStore` and asserts their state changes.
package struct StoreTest {
  /// The Swift source code of the test file.
  package let code: String
  /// Warnings about parts of the log that the test does not contain, to be printed on standard error.
  package let complaints: [String]

  /// Reads the log and generates the test.
  ///
  /// - Parameters:
  ///   - log: The log with the actions.
  ///   - reducer: The expression that creates the reducer, or `nil` to create it from the feature's name.
  ///   - modules: The modules to import for the reducer.
  ///   - name: The name of the test function, or `nil` to use the name of the log.
  ///   - members: Information that the log lacks about the members of the state.
  ///   - fault: A description of the fault that the test reproduces, or `nil`.
  /// - Throws: `LogReadError`, or `CommandError` if the log has no state or a type name that is not valid.
  package init(
    _ log: LogSlice,
    reducer: String?,
    modules: [String],
    name: String?,
    members: StateMemberTraits,
    fault: String? = nil
  ) throws {
    let (events, countsUUIDs) = try IncrementingUUIDReplacement.events(of: log)
    let script = StoreScript(events, showsFault: fault != nil)
    guard script.hasState else { throw CommandError.noState(log.name) }
    let title = log.name.split(separator: "/").last.map(String.init) ?? log.name
    var writer = StoreTestWriter(
      script,
      countsUUIDs: countsUUIDs,
      members: members
    )
    let feature = try SwiftNameConverter.type(script.header?.feature ?? "", in: log.name)
    let stateType = script.header?.stateType ?? "\(feature).State"
    guard SwiftTypeNameValidator.isValid(stateType) else {
      throw CommandError.notATypeOfState(log.name, name: stateType)
    }
    let body = writer.body(
      reducer: reducer ?? "\(feature)()",
      feature: feature,
      stateType: stateType
    )
    let text = body.flatMap { $0.indented.lines }.joined(separator: "\n")
    let standard =
      script.library.storeModules + ["Testing"] + (text.usesFoundation ? ["Foundation"] : [])
    let imports = Set(modules + standard).sorted().map { "import \($0)\n" }.joined()
    let function =
      name.map(SwiftNameConverter.quoted)
      ?? SwiftNameConverter.function(title.replacing(".jsonl", with: ""), suffix: "Steps")
    code = """
      \(imports)
      /// Takes the steps that were recorded in \(Notation.visible(title)).
      \(fault.map { "///\n/// The fault: \(Notation.visible($0)).\n" } ?? "")@Test @MainActor func \(function)() async throws {
      \(text)
      }

      """
    var complaints: [String] = []
    if let type = script.state.opaque {
      complaints.append(StoreTestWording.opaqueState(type, log.name))
    }
    if let end = writer.end { complaints.append(StoreTestWording.complaint(end, log.name)) }
    if script.header?.masked != nil { complaints.append(StoreTestWording.masked) }
    self.complaints = complaints
  }
}

/// Generates tests that reproduce a fault, step by step.
package enum StoreTests {
  /// Generates a test from a log that ends in a fault.
  ///
  /// - Parameters:
  ///   - log: The log with the actions.
  ///   - name: The name of the test function.
  ///   - modules: The modules to import for the reducer.
  ///   - fault: A description of the fault, for the comment of the test.
  /// - Returns: The Swift source code of the test file.
  /// - Throws: `LogReadError`, or `CommandError` if the log has no state or a type name that is not valid.
  package static func code(
    for log: LogSlice,
    name: String,
    modules: [String],
    fault: String
  ) throws -> String {
    try StoreTest(
      log,
      reducer: nil,
      modules: modules,
      name: name,
      members: StoreTest.StateMemberTraits(shared: [], readers: [], whole: []),
      fault: fault
    )
    .code
  }
}

extension String {
  /// Whether the code contains types that require `import Foundation`.
  fileprivate var usesFoundation: Bool {
    contains("UUID(") || contains("Date(") || contains("= Calendar(")
  }
}

/// Replaces the generated ids in a log with ids from `UUIDGenerator.incrementing`, which make a test easier to read.
private enum IncrementingUUIDReplacement {
  /// Returns the events of a log with incrementing ids.
  ///
  /// - Parameter log: The log to read.
  /// - Returns: The events, and whether the ids were replaced. The events are unchanged if the log reads no ids, reads
  ///   an id twice, or already contains an incrementing id.
  /// - Throws: The errors that reading the log throws, such as `LogReadError`.
  static func events(of log: LogSlice) throws -> (events: [LogEvent], areCounted: Bool) {
    var all: [LogEvent] = []
    let next = try log.events()
    while let event = try next() { all.append(event) }
    var numbers: [String: Int] = [:]
    for case .read(let read) in all where read.key == "uuid" {
      guard let id = read.value.string else { continue }
      if numbers.updateValue(numbers.count, forKey: id) != nil { return (all, false) }
    }
    let lines = all.map { String(decoding: $0.line, as: UTF8.self) }
    guard !numbers.isEmpty, !lines.contains(where: { $0.contains(start) }) else {
      return (all, false)
    }
    var events: [LogEvent] = []
    for line in lines {
      guard let json = try? JSON(parsing: counted(line, numbers)),
        let event = try? LogEvent(json: json)
      else { return (all, false) }
      events.append(event)
    }
    return (events, true)
  }

  /// Returns a line in which the generated ids are replaced by incrementing ids.
  private static func counted(_ line: String, _ numbers: [String: Int]) -> String {
    let bytes = Array(line.utf8)
    let (hyphen, length) = (UInt8(ascii: "-"), 36)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      // Each offset is examined once, so the time does not depend on the number of ids.
      if index + length <= bytes.count, bytes[index + 8] == hyphen, bytes[index + 13] == hyphen,
        let number = numbers[String(decoding: bytes[index..<index + length], as: UTF8.self)]
      {
        result += (start + twelve(number)).utf8
        index += length
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let start = "00000000-0000-0000-0000-"

  private static func twelve(_ number: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}
