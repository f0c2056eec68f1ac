import SampleFeatures
import TCAReplay

/// The stock host: the command line with the sample features, and every other feature through `--host`.
@main
struct Main: ReplayHost {
  static var features: [ReplayFeature] {
    [
      ReplayFeature("Counter") {
        Counter()
      } initialState: {
        Counter.State()
      },
      ReplayFeature("Search") {
        Search()
      } initialState: {
        Search.State()
      },
      ReplayFeature("Todos") {
        Todos()
      } initialState: {
        Todos.State()
      },
    ]
  }
}
