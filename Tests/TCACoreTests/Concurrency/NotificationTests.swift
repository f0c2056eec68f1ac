#if !canImport(Darwin)
import Foundation
import TCACore
import Testing

@Suite struct NotificationTests {
  private static let name = Notification.Name("NotificationTests")

  @Test func `a notification sequence delivers the posts of its name in order`() async {
    let center = NotificationCenter()
    let notifications = center.notifications(named: Self.name)
    for number in 1...3 {
      center.post(name: Self.name, object: nil, userInfo: ["number": number])
    }
    center.post(name: Notification.Name("another"), object: nil)
    var numbers: [Int] = []
    for await notification in notifications {
      numbers.append(notification.userInfo?["number"] as? Int ?? 0)
      if numbers.count == 3 { break }
    }
    #expect(numbers == [1, 2, 3])
  }

  @Test func `a notification sequence ends when its task is canceled`() async {
    let center = NotificationCenter()
    let task = Task { [notifications = center.notifications(named: Self.name)] in
      var count = 0
      for await _ in notifications { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
    center.post(name: Self.name, object: nil)
  }
}
#endif
