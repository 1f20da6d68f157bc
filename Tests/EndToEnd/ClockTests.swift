import Foundation
import TestSupport
import Testing

/// Time is moved from outside, by libfaketime: the program sees a clock that somebody has set.
@Suite("Licenses and the system's clock", .serialized, .timeLimit(.minutes(5)))
struct ClockTests {
    private static let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
    private static let key = Secret.key([UInt8](160..<176))

    /// The product as it sees the world when the clock on the wall differs by `shift` from the right one.
    private static func environment(_ shift: String) -> [String: String] {
        ["LD_PRELOAD": library, "FAKETIME": shift, "DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"]
    }

    /// What asking for the key gives while the clock differs by `shift`.
    private func answer(_ product: Product, _ token: String, at shift: String) async throws -> (Int, String) {
        var program = try product.program()
        program.environment.merge(Self.environment(shift)) { $1 }
        let service = try await Service.start(program, ["serve", "--listen", "127.0.0.1:0", "--json"])
        let ready = try JSONDecoder().decode(Product.Ready.self, from: Data(service.greeting.utf8))
        let bytes = try await blocking {
            let client = try RawHTTPClient(port: UInt16(ready.port))
            client.send(
                "GET /assets/\(token)/keys/k0.key HTTP/1.1\r\nHost: 127.0.0.1:\(ready.port)\r\nConnection: close\r\n\r\n"
            )
            return client.readToEnd()
        }
        try await service.stop()
        let text = String(decoding: bytes, as: UTF8.self)
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, text)
    }

    @Test(
        "a rental ends when it should, and setting the clock back gives none of it again",
        .enabled(
            if: FileManager.default.fileExists(atPath: library)
                || ProcessInfo.processInfo.environment["CI"] != nil))
    func rental() async throws {
        let origin = try OriginServer()
        origin.serve("/k", bytes: Self.key)
        let media = SampleMedia.transportStream(4)
        origin.serve("/0.ts", bytes: SampleMedia.encrypted(media, key: Self.key, number: 0))
        origin.serve(
            "/index.m3u8",
            text:
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n"
        )
        let product = try Product()
        var program = try product.program()
        // At the right time: timers do not work under libfaketime, and the end of a download may wait for one.
        let made = try await program.run(
            ["download", origin.url("/index.m3u8"), "--rental", "1h", "--json"])
        let token = try JSONDecoder().decode(
            Product.Created.self, from: Data((made.lines.first ?? "").utf8)
        ).token
        let moments = [
            ("+58m", 200, ""), ("+60m", 403, "license-expired"), ("-1d", 403, "clock-moved-back"),
            ("-365d", 403, "clock-moved-back"), ("+58m", 403, "clock-moved-back"),
            ("+365d", 403, "license-expired"),
        ]
        for (shift, status, type) in moments {
            let (got, text) = try await answer(product, token, at: shift)
            #expect(got == status && (type.isEmpty || text.contains(type)), "\(shift)")
        }
        program.environment.merge(Self.environment("+365d")) { $1 }
        let year = 365 * 24 * 60
        let renewed = try await program.run(["license", "renew", token])
        #expect(try await answer(product, token, at: "+\(year + 58)m").0 == 200)
        #expect(try await answer(product, token, at: "+\(year + 62)m").0 == 403)
        #expect(Secret.traces(in: product.store.path) == [])
        #expect(!Secret.isIn(made.output + made.errors + renewed.output + renewed.errors))
        origin.stop()
    }
}
