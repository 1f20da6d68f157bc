import Testing

@testable import HTTPDaemon

@Suite("An authority")
struct AuthorityTests {
    @Test(
        "may have an IPv6 address in brackets, whose letters become small",
        arguments: [("[::1]", "[::1]", nil), ("[::FFFF:127.0.0.1]:80", "[::ffff:127.0.0.1]", 80)]
            as [(String, String, UInt16?)])
    func address(text: String, host: String, port: UInt16?) throws {
        let authority = try #require(Authority(text.utf8))
        #expect(authority.host == host)
        #expect(authority.port == port)
    }

    @Test(
        "is refused when something else is in brackets",
        arguments: [
            "[]", "[]:80", "[a]", "[localhost]:80", "[127.0.0.1]:80", "[::g]", "[v1.a:b]", "[::1%25eth0]:80",
            "[ ::1]", "[[::1]]",
        ])
    func refused(text: String) { #expect(Authority(text.utf8) == nil) }
}
