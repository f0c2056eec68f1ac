import ActionLog

/// Writes a trace in the Trace Event Format, which Chrome and Perfetto read.
///
/// The trace is one JSON object with an event on each line.
///
/// ```json
/// {"traceEvents":[
/// {"ph":"X","cat":"action","name":".load","pid":1,"tid":11,"ts":1203,"dur":5,"args":{"seq":3}}
/// ]}
/// ```
struct TraceWriter {
  /// The bytes written since the last call to `clear()`.
  private(set) var bytes: [UInt8] = []
  private var hasEvents = false
  /// The number of events that have been written.
  private(set) var count = 0

  /// The kind of a trace event, whose raw value is the letter that the trace format uses.
  enum EventPhase: String {
    case slice = "X"
    case asyncBegin = "b"
    case asyncEnd = "e"
    case flowStart = "s"
    case flowEnd = "f"
    case counter = "C"
    case instant = "i"
    case metadata = "M"
  }

  /// The process and thread in which an event is shown.
  struct Track: Hashable {
    var process: Int
    var thread: Int
  }

  private var flows = 0

  /// Returns a new number that connects the start and the end of a flow.
  mutating func nextFlow() -> Int {
    flows += 1
    return flows
  }

  /// Creates a writer and starts the document.
  init() { bytes += "\(Self.beginning)\n".utf8 }

  /// The first line of every trace, by which the file type is recognized.
  static let beginning = #"{"traceEvents":["#

  /// Ends the document.
  mutating func close() { bytes += (hasEvents ? "\n]}\n" : "]}\n").utf8 }

  /// Removes `bytes` after they were written to the output.
  mutating func clear() { bytes.removeAll(keepingCapacity: bytes.capacity < 1 << 20) }

  /// Writes an event.
  ///
  /// - Parameters:
  ///   - phase: The kind of the event.
  ///   - category: The category by which a viewer filters events.
  ///   - name: The name that a viewer displays.
  ///   - track: The process and thread in which the event is shown.
  ///   - time: The time at which the event starts.
  ///   - more: Writes additional members, such as a duration.
  mutating func write(
    _ phase: EventPhase,
    _ category: String?,
    _ name: String,
    on track: Track,
    at time: TraceTime? = nil,
    _ more: (inout LogEncoder) -> Void = { _ in }
  ) {
    if hasEvents { bytes += ",\n".utf8 }
    hasEvents = true
    count += 1
    let written = bytes
    // With a second reference, the encoder would copy the buffer.
    bytes = []
    var encoder = LogEncoder(appendingTo: written)
    encoder.beginObject()
    encoder.member(text: "ph", phase.rawValue)
    if let category { encoder.member(text: "cat", category) }
    encoder.member(text: "name", name)
    encoder.key("pid")
    encoder.encode(track.process)
    encoder.key("tid")
    encoder.encode(track.thread)
    if let time { encoder.member("ts", time) }
    more(&encoder)
    encoder.endObject()
    bytes = encoder.releaseBytes()
  }
}

extension LogEncoder {
  /// Writes a member with a string value.
  mutating func member(text name: String, _ value: String) {
    key(name)
    encode(value)
  }

  /// Writes a member with a time value.
  mutating func member(_ name: String, _ time: TraceTime) {
    var digits: [UInt8] = []
    time.write(to: &digits)
    key(name)
    raw(digits)
  }

  /// Writes the `args` member, whose details a viewer shows for a selected event.
  mutating func arguments(_ arguments: TraceArguments) {
    guard !arguments.isEmpty else { return }
    key("args")
    arguments.encode(to: &self)
  }
}

/// Named details that a viewer shows for a selected event: strings, numbers, or lists of strings.
struct TraceArguments {
  private enum Value {
    case text(String)
    case number(Int)
    case list([String])
  }

  private var members: [(name: String, value: Value)] = []

  var isEmpty: Bool { members.isEmpty }

  /// Adds a string, unless it is `nil`.
  mutating func add(_ name: String, _ text: String?) {
    if let text { members.append((name, .text(text))) }
  }

  mutating func add(_ name: String, _ number: Int) { members.append((name, .number(number))) }

  /// Adds a list of strings, unless it is empty.
  mutating func add(_ name: String, _ list: [String]) {
    if !list.isEmpty { members.append((name, .list(list))) }
  }

  fileprivate func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    for (name, value) in members {
      encoder.key(name)
      switch value {
      case .text(let text): encoder.encode(text)
      case .number(let number): encoder.encode(number)
      case .list(let list):
        encoder.beginArray()
        for text in list { encoder.encode(text) }
        encoder.endArray()
      }
    }
    encoder.endObject()
  }
}
