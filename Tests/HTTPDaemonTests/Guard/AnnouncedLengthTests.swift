import Testing

@testable import HTTPDaemon

@Suite("An announced length of content, of which 100 bytes are permitted")
struct AnnouncedLengthTests {
    /// Whether a request with these fields is refused without its content being read.
    private func isTooLong(_ fields: [(String, String)], limit: Int = 100) throws -> Bool {
        var bytes: [UInt8] = []
        for (name, value) in [("Host", "a")] + fields {
            bytes += Array(name.utf8) + [0] + Array(value.utf8) + [0, 0]
        }
        let head = RawHead(
            method: "PUT", target: Array("/x".utf8), minorVersion: 1, fields: bytes + [0, 0])
        return try RequestGuard(bodyLimit: limit).admit(head, peer: "127.0.0.1").isTooLong
    }

    @Test("is read up to twice as much, so that its client reads the refusal")
    func slightlyTooLong() throws {
        #expect(try !isTooLong([]))
        for length in ["0", "100", "101", "200", "000200"] {
            #expect(try !isTooLong([("Content-Length", length)]), "\(length)")
        }
        for length in ["201", "0000201", "99999999999999999999"] {
            #expect(try isTooLong([("Content-Length", length)]), "\(length)")
        }
    }

    @Test("of any size is taken where all are permitted")
    func unlimited() throws {
        #expect(try !isTooLong([("Content-Length", "\(Int.max)")], limit: .max))
        #expect(try isTooLong([("Content-Length", "9223372036854775808")], limit: .max))
    }

    @Test("is refused at once when the client asks first, if it is too long at all")
    func expected() throws {
        let expectation = ("Expect", "100-continue")
        #expect(try !isTooLong([expectation, ("Content-Length", "100")]))
        #expect(try isTooLong([expectation, ("Content-Length", "101")]))
        #expect(try isTooLong([("Content-Length", "200"), expectation]))
    }
}
