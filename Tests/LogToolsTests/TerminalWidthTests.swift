import ActionLog
import ReplayTestSupport
import TestSupport
import Testing

@testable import LogTools

/// Text that fits the terminal: important parts are visible, and only values are shortened.
@MainActor @Suite struct TerminalWidthTests {
  let terminal: Terminal

  init() throws {
    terminal = try Terminal()
    try terminal.folder.write(Self.log, to: "orders.jsonl")
  }

  /// A log with effects of all names, a note with several lines, a gap, and a store that ends before its effects.
  nonisolated static let log = #"""
    {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"L1","feature":"Orders"}
    {"kind":"checkpoint","seq":0,"state":{"rows":[],"isSaving":false,"note":""},"effects":[]}
    {"kind":"action","seq":1,"at":1000,"origin":"view","action":{"addButtonTapped":{}}}
    {"kind":"change","seq":1,"patch":[{"op":"add","path":"/rows/0","value":{"title":"A bench for the yard","count":1}},{"op":"replace","path":"/note","value":"The door of the workshop jams"},{"op":"replace","path":"/isSaving","value":true}],"effects":[{"id":"1.0","op":"run","name":"save","cancelID":{"type":"Orders.CancelID","value":{"save":{}}}},{"id":"1.1","op":"run","source":"App/Orders.swift:12"},{"id":"1.2","op":"run","cancelID":{"type":"OrderRow.TimerID","value":{"id":1}}},{"id":"1.3","op":"run","cancelID":{"type":"OrderRow.TimerID","value":{"id":2}}}],"us":1500}
    {"kind":"note","seq":1,"at":1200,"text":"The user sees\n::error::a banner\u0007\n  and taps it\n"}
    {"kind":"action","seq":2,"at":2500,"origin":{"effect":"1.1"},"action":{"rows":{"_0":{"element":{"id":1,"action":{"titleChanged":{"_0":"A longer bench for the yard"}}}}}}}
    {"kind":"change","seq":2,"patch":[{"op":"replace","path":"/rows/0/title","value":"A longer bench for the yard"}],"effects":[],"us":20}
    {"kind":"effect","id":"1.0","event":"cancelled","by":{"effect":"1.1"},"at":2600}
    {"kind":"effect","id":"1.0","event":"finished","sent":0,"at":2700}
    {"kind":"gap","seq":2,"at":2800,"dropped":1,"reason":"full"}
    {"kind":"checkpoint","seq":2,"state":{"rows":[{"title":"A longer bench for the yard","count":1}],"isSaving":true,"note":""},"effects":[{"id":"1.1","op":"run","source":"App/Orders.swift:12"},{"id":"1.2","op":"run","cancelID":{"type":"OrderRow.TimerID","value":{"id":1}}},{"id":"1.3","op":"run","cancelID":{"type":"OrderRow.TimerID","value":{"id":2}}}]}
    {"kind":"effect","id":"1.2","event":"cancelled","by":"store","at":9000}
    {"kind":"effect","id":"1.2","event":"finished","sent":0,"at":9010}
    {"kind":"effect","id":"1.3","event":"cancelled","by":"store","at":9000}
    {"kind":"effect","id":"1.3","event":"finished","sent":2,"at":9020}
    {"kind":"end","seq":2,"at":9030,"reason":"closed"}

    """#

  nonisolated private static let cases: [(width: Int, arguments: [String], output: String)] = [
    (
      width: 80,
      arguments: ["show", "orders.jsonl"],
      output: #"""
      Orders  log L1
         1    +0.001 s  .addButtonTapped
                          rows[0]: + (title: "A …d" (20 bytes), count: 1),
                          note: "" → "The …ms" (29 bytes), isSaving: false → true
                          starts save 1.0, starts Orders.swift:12 1.1,
                          starts OrderRow.TimerID(id: 1) 1.2,
                          starts OrderRow.TimerID(id: 2) 1.3
                        note  The user sees
                              \u{3A}:error::a banner\u{7}
                                and taps it
         2    +0.002 s  .rows[1].titleChanged("A …d" (27 bytes))
                          from Orders.swift:12 1.1
                          rows[0].title: "A be…rd" (20 bytes) → "A lo…rd" (27 bytes)
                          save 1.0 canceled by Orders.swift:12 1.1
                        gap, 1 event is missing: full
                        OrderRow.TimerID(id: 1) 1.2 canceled by the end of the store,
                          OrderRow.TimerID(id: 2) 1.3 canceled by the end of the store
                        end, closed

