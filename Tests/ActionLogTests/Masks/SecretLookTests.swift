import Testing

@testable import ActionLog

@Suite("What looks like a secret")
struct SecretLookTests {
  @Test(
    "SecretKind distinguishes addresses, tokens, keys and numbers from names",
    arguments: [
      ("ada@example.org", .email), ("write to Ada <ada.l+x@mail.example.co.uk>!", .email),
      ("sk-proj-4f9aKq81LmZ0vR7Ty2", .token), ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", .token),
      ("AKIAIOSFODNN7EXAMPLE", .token),
      ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4", .token),
      ("Bearer 9dKx72LmQ0vRt4Wz8YbN1c", .key), ("d41d8cd98f00b204e9800998ecf8427e", .key),
      ("4242 4242 4242 4242", .card), ("DE02120300000000202051", .iban),
      ("GB82 WEST 1234 5698 7654 32", .iban), ("", nil), ("Buy milk", nil), ("@home", nil),
      ("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A", nil), ("2026-11-21T05:21:04.9111813Z", nil),
      ("masked5d79b2e0bf06c886bd", nil), ("SampleFeatures/Todos.swift:88", nil),
      ("aVeryLongNameOfAMemberInCamelCase", nil), ("4242 4242 4242 4241", nil),
      ("com.example.app-2.1.0-build418", nil), ("1234567890123", nil),
    ] as [(String, SecretKind?)]
  )
  func looks(text: String, look: SecretKind?) {
    #expect(SecretKind.of(text) == look)
  }
}
