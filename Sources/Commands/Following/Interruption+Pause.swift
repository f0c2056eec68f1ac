extension Interruption {
  /// Waits some seconds, or until a request is made.
  package func pause(seconds: Double) async {
    let wait = Task { try? await Task.sleep(for: .seconds(seconds)) }
    let action = onRequest { wait.cancel() }
    _ = await wait.value
    cancelAction(action)
  }
}
