import Foundation
import TCACore
import TCATesting
import Testing

struct TraitClient: DependencyKey {
  var name: String
  static let liveValue = TraitClient(name: "live")
  static let testValue = TraitClient(name: "test")
  static let offline = TraitClient(name: "offline")
}

/// Dependencies that are set by traits.
@Suite(.dependency(\.uuid, .incrementing), .dependency(\.date.now, Date(timeIntervalSince1970: 1)))
struct DependenciesTraitTests {
  @Dependency(\.uuid) var uuid
  @Dependency(\.date.now) var now
  @Dependency(TraitClient.self) var client

  @Test func `a dependency trait of a suite applies to its tests`() {
    #expect(now == Date(timeIntervalSince1970: 1))
    #expect(client.name == "test")
  }

  // Each test has its own generator. A shared sequence would continue with other ids.
  @Test(arguments: [1, 2])
  func `a dependency trait creates its value anew for each test and test case`(_: Int) {
    #expect(uuid() == UUID(0))
    #expect(uuid() == UUID(1))
  }

  @Test(.dependencies, arguments: [1, 2])
  func `a dependencies trait without a value changes no dependency`(_: Int) {
    #expect(uuid() == UUID(0))
    #expect(client.name == "test")
  }

  @Test(.dependency(TraitClient.offline))
  func `a dependency trait sets a dependency that is its own key`() {
    #expect(client.name == "offline")
  }

  @Test(
    .dependencies {
      $0.date.now = Date(timeIntervalSince1970: 2)
      $0[TraitClient.self].name += "ed"
    }
  )
  func `a dependency trait of a test takes precedence over the trait of its suite`() async {
    #expect(now == Date(timeIntervalSince1970: 2))
    #expect(await Task { client.name }.value == "tested")
  }

  @Suite(.dependency(TraitClient.offline)) struct Inner {
    @Dependency(\.date.now) var now
    @Dependency(TraitClient.self) var client

    @Test func `a dependency trait of a suite applies to nested suites`() {
      #expect(now == Date(timeIntervalSince1970: 1))
      #expect(client.name == "offline")
    }
  }

  @MainActor
  @Test(.dependency(\.continuousClock, ImmediateClock()))
  func `a dependency trait applies to the stores of a test`() async {
    let store = TestStore(initialState: 0) {
      Reduce<Int, Bool> { state, isLate in
        guard isLate else {
          return .run { send in
            @Dependency(\.continuousClock) var clock
            try await clock.sleep(for: .seconds(60))
            await send(true)
          }
        }
        state += 1
        return .none
      }
    }
    await store.send(false)
    await store.receive(true) { $0 = 1 }
  }
}
