import ActionLog
import Testing

@Suite("Events")
struct EventRoundTripTests {
  private static let lines = [
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"A","feature":"F","stateType":"F.State","startedAt":"","recorder":"0.1.0","app":{"name":"App"},"schemaVersion":3,"schema":{"state":"c0","action":"9a"},"scope":[{"place":"child"}],"environment":{},"masked":{"state":["/a/*"],"action":[],"read":["/uuid"]},"segment":2,"more":1}"#,
    #"{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"B","feature":"F","stateType":"F.State","startedAt":"","recorder":"0.2.0","environment":{},"shown":true,"continues":{"log":"A","seq":12},"segment":1}"#,
    #"{"kind":"checkpoint","seq":4,"state":{},"effects":[{"id":"1.0","op":"run","cancelled":true}],"nextStackElement":3}"#,
    #"{"kind":"external","seq":4,"at":9,"patch":[{"op":"remove","path":"/a"}],"more":1}"#,
    #"{"kind":"excluded","seq":5,"at":9,"origin":{"effect":"1.0"},"patch":[],"effects":[{"id":"5.0","op":"send"}],"more":1}"#,
    #"{"kind":"gap","seq":7,"at":9,"dropped":12,"reason":"No space left on device","more":1}"#,
    #"{"kind":"note","seq":7,"at":9,"text":"the user asked for help","more":1}"#,
    #"{"kind":"call","id":"1.0","key":"API.fetch","arguments":[1,null],"result":{"name":"Ada"},"at":9,"us":3,"more":1}"#,
    #"{"kind":"call","id":"1.0","key":"API.fetch","arguments":[],"error":{"$error":{"type":"E","description":"e"}},"cancelled":true,"at":9,"us":3}"#,
    #"{"kind":"call","id":"1.0","key":"API.fetch","arguments":[],"result":null,"at":9,"us":3}"#,
    #"{"kind":"call","id":"1.0","key":"API.fetch","arguments":[],"at":9,"us":3}"#,
    #"{"kind":"end","seq":7,"reason":"segment"}"#,
  ]

  @Test(
    "Each kind of event is written with the same bytes from which it was read",
    arguments: lines
  )
  func roundTrip(line: String) throws {
    let event = try LogEvent(json: JSON(parsing: Array(line.utf8)))
    #expect(String(decoding: event.line, as: UTF8.self) == line)
    if case .unknown = event { Issue.record("\(line) is not known") }
  }

  @Test(
    "Reading an event reports the missing or wrong member and what was expected",
    arguments: [
      (
        #"{"kind":"header","format":"tca-replay","version":1,"id":"B","feature":"F","continues":{"log":"A","seq":-1}}"#,
        "event 'header' has {\"log\":\"A\",\"seq\":-1} as 'continues'; expected an object with the string 'log' and the whole number 'seq'"
      ),
      (
        #"{"kind":"external","seq":1}"#,
        "event 'external' has no member 'patch'; expected a JSON Patch (RFC 6902)"
      ),
      (#"{"kind":"gap","seq":1}"#, "event 'gap' has no member 'dropped'; expected a whole number"),
      (#"{"kind":"note","seq":1,"text":2}"#, "event 'note' has 2 as 'text'; expected a string"),
      (
        #"{"kind":"checkpoint","seq":1,"state":1,"nextStackElement":-1}"#,
        "event 'checkpoint' has -1 as 'nextStackElement'; expected a whole number from 0"
      ),
      (
        #"{"kind":"call","id":"1.0","at":0}"#,
        "event 'call' has no member 'key'; expected a string"
      ),
      (
        #"{"kind":"call","id":"1.0","key":"A.b","result":1,"error":2}"#,
        "event 'call' has 2 as 'error'; expected either 'result' or 'error'"
      ),
      (
        #"{"kind":"effect","id":"1.0","event":"finished","sent":-9223372036854775808,"at":1}"#,
        "event 'effect' has -9223372036854775808 as 'sent'; expected a whole number from 0 to 9007199254740991"
      ),
      (
        #"{"kind":"effect","id":"1.0","event":"cancelled","by":{"action":2},"drops":9007199254740992,"at":1}"#,
        "event 'effect' has 9007199254740992 as 'drops'; expected a whole number from 0 to 9007199254740991"
      ),
      (
        #"{"kind":"effect","id":"1.9007199254740992","event":"started","at":1}"#,
        "event 'effect' has \"1.9007199254740992\" as 'id'; expected a string such as \"1.0\""
      ),
    ]
  )
  func errors(line: String, message: String) throws {
    let json = try JSON(parsing: Array(line.utf8))
    let error = #expect(throws: LogEvent.SyntaxError.self) { try LogEvent(json: json) }
    #expect(error?.description == message)
    // The same event, read in place.
    let header = #"{"kind":"header","format":"tca-replay","version":1,"id":"A","feature":"F"}"#
    var reader = LogReader(bytes: Array("\(header)\n\(line)\n".utf8))
    let read = #expect(throws: LogReadError.self) {
      while try reader.next() != nil {}
    }
    #expect(read?.description.hasSuffix(message) == true, "\(String(describing: read))")
  }
}
