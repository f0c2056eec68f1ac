import TCACore
import Testing

private enum NicknameKey: DependencyKey {
  static let liveValue: String? = "live"
  static let testValue: String? = "test"
}

private enum NobodyKey: DependencyKey {
  static let liveValue: String? = nil
  static let testValue: String? = nil
}

extension DependencyValues {
  fileprivate var nickname: String? {
    get { self[NicknameKey.self] }
    set { self[NicknameKey.self] = newValue }
  }

  fileprivate var nobody: String? {
    get { self[NobodyKey.self] }
    set { self[NobodyKey.self] = newValue }
  }
}

/// Dependencies whose values may be absent.
@Suite struct OptionalDependencyTests {
  @Test(arguments: [(DependencyContext.live, "live"), (.test, "test"), (.preview, "live")])
  func `an optional dependency without an override has its context's default`(
    context: DependencyContext,
    expected: String
  ) {
    withDependencies {
      $0.context = context
    } operation: {
      @Dependency(\.nickname) var nickname
      // Read twice: the first read creates the default, and the second one finds it.
      #expect(nickname == expected)
      #expect(nickname == expected)
      #expect(DependencyValues._current[NicknameKey.self] == expected)
    }
  }

  @Test func `an optional dependency can be set to nil and to a value`() {
    withDependencies {
      $0.nickname = nil
      $0.nobody = "someone"
    } operation: {
      @Dependency(\.nickname) var nickname
      @Dependency(\.nobody) var nobody
      #expect(nickname == nil)
      #expect(nobody == "someone")
    }
  }

  @Test func `an optional dependency whose default is nil is nil`() {
    @Dependency(\.nobody) var nobody
    #expect(nobody == nil)
  }

  @Test func `prepareDependencies sets an optional dependency`() {
    prepareDependencies { $0.nickname = "prepared" }
    @Dependency(\.nickname) var nickname
    #expect(nickname == "prepared")
  }
}
