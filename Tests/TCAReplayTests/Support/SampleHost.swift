import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCACore
import TCAReplay
import TestSupport
import Testing

/// The sample logs and the features that recorded them, as in the stock host.
enum SampleHost {
  /// A sample log.
  struct Sample: Sendable, CustomTestStringConvertible {
    let log: String
    let entry: FeatureEntry

    var testDescription: String { log }

    var slice: LogSlice {
      let path = SampleHost.folder + "/\(log).jsonl"
      return LogSlice(path: path, name: "\(log).jsonl")
    }
  }

  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("SampleLogs").path

  static let samples: [Sample] = [
    sample(
      "account",
      ReplayFeature("Account") {
        Account()
      } initialState: {
        Account.State()
      }
    ),
    sample(
      "board",
      ReplayFeature("Board") {
        Board()
      } initialState: {
        Board.State()
      }
    ),
    sample(
      "counter",
      ReplayFeature("Counter") {
        Counter()
      } initialState: {
        Counter.State()
      }
    ),
    sample(
      "draft",
      ReplayFeature("Draft") {
        Draft()
      } initialState: {
        Draft.State()
      }
    ),
    sample(
      "exchange",
      ReplayFeature("Exchange") {
        Exchange()
      } initialState: {
        Exchange.State()
      }
    ),
    sample(
      "inspections",
      ReplayFeature("Inspections") {
        Inspections()
      } initialState: {
        withDependencies {
          $0.defaultFileStorage = .inMemory
          $0.defaultAppStorage = .inMemory
        } operation: {
          Inspections.State()
        }
      }
    ),
    sample(
      "memos",
      ReplayFeature("Memos") {
        Memos().dependency(\.defaultAppStorage, .inMemory)
      } initialState: {
        withDependencies {
          $0.defaultAppStorage = .inMemory
        } operation: {
          Memos.State()
        }
      }
    ),
    sample(
      "search",
      ReplayFeature("Search") {
        Search()
      } initialState: {
        Search.State()
      }
    ),
    sample(
      "signup",
      ReplayFeature("SignUp") {
        SignUp().dependency(\.defaultAppStorage, .inMemory)
      } initialState: {
        SignUp.State()
      }
    ),
    sample(
      "todos",
      ReplayFeature("Todos") {
        Todos()
      } initialState: {
        Todos.State()
      }
    ),
  ]

  private static func sample(_ log: String, _ feature: ReplayFeature) -> Sample {
    Sample(log: log, entry: feature.entry)
  }
}
