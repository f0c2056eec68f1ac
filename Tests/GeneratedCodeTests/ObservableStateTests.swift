import Foundation
import Observation
import Synchronization
import TCACore
import Testing

/// Returns whether a property that `read` accesses was notified while `change` ran.
func notifies<Root>(
  _ root: inout Root,
  reading read: (Root) -> Void,
  _ change: (inout Root) -> Void
) -> Bool {
  let notified = Mutex(false)
  withObservationTracking {
    read(root)
  } onChange: {
    notified.withLock { $0 = true }
  }
  change(&root)
  return notified.withLock { $0 }
}

@ObservableState
struct Parent: Equatable {
  var child = Child()
  var other = Child()
  var rows = [Child(), Child()]
  var name = "Blob"
  var optional: Child?
  var plain = Plain.a(1)
  @ObservationStateIgnored var ignored = 0
  var observed = 0 { didSet { ignored += 1 } }
  let id = UUID()
  let constant = 5
  #if DEBUG
  var debug: [String: Int] = [:]
  #endif

  enum Plain: Equatable {
    case a(Int)
    case b
  }
}

@ObservableState
struct Child: Equatable {
  var count = 0
  var label: String?
  mutating func replace(with other: Child) { self = other }
}

@ObservableState
enum Mode: Equatable {
  case child(Child)
  case named(child: Child)
  case idle
  case pair(Int, Int)
}

@ObservableState
struct Root: Equatable {
  var mode = Mode.child(Child())
}

private let made = Mutex(0)
private func make() -> Int {
  made.withLock {
    $0 += 1
    return $0
  }
}

@ObservableState
struct Counted { var number = make() }

@Suite struct ObservableStateTests {
  @Test func `an observable state evaluates its initial values once per instance`() {
    let first = Counted().number
    #expect(Counted().number == first + 1)
  }

  @Test func `an observable state notifies only observers of changed members`() {
    var parent = Parent()
    #expect(!notifies(&parent, reading: { _ = $0.child }, { $0.child.count += 1 }))
    #expect(notifies(&parent, reading: { _ = $0.child.count }, { $0.child.count += 1 }))
    #expect(!notifies(&parent, reading: { _ = $0.child.label }, { $0.child.count += 1 }))
    #expect(!notifies(&parent, reading: { _ = $0.name }, { $0.child.count += 1 }))
    #expect(notifies(&parent, reading: { _ = $0.child }, { $0.child = Child() }) == true)
    #expect(!notifies(&parent, reading: { _ = $0.name }, { $0.name = "Blob" }))
    #expect(notifies(&parent, reading: { _ = $0.name }, { $0.name = "Other" }))
    #expect(!notifies(&parent, reading: { _ = $0.ignored }, { $0.ignored = 1 }))
  }

  @Test func `observers of a list or optional are not notified of changes within its elements`() {
    var parent = Parent()
    #expect(!notifies(&parent, reading: { _ = $0.rows }, { $0.rows[0].count += 1 }))
    #expect(notifies(&parent, reading: { _ = $0.rows[0].count }, { $0.rows[0].count += 1 }))
    #expect(!notifies(&parent, reading: { _ = $0.rows[1].count }, { $0.rows[0].count += 1 }))
    #expect(notifies(&parent, reading: { _ = $0.rows }, { $0.rows.append(Child()) }))
    #expect(notifies(&parent, reading: { _ = $0.optional }, { $0.optional = Child() }))
    #expect(!notifies(&parent, reading: { _ = $0.optional }, { $0.optional?.count += 1 }))
    #expect(notifies(&parent, reading: { _ = $0.optional }, { $0.optional = nil }))
  }

  @Test func `an observable state notifies the observers of a replaced child`() {
    var parent = Parent()
    #expect(
      notifies(&parent, reading: { _ = $0.child }, { $0.child.replace(with: Child(count: 7)) })
    )
    parent.child = Child(count: 3)
    #expect(
      notifies(
        &parent,
        reading: { _ = $0.child },
        { parent in
          (parent.child, parent.other) = (parent.other, parent.child)
        }
      )
    )
    #expect(
      notifies(
        &parent,
        reading: { _ = $0.child.count },
        { parent in
          var copy = parent.child
          copy.count += 1
          parent.child = copy
        }
      )
    )
    let saved = parent.child
    parent.child.count += 1
    #expect(notifies(&parent, reading: { _ = $0.child.count }, { $0.child = saved }))
    #expect(parent.child.count == saved.count)
  }

  @Test func `an observable enum notifies its observers when its case changes`() {
    var root = Root()
    #expect(
      !notifies(
        &root,
        reading: { _ = $0.mode },
        { root in
          guard case .child(var child) = root.mode else { return }
          child.count += 1
          root.mode = .child(child)
        }
      )
    )
    #expect(
      notifies(
        &root,
        reading: { _ = $0.mode },
        { root in
          guard case .child(let child) = root.mode else { return }
          root.mode = .named(child: child)
        }
      )
    )
    #expect(notifies(&root, reading: { _ = $0.mode }, { $0.mode = .idle }))
    #expect(!notifies(&root, reading: { _ = $0.mode }, { $0.mode = .idle }))
    var parent = Parent()
    #expect(notifies(&parent, reading: { _ = $0.plain }, { $0.plain = .a(2) }))
  }

  @Test func `willSet and didSet of a property run in an observable state`() {
    var parent = Parent()
    parent.observed = 4
    #expect(parent.ignored == 1)
  }

  @Test func `an observable state reads back from the log and lists its members`() throws {
    var parent = Parent()
    parent.child.label = "x"
    parent.observed = 2
    parent.optional = Child(count: 9)
    let json = JSON(logging: parent)
    #expect(json["child"] == ["count": 0, "label": "x"])
    let fresh = Parent()
    let read = try LogDecoder(json).value(Parent.self, over: fresh)
    #expect(read == parent)
    #expect(read.id == parent.id)
    #expect(try LogDecoder(json).value(Parent.self).id == parent.id)

    var patch = PatchBuilder()
    var changed = parent
    changed.child.count = 3
    changed.name = "New"
    patch.value(parent, changed)
    #expect(patch.patch.operations.count == 2)
    #expect(
      Parent._$logMembers.map(\.name) == [
        "child", "other", "rows", "name", "optional", "plain", "ignored", "observed", "debug",
      ]
    )
  }
}
