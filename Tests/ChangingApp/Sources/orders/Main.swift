import Foundation
import OrdersFeature
import TCARecorder

@main struct Main {
  @MainActor static func main() async {
    var configuration = RecorderConfiguration(.file(CommandLine.arguments[1]))
    configuration.calls = CallFilter()
    let recorder = Recorder(configuration)
    let store = Store(initialState: Orders.State()) {
      Orders().recorded(to: recorder)
    }
    store.send(.addTapped("Tea"))
    store.send(.addTapped("Coffee"))
    if let id = store.orders.first?.id { store.send(.toggled(id: id)) }
    await store.send(.submitTapped).finish()
    store.send(.submitTapped)
    store.send(.cancelTapped)
  }
}
