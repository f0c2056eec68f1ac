import ActionLog
import Synchronization
import TCACore
import Testing

/// The comparison of rows that each contain a shared value.
@Suite(.serialized) struct SharedRowTests {
  /// A row that counts its comparisons.
  struct Row: LogValue, Identifiable {
    static let compared = Atomic(0)
    let id: Int
    var visits = 0
    @Shared var title: String

    init(id: Int, title: Shared<String>) {
      self.id = id
      _title = title
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginObject()
      encoder.member("id", id)
      encoder.member("visits", visits)
      encoder.member("title", _title)
      encoder.endObject()
    }
    static func difference(from old: Row, to new: Row, into patch: inout PatchBuilder) {
      compared.add(1, ordering: .relaxed)
      patch.member("id", old.id, new.id)
      patch.member("visits", old.visits, new.visits)
      patch.member("title", old._title, new._title)
    }
    static func decode(from decoder: LogDecoder, over _: Row?) throws -> Row {
      throw decoder.error(.missing, type: Row.self)
    }
    static func survey(_ type: inout LogTypeSurvey) {
      type.contains(Int.self)
      type.contains(Shared<String>.self)
    }
  }

  private typealias Rows = IdentifiedArrayOf<Row>

  private static func rows(_ count: Int) -> Rows {
    Rows(uniqueElements: (0..<count).map { Row(id: $0, title: Shared(value: "title \($0)")) })
  }

  /// Returns the patch between two arrays, and the number of rows that were compared for it.
  private static func patch(
    _ tracker: inout StateTracker,
    from old: Rows,
    to new: Rows
  ) -> (text: String, compared: Int) {
    let before = Row.compared.load(ordering: .relaxed)
    let patch = tracker.patch(from: old, to: new)
    return ("\(patch.json)", Row.compared.load(ordering: .relaxed) - before)
  }

  @Test(arguments: [10, 1_000])
  func `only rows whose shared values were written are compared`(count: Int) {
    let rows = Self.rows(count)
    var tracker = StateTracker()
    _ = tracker.begin(rows)
    rows[7].$title.withLock { $0 = "seven" }
    let one = Self.patch(&tracker, from: rows, to: rows)
    #expect(one.text == #"[{"op":"replace","path":"/7/title","value":"seven"}]"#)
    #expect(one.compared == 1)

    rows[count - 1].$title.withLock { $0 = "last" }
    rows[2].$title.withLock { $0 = "two" }
    var changed = rows
    changed[id: 5]?.visits = 1
    let three = Self.patch(&tracker, from: rows, to: changed)
    #expect(
      three.text == #"[{"op":"replace","path":"/2/title","value":"two"},"#
        + #"{"op":"replace","path":"/5/visits","value":1},"#
        + #"{"op":"replace","path":"/\#(count - 1)/title","value":"last"}]"#
    )
    #expect(three.compared == 3)
    #expect(Self.patch(&tracker, from: changed, to: changed) == ("[]", 0))
  }

  @Test func `rows that moved are compared where they are`() {
    let rows = Self.rows(100)
    var tracker = StateTracker()
    _ = tracker.begin(rows)
    rows[50].$title.withLock { $0 = "fifty" }
    _ = Self.patch(&tracker, from: rows, to: rows)
    var changed = rows
    changed.remove(id: 3)
    _ = Self.patch(&tracker, from: rows, to: changed)
    rows[50].$title.withLock { $0 = "forty-nine" }
    let patch = Self.patch(&tracker, from: changed, to: changed)
    #expect(patch.text == #"[{"op":"replace","path":"/49/title","value":"forty-nine"}]"#)
    #expect(patch.compared == 1)
  }

  @Test func `a shared value that replaces another one is compared`() {
    let rows = Self.rows(100)
    var tracker = StateTracker()
    _ = tracker.begin(rows)
    rows[7].$title.withLock { $0 = "seven" }
    _ = Self.patch(&tracker, from: rows, to: rows)
    let title = Shared(value: "another")
    let changed = rows
    changed[7].$title = title
    let replaced = Self.patch(&tracker, from: rows, to: changed)
    #expect(replaced.text == #"[{"op":"replace","path":"/7/title","value":"another"}]"#)
    title.withLock { $0 = "written" }
    let written = Self.patch(&tracker, from: changed, to: changed)
    #expect(written.text == #"[{"op":"replace","path":"/7/title","value":"written"}]"#)
    #expect(written.compared == 1)
  }

  @Test func `more writes than are known are all found`() {
    let rows = Self.rows(600)
    var tracker = StateTracker()
    _ = tracker.begin(rows)
    for row in rows { row.$title.withLock { $0 += "!" } }
    let all = Self.patch(&tracker, from: rows, to: rows)
    #expect(all.compared == 600)
    #expect(all.text.count { $0 == "!" } == 600)
    rows[599].$title.withLock { $0 = "last" }
    #expect(Self.patch(&tracker, from: rows, to: rows).compared == 1)
  }
}
