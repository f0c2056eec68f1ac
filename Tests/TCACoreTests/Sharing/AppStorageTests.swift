import Foundation
import TCACore
import Testing

private enum Level: Int, Sendable { case low, high }
private enum Tab: String, Codable, Sendable { case home, search }
private struct Filter: Codable, Equatable, Sendable { var words: [String] }

/// A type of value, an assigned value, and the resulting entry in the defaults.
private struct Stored: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable (_ defaults: UserDefaults) -> Void

  init<Value: Sendable & Equatable>(
    _ name: String,
    _ key: @escaping @Sendable (UserDefaults) -> AppStorageKey<Value>,
    default first: Value,
    set second: Value,
    stands: @escaping @Sendable (Any?) -> Bool
  ) {
    testDescription = name
    check = { defaults in
      withOwnSharing {
        let shared = Shared(wrappedValue: first, key(defaults))
        #expect(shared.wrappedValue == first)
        #expect(defaults.object(forKey: "key") == nil, "a default is not written")
        shared.withLock { $0 = second }
        #expect(stands(defaults.object(forKey: "key")))
      }
      withOwnSharing {
        let shared = Shared(wrappedValue: first, key(defaults))
        #expect(shared.wrappedValue == second)
        #expect(shared.loadError == nil)
      }
    }
  }
}

