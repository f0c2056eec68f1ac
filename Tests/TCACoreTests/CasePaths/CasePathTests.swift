import TCACore
import Testing

@dynamicMemberLookup
private enum Child: CasePathable, Equatable {
  case tap
  case rename(String)
  case move(x: Int, y: Int)

  struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    subscript(root: Child) -> PartialCaseKeyPath<Child> {
      switch root {
      case .tap: \.tap
      case .rename: \.rename
      case .move: \.move
      }
    }
    var tap: AnyCasePath<Child, Void> {
      AnyCasePath(embed: { .tap }, extract: { if case .tap = $0 { () } else { nil } })
    }
    var rename: AnyCasePath<Child, String> {
      AnyCasePath(
        embed: Child.rename,
        extract: { if case .rename(let name) = $0 { name } else { nil } }
      )
    }
    var move: AnyCasePath<Child, (x: Int, y: Int)> {
      AnyCasePath(
        embed: { .move(x: $0.x, y: $0.y) },
        extract: { if case .move(let x, let y) = $0 { (x: x, y: y) } else { nil } }
      )
    }
    func makeIterator() -> some IteratorProtocol<PartialCaseKeyPath<Child>> {
      [\.tap, \.rename, \.move].makeIterator()
    }
  }
  static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Child: CasePathIterable {}

private enum Parent: CasePathable, Equatable {
  case child(Child)
  case maybe(Child?)

  struct AllCasePaths: Sendable {
    var child: AnyCasePath<Parent, Child> {
      AnyCasePath(
        embed: Parent.child,
        extract: { if case .child(let child) = $0 { child } else { nil } }
      )
    }
    var maybe: AnyCasePath<Parent, Child?> {
      AnyCasePath(
        embed: Parent.maybe,
        extract: { if case .maybe(let child) = $0 { .some(child) } else { nil } }
      )
    }
  }
  static var allCasePaths: AllCasePaths { AllCasePaths() }
}

private enum Grandparent: CasePathable, Equatable {
  case parent(Parent?)

  struct AllCasePaths: Sendable {
    var parent: AnyCasePath<Grandparent, Parent?> {
      AnyCasePath(
        embed: Grandparent.parent,
        extract: { if case .parent(let parent) = $0 { .some(parent) } else { nil } }
      )
    }
  }
  static var allCasePaths: AllCasePaths { AllCasePaths() }
}

@Suite struct CasePathTests {
  @Test func `the case of an enum value is the case's key path`() {
    #expect(Child.tap.case == \Child.Cases.tap)
    #expect(Child.rename("a").case == \Child.Cases.rename)
    #expect(Child.rename("a").case != Child.tap.case)
    #expect(Int?.some(1).case == \Int?.Cases.some)
  }

