import ActionLog
import ReplayCommands
import ReplayEngine

/// The code of a test that sends the steps of a log to a `TestStore` and expects their changes.
package struct StoreTest {
  /// The source code.
  package let code: String
  /// Warnings about parts that could not be written, for standard error.
  package let complaints: [String]

  /// Reads the log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - reducer: The expression that creates the reducer.
  ///   - modules: The modules that the test imports for the reducer.
  ///   - name: The name of the test.
  ///   - members: Information about members that the log does not contain.
  ///   - fault: The fault that the log shows.
  /// - Throws: `LogReadError`, or `CommandError` if the log has no state or names no types.
  package init(
    _ log: LogSlice,
    reducer: String?,
    modules: [String],
    name: String?,
    members: StateMembers,
    fault: String? = nil
  ) throws {
    let (events, countsUUIDs) = try CountedUUIDs.events(of: log)
    let script = StoreScript(events, showsFault: fault != nil)
    guard script.hasState else { throw CommandError.noState(log.name) }
    guard script.header?.isOfAdapter != true else {
      throw CommandError.notAStoreTest(log.name)
    }
    let title = log.name.split(separator: "/").last.map(String.init) ?? log.name
    var writer = StoreTestWriter(
      script,
      countsUUIDs: countsUUIDs,
      members: members
    )
    let feature = try SwiftName.type(script.header?.feature ?? "", in: log.name)
    let stateType = script.header?.stateType ?? "\(feature).State"
    guard SwiftTypeName.isValid(stateType) else {
      throw CommandError.notATypeOfState(log.name, name: stateType)
    }
    let body = writer.body(
      reducer: reducer ?? "\(feature)()",
      feature: feature,
      stateType: stateType
    )
    let text = body.flatMap { $0.indented.lines }.joined(separator: "\n")
    let standard =
      ["TCACore", "TCATesting", "Testing"] + (text.usesFoundation ? ["Foundation"] : [])
    let imports = Set(modules + standard).sorted().map { "import \($0)\n" }.joined()
    let function =
      name.map(SwiftName.quoted)
      ?? SwiftName.function(title.replacing(".jsonl", with: ""), suffix: "Steps")
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

/// Generates tests that follow the steps of a log.
package enum StoreTests {
  /// Returns the code of a test.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - name: The name of the test.
  ///   - modules: The modules that the test imports for the reducer.
  ///   - fault: The fault that the log shows.
  /// - Returns: The source code.
  /// - Throws: `LogReadError`, or `CommandError` if the log has no state or names no types.
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
      members: StoreTest.StateMembers(shared: [], readers: [], whole: []),
      fault: fault
    )
    .code
  }
}

extension String {
  /// Whether the code uses types of Foundation.
  fileprivate var usesFoundation: Bool {
    contains("UUID(") || contains("Date(") || contains("= Calendar(")
  }
}

/// Replaces the ids that reducers drew by those of `UUIDGenerator.incrementing`, which make a test easier to read.
private enum CountedUUIDs {
  /// Returns the events of a log with incrementing ids, if all of these ids come from the generator.
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

  /// A line with counted ids in place of the drawn ones.
  private static func counted(_ line: String, _ numbers: [String: Int]) -> String {
    let bytes = Array(line.utf8)
    let (hyphen, length) = (UInt8(ascii: "-"), 36)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      // One look at each position, however many ids there are.
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
