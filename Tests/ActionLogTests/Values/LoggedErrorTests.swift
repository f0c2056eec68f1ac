import Foundation
import Testing

@testable import ActionLog

/// Errors in existential boxes.
///
/// Some read back, even if their types have moved, and some do not.
@Suite("Logged errors") struct LoggedErrorTests {
  struct Busy: Error, Codable, Equatable {
    var retries: Int

    struct Inner: Error, Codable, Equatable { var text: String }
    enum Choice: Error, Codable, Equatable { case one(Int) }
  }

  private func log(_ error: any Error) -> JSON { JSON(logging: error as any Error) }

  private func read(_ json: JSON) throws -> any Error {
    try LogDecoder(json).value((any Error).self)
  }

  /// Returns the log of an error whose type was in another module during the recording.
  private func moved(_ error: any Error) throws -> JSON {
    var json = log(error)
    let symbol = try #require(json["$error"]?["symbol"]?.string)
    let module = "\(Self.module.utf8.count)\(Self.module)"
    #expect(symbol.hasPrefix(module))
    let other = "8OldPlace" + symbol.dropFirst(module.count)
    json = json.replacing(JSON.Pointer(["$error", "symbol"]), with: .string(other))
    return json
  }

  private static let module = String(String(reflecting: Self.self).prefix { $0 != "." })

  @Test func `an error whose type is in another module reads back by its name`() throws {
    _ = LogCoding<Busy>()
    #expect(try read(try moved(Busy(retries: 3))) as? Busy == Busy(retries: 3))
    let inner = Busy.Inner(text: "a")
    #expect(try read(try moved(inner)) as? Busy.Inner == inner)
    let choice = Busy.Choice.one(7)
    #expect(try read(try moved(choice)) as? Busy.Choice == choice)
  }

  @Test
  func `an error of an unknown type is read as LoggedError and listed among the uncompared values`()
    throws
  {
    let json: JSON = [
      "failed": [
        "_0": [
          "$error": [
            "type": "Nowhere.Gone", "description": "gone", "symbol": "3App7NowhereO4GoneV",
            "value": ["at": 1],
          ]
        ]
      ]
    ]
    let error = try read(try #require(json["failed"]?["_0"]))
    #expect(error as? LoggedError == LoggedError(type: "Nowhere.Gone", description: "gone"))
    let named = UncomparedValues.errorsOfUnknownTypes(in: JSONText(json), .action)
    #expect(
      named.map { $0.text() } == ["Nowhere.Gone in action .failed (this build has no such type)"]
    )
    #expect(UncomparedValue(named[0].finding(at: 1)) == named[0])
    #expect(
      UncomparedValues.errorsOfUnknownTypes(in: JSONText(log(Busy(retries: 1))), .state).isEmpty
    )
  }

  @Test func `an error is read as LoggedError if the type of its name cannot decode its value`()
    throws
  {
    _ = LogCoding<Busy>()
    let json = try moved(Busy(retries: 3))
      .replacing(JSON.Pointer(["$error", "value"]), with: ["text": "a"])
    #expect(try read(json) is LoggedError)
    #expect(!UncomparedValues.errorsOfUnknownTypes(in: JSONText(json), .state).isEmpty)
  }

  struct Offline: LocalizedError {
    var errorDescription: String? { "No connection" }
  }

  struct Plain: Error {}

  @Test func `a localized error has the same localized description after it is read from the log`()
    throws
  {
    let json = log(Offline())
    #expect(
      json == [
        "$error": [
          "type": "LoggedErrorTests.Offline", "description": "Offline()",
          "localizedDescription": "No connection",
        ]
      ]
    )
    let error = try read(json)
    #expect(error.localizedDescription == "No connection")
    #expect("\(error)" == "Offline()")
    // A replay writes the same value as the recording.
    #expect(log(error) == json)
  }

  @Test func `a system error has the same localized description after it is read from the log`()
    throws
  {
    let error = NSError(domain: "d", code: 7, userInfo: [NSLocalizedDescriptionKey: "Full"])
    #expect(try read(log(error)).localizedDescription == "Full")
  }

  @Test func `an error without a localized description is written without one`() {
    #expect(
      log(Plain()) == ["$error": ["type": "LoggedErrorTests.Plain", "description": "Plain()"]]
    )
    #expect(log(Busy(retries: 1))["$error"]?["localizedDescription"] == nil)
  }

  @Test func `errors of the same type in different modules are compared by their values`() throws {
    let (here, there) = (log(Busy(retries: 1)), try moved(Busy(retries: 1)))
    #expect(JSON.differences(from: here, to: there).isEmpty)
    let other = log(Busy(retries: 2))
    #expect(
      JSON.differences(from: other, to: there).map(\.path.description) == ["/$error/value/retries"]
    )
    // A log from before descriptions were recorded.
    let old: JSON = ["$error": ["type": "LoggedErrorTests.Offline", "description": "Offline()"]]
    #expect(JSON.differences(from: old, to: log(Offline())).isEmpty)
  }
}