@Suite struct AppStorageTests {
  fileprivate static let plain: [Stored] = [
    Stored(
      "Bool",
      { .appStorage("key", store: $0) },
      default: false,
      set: true,
      stands: { $0 as? Bool == true }
    ),
    Stored(
      "Int",
      { .appStorage("key", store: $0) },
      default: 0,
      set: Int.max,
      stands: { $0 as? Int ?? ($0 as? Int64).map(Int.init) == Int.max }
    ),
    Stored(
      "Double",
      { .appStorage("key", store: $0) },
      default: 0,
      set: 0.1,
      stands: { $0 as? Double == 0.1 }
    ),
    Stored(
      "String",
      { .appStorage("key", store: $0) },
      default: "",
      set: "Größe 👩‍👩‍👧",
      stands: { $0 as? String == "Größe 👩‍👩‍👧" }
    ),
    Stored(
      "[String]",
      { .appStorage("key", store: $0) },
      default: [],
      set: ["a", ""],
      stands: { ($0 as? [Any])?.count == 2 }
    ),
    Stored(
      "Data",
      { .appStorage("key", store: $0) },
      default: Data(),
      set: Data([0, 255]),
      stands: { $0 as? Data == Data([0, 255]) }
    ),
    Stored(
      "Date",
      { .appStorage("key", store: $0) },
      default: .distantPast,
      set: date,
      stands: { $0 as? Date == date }
    ),
    Stored(
      "URL",
      { .appStorage("key", store: $0) },
      default: file,
      set: web,
      stands: { $0 as? String == web.absoluteString }
    ),
  ]
  fileprivate static let coded: [Stored] = [
    Stored(
      "RawRepresentable<Int>",
      { .appStorage("key", store: $0) },
      default: Level.low,
      set: .high,
      stands: { $0 as? Int == 1 }
    ),
    Stored(
      "RawRepresentable<String>",
      { .appStorage("key", store: $0) },
      default: Tab.home,
      set: .search,
      stands: { $0 as? String == "search" }
    ),
    Stored(
      "Codable",
      { .appStorage("key", store: $0) },
      default: Filter(words: []),
      set: filter,
      stands: { $0 as? Data == Data(#"{"words":["a"]}"#.utf8) }
    ),
    Stored(
      "Bool?",
      { .appStorage("key", store: $0) },
      default: Bool?.none,
      set: true,
      stands: { $0 as? Bool == true }
    ),
    Stored(
      "Int?",
      { .appStorage("key", store: $0) },
      default: Int?.none,
      set: 3,
      stands: { $0 as? Int == 3 }
    ),
    Stored(
      "URL?",
      { .appStorage("key", store: $0) },
      default: URL?.none,
      set: file,
      stands: { $0 as? String == file.absoluteString }
    ),
    Stored(
      "RawRepresentable<Int>?",
      { .appStorage("key", store: $0) },
      default: Level?.none,
      set: .high,
      stands: { $0 as? Int == 1 }
    ),
    Stored(
      "RawRepresentable<String>?",
      { .appStorage("key", store: $0) },
      default: Tab?.none,
      set: .search,
      stands: { $0 as? String == "search" }
    ),
    Stored(
      "Codable?",
      { .appStorage("key", store: $0) },
      default: Filter?.none,
      set: filter,
      stands: { $0 as? Data == Data(#"{"words":["a"]}"#.utf8) }
    ),
  ]
  private static let date = Date(timeIntervalSince1970: 86_400.5)
  private static let web = URL(filePath: "/a b").appending(queryItems: [
    .init(name: "q", value: "ä")
  ])
  private static let file = URL(filePath: "/tmp/file")
  private static let filter = Filter(words: ["a"])

  @Test(arguments: plain + coded)
  private func `appStorage writes and reads values of each supported type`(_ stored: Stored) {
    stored.check(.inMemory)
  }

  @Test func `setting an appStorage value to nil removes it from the user defaults`() {
    let defaults = UserDefaults.inMemory
    withOwnSharing {
      $0.defaultAppStorage = defaults
    } operation: {
      @Shared(.appStorage("name")) var name: String?
      $name.withLock { $0 = "Blob" }
      #expect(defaults.string(forKey: "name") == "Blob")
      $name.withLock { $0 = nil }
      #expect(defaults.object(forKey: "name") == nil)
    }
  }

  @Test func `appStorage reports a load error and keeps its default for a value of another type`() {
    let defaults = UserDefaults.inMemory
    defaults.set("seven", forKey: "count")
    withOwnSharing {
      $0.defaultAppStorage = defaults
    } operation: {
      @Shared(.appStorage("count")) var count = 1
      #expect(count == 1)
      #expect(
        ($count.loadError as? AppStorageTypeError)?.description == """
          The defaults hold a value of type String under "count", which is no Int. The default value \
          holds until something is set. Use another name, or remove what is there.
          """
      )
      $count.withLock { $0 = 2 }
      #expect(defaults.integer(forKey: "count") == 2)
    }
  }

  @Test func `appStorage reads an integer as a double and a double as an integer`() {
    let defaults = UserDefaults.inMemory
    defaults.set(2.0, forKey: "whole")
    defaults.set(3, forKey: "floating")
    withOwnSharing {
      $0.defaultAppStorage = defaults
    } operation: {
      @Shared(.appStorage("whole")) var whole = 0
      @Shared(.appStorage("floating")) var floating = 0.5
      #expect(whole == 2 && floating == 3)
    }
  }

  @Test func `appStorage follows changes by other references and user defaults`() {
    let defaults = UserDefaults.inMemory
    withOwnSharing {
      $0.defaultAppStorage = defaults
    } operation: {
      @Shared(.appStorage("tab")) var tab = Tab.home
      @Shared(.appStorage("tab")) var text = "none"
      $text.withLock { $0 = "search" }
      #expect(tab == .search)
      defaults.set("home", forKey: "tab")
      NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: defaults)
      #expect(tab == .home && text == "home")
      defaults.removeObject(forKey: "tab")
      NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: defaults)
      #expect(tab == .home && text == "none")
    }
  }

  @Test func `appStorage reports a second object for a suite that is in use`() throws {
    let suite = "tca-suite-\(UUID())"
    func make() throws -> UserDefaults { try #require(UserDefaults(suiteName: suite)) }
    let first = try make()
    let second = try make()
    func issues(_ defaults: UserDefaults) -> [String] {
      recordingIssues {
        withOwnSharing {
          @Shared(.appStorage("count", store: defaults)) var count = 0
          _ = count
        }
      }
    }
    #expect(issues(first) == [] && issues(first) == [])
    #expect(
      issues(second) == [
        """
        The app storage key "count" was given a second UserDefaults object for the suite "\(suite)". Two objects share \
        two values, which learn of each other's changes late or not at all. Keep one object in a "static let", and give it \
        to all keys of the suite.
        """
      ]
    )
    #expect(issues(second) == [])
    withExtendedLifetime((first, second)) {}

    let other = "tca-suite-\(UUID())"
    for _ in 0..<2 { #expect(issues(try #require(UserDefaults(suiteName: other))) == []) }
    #expect(issues(.inMemory) == [] && issues(.inMemory) == [])
  }
}
