import ActionLog
import Foundation
import Testing

/// The expectations of viewers, and the sums of a trace.
struct TraceCheck {
  private let events: [JSON]

  /// Reads a trace, which must be one JSON document.
  init(_ text: String) throws {
    events = try #require(try JSON(parsing: text)["traceEvents"]?.array)
  }

  private struct Track: Hashable {
    let process: Int?
    let thread: Int?
  }

  private struct Slice {
    let start: Double
    let end: Double
    let place: Int
  }

  private static func time(_ event: JSON, _ name: String = "ts") -> Double {
    event[name]?.number?.double ?? .nan
  }

  private static func track(_ event: JSON) -> Track {
    Track(process: event["pid"]?.int, thread: event["tid"]?.int)
  }

  /// Checks that slices are nested, that every begin has an end, and that flows are attached.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    for problem in problems { Issue.record("\(problem)", sourceLocation: sourceLocation) }
  }

  var problems: [String] { nesting + pairs + flows }

  // MARK: - Slices

  private var slices: [Track: [Slice]] {
    var slices: [Track: [Slice]] = [:]
    for (place, event) in events.enumerated() where event["ph"] == "X" {
      let start = Self.time(event)
      let slice = Slice(start: start, end: start + Self.time(event, "dur"), place: place)
      slices[Self.track(event), default: []].append(slice)
    }
    return slices
  }

  private var nesting: [String] {
    slices.flatMap { track, slices -> [String] in
      var problems: [String] = []
      var open: [Slice] = []
      for slice in slices.sorted(by: { ($0.start, $0.place) < ($1.start, $1.place) }) {
        if !(slice.start >= 0 && slice.end >= slice.start) { problems.append("time of \(slice)") }
        open.removeAll { $0.end <= slice.start }
        if open.contains(where: { $0.end < slice.end }) { problems.append("overlap at \(slice)") }
        open.append(slice)
      }
      return problems
    }
  }

  // MARK: - Lanes

  private var pairs: [String] {
    var lanes: [String: [(time: Double, isBegin: Bool, name: String)]] = [:]
    for event in events where event["ph"] == "b" || event["ph"] == "e" {
      let lane = "\(event["cat"]?.string ?? "?") \(event["id"]?.string ?? "?")"
      lanes[lane, default: []].append(
        (Self.time(event), event["ph"] == "b", event["name"]?.string ?? "?")
      )
    }
    return lanes.flatMap { lane, events -> [String] in
      var problems: [String] = []
      var open: [String] = []
      // A stable order, as in viewers.
      let sorted = events.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }
      for (_, event) in sorted {
        if event.isBegin {
          open.append(event.name)
        } else if open.popLast() != event.name {
          problems.append("\(lane): end of '\(event.name)' at \(event.time)")
        }
      }
      return problems + open.map { "\(lane): no end of '\($0)'" }
    }
  }

  // MARK: - Flows

  private var flows: [String] {
    var problems: [String] = []
    var ends: [Int: (starts: Int, ends: Int)] = [:]
    let slices = slices
    for (place, event) in events.enumerated() where event["ph"] == "s" || event["ph"] == "f" {
      let id = event["id"]?.int ?? -1
      if event["ph"] == "s" { ends[id, default: (0, 0)].starts += 1 }
      if event["ph"] == "f" { ends[id, default: (0, 0)].ends += 1 }
      let time = Self.time(event)
      // A viewer attaches a flow to the last slice of the thread that has begun by then.
      let begun = (slices[Self.track(event)] ?? []).filter { $0.start <= time && $0.place < place }
      if begun.max(by: { $0.start < $1.start })?.start != time {
        problems.append("flow \(id) at \(time) is not bound")
      }
    }
    for (id, count) in ends where count.starts != 1 || count.ends != 1 {
      problems.append("flow \(id) has \(count.starts) starts and \(count.ends) ends")
    }
    return problems
  }

  /// The number of arrows.
  var flowEnds: Int { events.count { $0["ph"] == "f" } }

  // MARK: - Sums

  /// The number of measurements and their total in microseconds.
  struct Sum: Equatable {
    var timed = 0
    var microseconds = 0

    mutating func add(_ duration: Double) {
      timed += 1
      microseconds += Int(duration.rounded())
    }
  }

  /// The times of reducers by the names of actions.
  var actions: [String: Sum] {
    var sums: [String: Sum] = [:]
    for event in events where event["ph"] == "X" && event["cat"] == "action" {
      let arguments = event["args"]
      guard arguments?["cut"] == nil, arguments?["untimed"] == nil else { continue }
      sums[event["name"]?.string ?? "?", default: Sum()].add(Self.time(event, "dur"))
    }
    return sums
  }

  /// Returns the times of effects, or of calls, that began and ended in the log.
  func lives(areCalls: Bool) -> [String: Sum] {
    var sums: [String: Sum] = [:]
    var open: [String: JSON] = [:]
    for event in events where event["ph"] == "b" || event["ph"] == "e" {
      let key = "\(event["id"]?.string ?? "?") \(event["name"]?.string ?? "?")"
      if event["ph"] == "b" {
        open[key] = event
        continue
      }
      guard let begin = open.removeValue(forKey: key) else { continue }
      guard begin["args"]?["cut"] == nil, event["args"]?["cut"] == nil,
        (event["args"]?["end"] == nil) == areCalls
      else { continue }
      sums[event["name"]?.string ?? "?", default: Sum()]
        .add(Self.time(event) - Self.time(begin))
    }
    return sums
  }

  /// Returns the same sums from the JSON of `stats`.
  static func sums(_ statistics: JSON?) -> [String: Sum] {
    var sums: [String: Sum] = [:]
    for (name, value) in statistics?.object ?? [:] {
      let sum = Sum(timed: value["timed"]?.int ?? 0, microseconds: value["microseconds"]?.int ?? 0)
      if sum.timed > 0 { sums[name] = sum }
    }
    return sums
  }
}
