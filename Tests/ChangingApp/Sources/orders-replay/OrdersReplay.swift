import OrdersFeature
import TCAReplay

@main struct OrdersReplay: ReplayHost {
  static var features: [ReplayFeature] {
    [
      ReplayFeature("Orders") {
        Orders()
      } initialState: {
        Orders.State()
      }
    ]
  }
}
