import Foundation
import Testing

@testable import TCACore

/// Each of these changes values under names that the others use as well, and begins with the defaults.
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

  /// Reads all again, with other references.
  private func readAllStorages(expecting value: Int) {
    @Shared(.inMemory("isolated")) var inMemory = 0
    @Shared(.fileStorage(Self.url)) var inFile = 0
    @Shared(.appStorage("isolated")) var inDefaults = 0
    #expect(inMemory == value && inFile == value && inDefaults == value)
  }

  @Test func `a test shares nothing with another one`() {
    useAllStorages(settingThemTo: 1)
    readAllStorages(expecting: 1)
  }

  @Test func `another test shares nothing with the first one`() {
    useAllStorages(settingThemTo: 2)
    readAllStorages(expecting: 2)
  }

  @Test(arguments: [1, 2], ["a", "b"])
  func `a case of a test shares nothing with its other cases`(value: Int, _: String) {
    useAllStorages(settingThemTo: value)
    readAllStorages(expecting: value)
  }

  @Test func `tests touch neither files nor the user's defaults`() {
    useAllStorages(settingThemTo: 3)
    #expect(!FileManager.default.fileExists(atPath: Self.url.path))
    #expect(UserDefaults.standard.object(forKey: "isolated") == nil)
    #expect(DependencyValues._current.defaultFileStorage != .fileSystem)
  }

  @Test func `the app itself uses files and the user's defaults`() {
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(DependencyValues._current.defaultFileStorage == .fileSystem)
      #expect(DependencyValues._current.defaultAppStorage === UserDefaults.standard)
    }
  }
}