      """#
    ),
    (
      width: 120,
      arguments: ["show", "orders.jsonl"],
      output: #"""
      Orders  log L1
         1    +0.001 s  .addButtonTapped  rows[0]: + (title: "A …d" (20 bytes), count: 1),
                          note: "" → "The door of… jams" (29 bytes), isSaving: false → true  starts save 1.0,
                          starts Orders.swift:12 1.1, starts OrderRow.TimerID(id: 1) 1.2, starts OrderRow.TimerID(id: 2) 1.3
                        note  The user sees
                              \u{3A}:error::a banner\u{7}
                                and taps it
         2    +0.002 s  .rows[1].titleChanged("A longer…ard" (27 bytes))  from Orders.swift:12 1.1
                          rows[0].title: "A bench for the yard" → "A longer bench for the yard"
                          save 1.0 canceled by Orders.swift:12 1.1
                        gap, 1 event is missing: full
                        OrderRow.TimerID(id: 1) 1.2 canceled by the end of the store,
                          OrderRow.TimerID(id: 2) 1.3 canceled by the end of the store
                        end, closed

      """#
    ),
    (
      width: 80,
      arguments: ["show", "orders.jsonl", "-v"],
      output: #"""
      Orders  log L1
      0  checkpoint  (rows: [], isSaving: false, note: "")
      1  +0.001 s  .addButtonTapped  sent by the view
          rows[0]
            + (title: "A bench for the yard", count: 1)
          note
            − ""
            + "The door of the workshop jams"
          isSaving
            − false
            + true
          effect 1.0 run 'save' id Orders.CancelID.save
          effect 1.1 run
          effect 1.2 run id OrderRow.TimerID(id: 1)
          effect 1.3 run id OrderRow.TimerID(id: 2)
          note  The user sees
                \u{3A}:error::a banner\u{7}
                  and taps it
      2  +0.002 s  .rows[1].titleChanged("A longer bench for the yard")
          sent by Orders.swift:12 1.1
          rows[0].title
            − "A bench for the yard"
            + "A longer bench for the yard"
          save 1.0 canceled by Orders.swift:12 1.1
      2  gap, 1 event is missing: full
      2  checkpoint  (rows: [(title: "A …d" (27 bytes), count: 1)], … 1 more …, note:…
          OrderRow.TimerID(id: 1) 1.2 canceled by the end of the store
          OrderRow.TimerID(id: 2) 1.3 canceled by the end of the store
          OrderRow.TimerID(id: 2) 1.3 ended after 2 actions
      2  end, closed

      """#
    ),
    (
      width: 80,
      arguments: ["stats", "orders.jsonl"],
      output: #"""
        events
          effect      6  420 bytes
          action      2  253 bytes
          change      2  704 bytes
          checkpoint  2  440 bytes
          end         1  50 bytes
          gap         1  60 bytes
          header      1  94 bytes
          note        1  98 bytes
        actions                       p50     p95     max
          .addButtonTapped      1  1.5 ms  1.5 ms  1.5 ms
          .rows[].titleChanged  1   20 µs   20 µs   20 µs
        sent by
          effect  1
          view    1
        effects                          p50     p95     max
          OrderRow.TimerID(id: …)  2  8.0 ms  8.0 ms  8.0 ms  2 canceled
          Orders.swift:12          1
          save                     1  1.6 ms  1.6 ms  1.6 ms  1 canceled
        effects that the end of the store left unfinished
          OrderRow.TimerID(id: 1) 1.2  for 8.0 ms
          OrderRow.TimerID(id: 2) 1.3  for 8.0 ms
        effects that had not ended
          Orders.swift:12 1.1  for 8.0 ms
        state  38 bytes at the start, 86 bytes at the end, 115 bytes after action 2
          rows  2 bytes → 51 bytes
        largest changes
          570 bytes  1  .addButtonTapped
          134 bytes  2  .rows[].titleChanged
        largest event: change on line 4, 570 bytes

      """#
    ),
    (
      width: 80,
      arguments: ["stats", "orders.jsonl", "--sort", "name"],
      output: #"""
        events
          action      2  253 bytes
          change      2  704 bytes
          checkpoint  2  440 bytes
          effect      6  420 bytes
          end         1  50 bytes
          gap         1  60 bytes
          header      1  94 bytes
          note        1  98 bytes
        actions                       p50     p95     max
          .addButtonTapped      1  1.5 ms  1.5 ms  1.5 ms
          .rows[].titleChanged  1   20 µs   20 µs   20 µs
        sent by
          effect  1
          view    1
        effects                          p50     p95     max
          OrderRow.TimerID(id: …)  2  8.0 ms  8.0 ms  8.0 ms  2 canceled
          Orders.swift:12          1
          save                     1  1.6 ms  1.6 ms  1.6 ms  1 canceled
        effects that the end of the store left unfinished
          OrderRow.TimerID(id: 1) 1.2  for 8.0 ms
          OrderRow.TimerID(id: 2) 1.3  for 8.0 ms
        effects that had not ended
          Orders.swift:12 1.1  for 8.0 ms
        state  38 bytes at the start, 86 bytes at the end, 115 bytes after action 2
          rows  2 bytes → 51 bytes
        largest changes
          570 bytes  1  .addButtonTapped
          134 bytes  2  .rows[].titleChanged
        largest event: change on line 4, 570 bytes

      """#
    ),
    (
      width: 80,
      arguments: ["blame", "orders.jsonl", "rows[*].title"],
      output: #"""
      rows[0].title  "A longe…ard" (27 bytes)
          as it was in the first checkpoint: no action has changed it

      """#
    ),
    (
      width: 60,
      arguments: ["blame", "orders.jsonl", "note", "--at", "1"],
      output: #"""
      note is "The door of the workshop jams" after action 1

      last changed by
        action 1  .addButtonTapped
          sent by the view

        note
          − ""
          + "The door of the workshop jams"

      """#
    ),
    (
      width: 80,
      arguments: [
        "debug", "orders.jsonl", "--batch", "-ex", "goto 1", "-ex", "list", "-ex", "info effects",
      ],
      output: #"""
         1    +0.001 s  .addButtonTapped
                          rows[0]: + (title: "A …d" (20 bytes), count: 1),
                          note: "" → "The …ms" (29 bytes), isSaving: false → true
                          starts save 1.0, starts Orders.swift:12 1.1,
                          starts OrderRow.TimerID(id: 1) 1.2,
                          starts OrderRow.TimerID(id: 2) 1.3
                        note  The user sees
                              \u{3A}:error::a banner\u{7}
                                and taps it
            alive: save 1.0, Orders.swift:12 1.1, OrderRow.TimerID(id: 1) 1.2,
              OrderRow.TimerID(id: 2) 1.3
        Orders  log L1
      >    1    +0.001 s  .addButtonTapped
                            rows[0]: + (title: "A …d" (20 bytes), count: 1),
                            note: "" → "The …s" (29 bytes), isSaving: false → true
                            starts save 1.0, starts Orders.swift:12 1.1,
                            starts OrderRow.TimerID(id: 1) 1.2,
                            starts OrderRow.TimerID(id: 2) 1.3
                          note  The user sees
                                \u{3A}:error::a banner\u{7}
                                  and taps it
           2    +0.002 s  .rows[1].titleChanged("A …d" (27 bytes))
                            from Orders.swift:12 1.1
                            rows[0].title: "A be…d" (20 bytes) → "A lo…d" (27 bytes)
                            save 1.0 canceled by Orders.swift:12 1.1
                          gap, 1 event is missing: full
                          OrderRow.TimerID(id: 1) 1.2 canceled by the end of the
                            store,
                            OrderRow.TimerID(id: 2) 1.3 canceled by the end of the
                            store
                          end, closed
      it returned
        effect 1.0 run 'save' id Orders.CancelID.save
        effect 1.1 run
        effect 1.2 run id OrderRow.TimerID(id: 1)
        effect 1.3 run id OrderRow.TimerID(id: 2)
      alive after it
        save 1.0
        Orders.swift:12 1.1  App/Orders.swift:12
        OrderRow.TimerID(id: 1) 1.2
        OrderRow.TimerID(id: 2) 1.3

      """#
    ),
    (
      width: 60,
      arguments: ["debug", "orders.jsonl", "--batch", "-ex", "help goto"],
      output: #"""
      goto, g, jump  SEQ | +N | -N | TIME | start | end | BOOKMARK
      go to an action, to the last action at a time such as 1.2s,
        or to a bookmark

      goto 12, goto +3, goto -2   action 12, 3 forward, 2 back
      goto 1.2s                   a time as in 'show --since':
                                  250ms, 1.2s, 5min, 1:12:03
      goto start, goto end
      goto paid                   the bookmark of that name
      Does not stop at breakpoints.

      """#
    ),
  ]

  @Test(arguments: cases)
  func `commands break lines between their parts at the terminal's width`(
    width: Int,
    arguments: [String],
    output: String
  ) async throws {
    terminal.width = width
    let result = try await terminal.run(arguments)
    // The headline contains the folder, which differs in each run.
    let start = arguments[0] == "stats" ? result.output.firstRange(of: "  events") : nil
    #expect(result.output[(start?.lowerBound ?? result.output.startIndex)...] == output)
    #expect(result.status == 0 && result.error.isEmpty, "\(result)")
    let lines = output.split(separator: "\n").map { TerminalWidthCounter.count($0) }
    #expect(lines.allSatisfy { $0 <= width }, "\(lines)")
  }

  nonisolated private static let errors: [(arguments: [String], error: String)] = [
    (
      ["show", "orders.jsonl", "--range", "5..2"],
      """
      tca-replay: invalid value '5..2' for '--range'; expected a
          range that ends after it begins
      see 'tca-replay show --help'

      """
    ),
    (
      ["show", "orders.jsonl", "--range", "end..1"],
      """
      tca-replay: the range begins at action 2 and ends at action
          1; expected one that ends after it begins

      """
    ),
    (
      ["view", "orders.jsonl", "--range", "2..1", "-o", "-"],
      """
      tca-replay: invalid value '2..1' for '--range'; expected a
          range that ends after it begins
      see 'tca-replay view --help'

      """
    ),
  ]

  @Test(arguments: errors)
  func `an error breaks its lines at words at the terminal's width`(
    arguments: [String],
    error: String
  ) async throws {
    terminal.width = 60
    let result = try await terminal.run(arguments)
    #expect(result == .init(status: 64, output: "", error: error))
  }
}
