import TestSupport
import Testing

@testable import AssetStore

/// Origins that are odd, and still have everything that was asked for.
struct OriginHabitTests {
    @Test("segments that come compressed although nobody asked are stored as what they are")
    func compressed() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .gzip, times: 100)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/1.ts") == segments[1])
        }
    }

    @Test("media that is labelled as a web page is media")
    func mislabelled() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serve("/v/s1.ts", bytes: segments[1], contentType: "text/html")
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/1.ts") == segments[1])
        }
    }

    @Test("a cookie that the playlist sets goes to the segments, also after the engine has started anew")
    func cookies() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/index.m3u8", .header("Set-Cookie: sid=42; Path=/"), times: 100)
            fixture.origin.fault("/v/s0.ts", .requireCookie("sid=42"), times: 100)
            fixture.origin.fault("/v/s1.ts", .requireCookie("sid=42"), times: 100)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
        }
    }

    @Test("an empty segment is never taken for a stored one")
    func empty() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serve("/v/s1.ts", bytes: [])
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed)
            #expect(asset.failure?.errorClass == "integrity")
            #expect(!asset.availability.offline)
        }
    }
}
