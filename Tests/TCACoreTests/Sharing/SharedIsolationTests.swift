import Foundation
import Testing

@testable import TCACore

/// Each test starts with the defaults, although the others change values with the same names.
@Suite struct SharedIsolationTests {
  private static let url = URL(filePath: "/shared-isolation-tests.json")

  private func useAllStorages(settingThemTo value: Int) {
    @Shared(.inMemory("isolated")) var inMemory = 0
    @Shared(.fileStorage(Self.url)) var inFile = 0
    @Shared(.appStorage("isolated")) var inDefaults = 0
    #expect(inMemory == 0 && inFile == 0 && inDefaults == 0)
    $inMemory.withLock { $0 = value }
    $inFile.withLock { $0 = value }
    $inDefaults.withLock { $0 = value }
    #expect(inMemory == value && inFile == value && inDefaults == value)
    #expect($inFile.saveError == nil)
  }

  /// Reads all storages again with other references.
  private func readAllStorages(expecting value: Int) {
    @Shared(.inMemory("isolated")) var inMemory = 0
    @Shared(.fileStorage(Self.url)) var inFile = 0
    @Shared(.appStorage("isolated")) var inDefaults = 0
    #expect(inMemory == value && inFile == value && inDefaults == value)
  }

  @Test func `shared storages of a test start with the defaults`() {
    useAllStorages(settingThemTo: 1)
    readAllStorages(expecting: 1)
  }

  @Test func `shared storages of another test start with the defaults`() {
    useAllStorages(settingThemTo: 2)
    readAllStorages(expecting: 2)
  }

  @Test(arguments: [1, 2], ["a", "b"])
  func `shared storages of each test case start with the defaults`(value: Int, _: String) {
    useAllStorages(settingThemTo: value)
    readAllStorages(expecting: value)
  }

  @Test func `in a test, shared storages write neither files nor the standard user defaults`() {
    useAllStorages(settingThemTo: 3)
    #expect(!FileManager.default.fileExists(atPath: Self.url.path))
    #expect(UserDefaults.standard.object(forKey: "isolated") == nil)
    #expect(DependencyValues._current.defaultFileStorage != .fileSystem)
  }

  @Test
  func `in the live context, shared storages use the file system and the standard user defaults`() {
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(DependencyValues._current.defaultFileStorage == .fileSystem)
      #expect(DependencyValues._current.defaultAppStorage === UserDefaults.standard)
    }
  }
}
