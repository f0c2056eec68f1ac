import Foundation
import SampleFeatures
import SamplePictures
import TCACore
import TCAReplay

/// The stock host: the command line with the sample features, and every other feature through `--host`.
@main
struct Main: ReplayHost {
  /// The settings of all that make settings of their own while they run: who tries a sample is left none.
  private nonisolated(unsafe) static let settings = UserDefaults.inMemory

  static var features: [ReplayFeature] {
    [
      ReplayFeature("Account") {
        Account()
      } initialState: {
        Account.State()
      },
      ReplayFeature("Board") {
        Board()
      } initialState: {
        Board.State()
      } picture: {
        .board($0)
      },
      ReplayFeature("Counter") {
        Counter()
      } initialState: {
        Counter.State()
      } picture: {
        .counter($0)
      },
      ReplayFeature("Draft") {
        Draft()
      } initialState: {
        Draft.State()
      },
      ReplayFeature("Exchange") {
        Exchange()
      } initialState: {
        Exchange.State()
      },
      ReplayFeature("Inspections") {
        Inspections()
      } initialState: {
        // Trying a sample leaves no files and settings.
        withDependencies {
          $0.defaultFileStorage = .inMemory
          $0.defaultAppStorage = .inMemory
        } operation: {
          Inspections.State()
        }
      } picture: {
        .inspections($0)
      },
      ReplayFeature("Memos") {
        Memos().dependency(\.defaultAppStorage, settings)
      } initialState: {
        withDependencies {
          $0.defaultAppStorage = settings
        } operation: {
          Memos.State()
        }
      },
      ReplayFeature("Playlist") {
        Playlist()
      } initialState: {
        Playlist.State()
      },
      ReplayFeature("Receipt") {
        Receipt()
      } initialState: {
        Receipt.State()
      },
      ReplayFeature("Search") {
        Search()
      } initialState: {
        Search.State()
      },
      ReplayFeature("SignUp") {
        SignUp().dependency(\.defaultAppStorage, settings)
      } initialState: {
        SignUp.State()
      } picture: {
        .signUp($0)
      },
      ReplayFeature("Todos") {
        Todos()
      } initialState: {
        Todos.State()
      } picture: {
        .todos($0)
      },
    ]
  }
}
