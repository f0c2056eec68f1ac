import Foundation
import SchemaChanges
import TCAReplay

/// The host of the shop, with the migration for the change that the environment names.
struct SchemaHost: ReplayHost {
  static var features: [ReplayFeature] {
    let name = ProcessInfo.processInfo.environment[SchemaChange.variable]
    let change = SchemaChange.all.first { $0.name == name }
    return [
      ReplayFeature("Shop", migrations: [change?.migration ?? Migration(from: 1)]) {
        Shop()
      } initialState: {
        Shop.State()
      }
    ]
  }
}
