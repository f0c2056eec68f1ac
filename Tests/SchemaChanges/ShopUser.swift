internal import TCACore
internal import TCARecorder

extension Shop {
  /// Records a session that covers the entire shop.
  ///
  /// - Parameter path: The path of the log.
  @MainActor package static func record(to path: String) async {
    var configuration = RecorderConfiguration(.file(path))
    configuration.calls = CallFilter()
    let store = Store(initialState: State()) {
      Shop().recorded(as: "Shop", to: Recorder(configuration))
    } withDependencies: {
      $0[ShopClient.self] = .liveValue
    }
    store.send(.lineAdded(name: "Tea", isGift: false))
    store.send(.lineAdded(name: "Mug", isGift: false))
    store.send(.countChanged(Quantity(value: 7)))
    store.send(.zipChanged("20095"))
    store.send(.detailTapped)
    if let id = store.state.path.ids.first {
      store.send(.path(.element(id: id, action: .detail(.textChanged("New")))))
      store.send(.path(.element(id: id, action: .detail(.limitTapped))))
    }
    store.send(.limitRaised)
    await store.send(.saveTapped).finish()
    store.send(.failed(.other("sold out")))
    store.send(.failed(.soldOut))
    store.send(.failed(.other("sold out")))
    store.send(.stopTapped)
  }
}