  @Test func `a partial case key path extracts the payload as Any`() {
    let paths: [PartialCaseKeyPath<Child>] = [\.tap, \.rename, \.move]
    let payloads = paths.map { Child.rename("a")[case: $0] }
    #expect(payloads.map { $0 as? String } == [nil, "a", nil])
    #expect(payloads.map { $0 == nil } == [true, false, true])
    #expect(Child.tap[case: paths[0]] is Void)
    #expect(
      Parent.child(.rename("b"))[case: \Parent.Cases.child.rename as PartialCaseKeyPath] as? String
        == "b"
    )
  }

  @Test func `a case key path through two optional payloads gives one optional`() {
    let path: CaseKeyPath<Grandparent, Child?> = \.parent.maybe
    #expect(Grandparent.parent(.maybe(.tap))[case: path] == .some(.tap))
    #expect(Grandparent.parent(nil)[case: path] == .some(nil))
    #expect(Grandparent.parent(.child(.tap))[case: path] == nil)
    #expect(path(.rename("c")) == .parent(.maybe(.rename("c"))))
    #expect(path(nil) == .parent(nil))
  }

  @Test func `a case key path through an optional payload embeds and extracts the wrapped value`() {
    let rename = \Parent.Cases.maybe.rename
    #expect(type(of: rename).valueType == Case<String>.self)
    #expect(rename("Blob") == .maybe(.rename("Blob")))
    #expect(Parent.maybe(.rename("Blob"))[case: rename] == "Blob")
    #expect(Parent.maybe(.tap)[case: rename] == nil)
    #expect(Parent.maybe(nil)[case: rename] == nil)
    let tap = \Parent.Cases.maybe.tap
    #expect(tap() == .maybe(.tap))
    #expect(Parent.maybe(.tap).is(tap))
    #expect(!Parent.maybe(nil).is(tap))
    // Through two optionals.
    let deep = \Grandparent.Cases.parent.maybe.rename
    #expect(type(of: deep).valueType == Case<String>.self)
    #expect(deep("Blob") == .parent(.maybe(.rename("Blob"))))
    #expect(Grandparent.parent(.maybe(nil))[case: deep] == nil)
    #expect(Grandparent.parent(nil)[case: deep] == nil)
  }

  @Test func `a case key path to an optional payload has an optional value if declared so`() {
    let rename: CaseKeyPath<Parent, String?> = \.maybe.rename
    #expect(rename("Blob") == .maybe(.rename("Blob")))
    #expect(rename(nil) == .maybe(nil))
    #expect(Parent.maybe(nil)[case: rename] == .some(nil))
    #expect(Parent.maybe(.tap)[case: rename] == nil)
  }

  @Test func `a case key path unwraps an optional payload if its type is not optional`() {
    let path: CaseKeyPath<Grandparent, Parent> = \.parent
    #expect(Grandparent.parent(.child(.tap))[case: path] == .child(.tap))
    #expect(Grandparent.parent(nil)[case: path] == nil)
    #expect(path(.maybe(nil)) == .parent(.maybe(nil)))
    let whole: CaseKeyPath<Grandparent, Parent?> = \.parent
    let inferred = \Grandparent.Cases.parent
    #expect(whole == inferred)
    #expect(path != inferred)
    let deep: CaseKeyPath<Grandparent, Child> = \.parent.maybe
    #expect(deep(.tap) == .parent(.maybe(.tap)))
    #expect(Grandparent.parent(.maybe(nil))[case: deep] == nil)
    #expect(Grandparent.parent(nil).is(\.parent))
  }

  @Test func `calling a case key path makes a value of its case`() {
    #expect((\Parent.Cases.child.rename)("Blob") == .child(.rename("Blob")))
    #expect((\Parent.Cases.child.tap)() == .child(.tap))
    #expect((\Child.Cases.move)((x: 1, y: 2)) == .move(x: 1, y: 2))
    #expect((\Parent.Cases.child).appending(path: \.tap)() == .child(.tap))
  }

  @Test func `a partial case key path embeds only a payload of the right type`() {
    let rename: PartialCaseKeyPath<Parent> = \.child.rename
    #expect(rename("Blob") == .child(.rename("Blob")))
    #expect(rename(1) == nil)
  }

  @Test func `AnyCasePath extracts a payload only from its own case`() {
    let path = AnyCasePath<Parent, String>(\.child.rename)
    #expect(path.extract(from: .child(.rename("Blob"))) == "Blob")
    #expect(path.extract(from: .child(.tap)) == nil)
    #expect(path.extract(from: .maybe(.rename("Blob"))) == nil)
  }

  @Test func `the key path self of any type can be used as an identity case path`() {
    #expect(AnyCasePath<Int?, Int?>(\.self).extract(from: 1) == .some(1))
    #expect(AnyCasePath<String, String>(\.self).embed("a") == "a")
    #expect(AnyCasePath<Void, Void>(\.self).extract(from: ()) != nil)
  }

  @Test func `the case subscript reads a payload, and writes it only if the case is current`() {
    var value = Parent.child(.rename("Blob"))
    #expect(value[case: \.child.rename] == "Blob")
    value[case: \.child.rename]? += " Jr."
    #expect(value == .child(.rename("Blob Jr.")))
    value[case: \.child.move] = (x: 1, y: 1)
    #expect(value == .child(.rename("Blob Jr.")))
  }

  @Test func `is and switch match a value by its case key path`() {
    let value = Parent.child(.tap)
    #expect(value.is(\.child))
    #expect(value.is(\.child.tap))
    #expect(!value.is(\.child.rename))
    switch value {
    case \.child.rename: Issue.record("matched another case")
    case \.child.tap: break
    default: Issue.record("matched no case")
    }
    let optional: Parent? = value
    #expect(optional.is(\.child.tap))
    #expect(!Optional<Parent>.none.is(\.child.tap))
  }

  @Test func `payload members of an enum return the payload of the current case or nil`() {
    #expect(Child.rename("Blob").rename == "Blob")
    #expect(Child.tap.rename == nil)
  }

  @Test func `modify changes the payload, and reports an issue if another case is current`() {
    var value: Parent? = .child(.rename("Blob"))
    value.modify(\.child.rename) { $0.append("!") }
    #expect(value == .child(.rename("Blob!")))
    let issues = recordingIssues { value.modify(\.child.move) { $0.x += 1 } }
    #expect(value == .child(.rename("Blob!")))
    #expect(
      issues == [
        """
        A case of "Parent" was to be changed, but the value stands in another case, "child". \
        Nothing was changed. Check the case first, with "is(_:)".
        """
      ]
    )
  }

  @Test func `Optional and Result have case key paths`() {
    #expect((\Int?.Cases.some)(1) == .some(1))
    #expect(Optional<Int>.none.is(\.none))
    #expect((\Parent.Cases.maybe.some.tap)() == .maybe(.tap))
    #expect((\Parent.Cases.maybe.rename)("Blob") == .maybe(.rename("Blob")))
    let failed = Result<Int, CancellationError>.failure(CancellationError())
    #expect(failed.is(\.failure))
    #expect(failed[case: \.success] == nil)
  }

  @Test func `allCasePaths lists the case key paths of an enum in order`() {
    #expect(Array(Child.allCasePaths) == [\.tap, \.rename, \.move])
    #expect(Child.allCasePaths[.rename("")] == \.rename)
  }
}
