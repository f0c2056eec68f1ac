import ActionLog
import ReplayEngine

/// A log in the form of the counter's recorder.
package enum SampleLog {
  /// The lines, with all kinds of origins, effects and effect events.
  package static let lines = text.split(separator: "\n").map(String.init)

  package static let text = #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Counter","stateType":"CounterState","startedAt":"2026-01-01T00:00:00Z","recorder":"0.1.0","environment":{},"segment":1}
    {"kind":"checkpoint","seq":0,"state":{"count":0,"id":""},"effects":[]}
    {"kind":"action","seq":1,"at":10,"origin":"view","action":{"increment":{}}}
    {"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}],"us":2}
    {"kind":"action","seq":2,"at":20,"origin":"view","action":{"add":{}}}
    {"kind":"read","seq":2,"key":"uuid","value":"A-1"}
    {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/id","value":"A-1"}],"us":2}
    {"kind":"action","seq":3,"at":30,"origin":"view","action":{"load":{}}}
    {"kind":"change","seq":3,"patch":[],"effects":[{"id":"3.0","op":"run","name":"load","cancelID":{"type":"CancelID","value":"load"},"cancelInFlight":true,"input":1,"priority":"high","source":"Counter.swift:5"}]}
    {"kind":"action","seq":4,"at":40,"origin":{"effect":"3.0"},"action":{"loaded":{"_0":7}}}
    {"kind":"change","seq":4,"patch":[{"op":"replace","path":"/count","value":7}]}
    {"kind":"action","seq":5,"at":50,"origin":"view","action":{"load":{}}}
    {"kind":"change","seq":5,"patch":[],"effects":[{"id":"5.0","op":"run","name":"load","cancelID":{"type":"CancelID","value":"load"},"cancelInFlight":true,"input":1,"priority":"high","source":"Counter.swift:5"}]}
    {"kind":"effect","id":"3.0","event":"cancelled","by":{"action":5},"at":51}
    {"kind":"effect","id":"3.0","event":"finished","sent":1,"at":52}
    {"kind":"action","seq":6,"at":60,"origin":"view","action":{"burst":{}}}
    {"kind":"change","seq":6,"patch":[],"effects":[{"id":"6.0","op":"send","action":{"first":{}}},{"id":"6.1","op":"send","action":{"second":{}}}]}
    {"kind":"action","seq":7,"at":61,"origin":{"effect":"6.0"},"action":{"first":{}}}
    {"kind":"change","seq":7,"patch":[{"op":"replace","path":"/count","value":8}],"effects":[{"id":"7.0","op":"send","action":{"third":{}}}]}
    {"kind":"action","seq":8,"at":62,"origin":{"effect":"6.1"},"action":{"second":{}}}
    {"kind":"change","seq":8,"patch":[{"op":"replace","path":"/count","value":9}]}
    {"kind":"action","seq":9,"at":63,"origin":{"effect":"7.0"},"action":{"third":{}}}
    {"kind":"change","seq":9,"patch":[{"op":"replace","path":"/count","value":10}]}
    {"kind":"checkpoint","seq":9,"state":{"count":10,"id":"A-1"},"effects":[{"id":"5.0","op":"run","name":"load","cancelID":{"type":"CancelID","value":"load"},"cancelInFlight":true,"input":1,"priority":"high"}]}
    {"kind":"action","seq":10,"at":70,"origin":"view","action":{"chain":{}}}
    {"kind":"change","seq":10,"patch":[],"effects":[{"op":"concatenate","effects":[{"id":"10.0","op":"run"},{"id":"10.1","op":"send","action":{"done":{}}},{"id":"10.2","op":"run"}]}]}
    {"kind":"action","seq":11,"at":71,"origin":{"effect":"10.0"},"action":{"increment":{}}}
    {"kind":"change","seq":11,"patch":[{"op":"replace","path":"/count","value":11}]}
    {"kind":"effect","id":"10.0","event":"finished","sent":1,"at":72}
    {"kind":"effect","id":"10.2","event":"started","at":73}
    {"kind":"action","seq":12,"at":74,"origin":{"effect":"10.1"},"action":{"done":{}}}
    {"kind":"change","seq":12,"patch":[{"op":"replace","path":"/count","value":12}]}
    {"kind":"action","seq":13,"at":75,"origin":"view","action":{"cancel":{}}}
    {"kind":"change","seq":13,"patch":[],"effects":[{"op":"cancel","cancelID":{"type":"CancelID","value":"load"}}]}
    {"kind":"effect","id":"5.0","event":"cancelled","by":{"action":13},"at":76}
    {"kind":"effect","id":"5.0","event":"finished","sent":0,"at":77}
    {"kind":"action","seq":14,"at":80,"origin":{"effect":"10.2"},"action":{"increment":{}}}
    {"kind":"change","seq":14,"patch":[{"op":"replace","path":"/count","value":13}]}
    {"kind":"action","seq":15,"at":81,"origin":{"reentrant":14},"action":{"increment":{}}}
    {"kind":"change","seq":15,"patch":[{"op":"replace","path":"/count","value":14}]}
    {"kind":"effect","id":"10.2","event":"cancelled","by":"task","at":82}
    {"kind":"effect","id":"10.2","event":"finished","sent":1,"at":83}
    {"kind":"action","seq":16,"at":90,"origin":"parent","action":{"increment":{}}}
    {"kind":"change","seq":16,"patch":[{"op":"replace","path":"/count","value":15}]}
    {"kind":"end","seq":16,"reason":"closed"}
    """#

  package static func reader(_ lines: [String]) -> LogReader {
    LogReader(bytes: Array(lines.joined(separator: "\n").utf8) + [0x0A])
  }

  package static func events(_ lines: [String]) -> LogComparison.Events {
    var reader = reader(lines)
    return { try reader.next()?.event }
  }

  /// Returns the replay session of a recording.
  package static func session(
    _ lines: [String],
    _ change: CounterEngine.Change
  ) -> LogComparison.Events {
    var session = ReplaySession(events: events(lines)) { _ in CounterEngine(change) }
    return { try session.next() }
  }

  /// Returns the result of replaying these lines.
  package static func replay(
    _ lines: [String],
    _ change: CounterEngine.Change = .none
  ) throws -> [LogEvent] {
    let next = session(lines, change)
    var replayed: [LogEvent] = []
    while let event = try next() { replayed.append(event) }
    return replayed
  }

  /// Returns the verdict on these lines.
  package static func verdict(
    _ lines: [String],
    _ change: CounterEngine.Change = .none
  ) throws -> Verdict? {
    var comparison = LogComparison(recorded: events(lines), replayed: session(lines, change))
    return Verdict(try comparison.run(), signal: nil)
  }
}
