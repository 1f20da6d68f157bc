import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Playlists without a declared length.
struct UnmeasuredPlaylistTests {
    /// An answer that tells no length, as it comes over the line.
    private static func raw(_ body: String) -> OriginFault { .raw("HTTP/1.1 200 OK\r\n\r\n" + body) }

    /// A multivariant playlist whose last line is one of these addresses, and has no end.
    private static func master(_ uri: String) -> String {
        String(Playlists.master(Playlists.variant(uri, 900_000)).dropLast())
    }

    @Test(
        "a playlist with new addresses each time is accepted as it is, with any end of its last line",
        arguments: ["", "\n"])
    func changing(_ end: String) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/m.m3u8", Self.raw(Self.master("v/index.m3u8?later") + end))
            fixture.origin.fault("/m.m3u8", Self.raw(Self.master("v/index.m3u8?first")), times: 1)
            let asset = try await fixture.download("/m.m3u8")
            #expect(asset.state == .complete)
            #expect(fixture.origin.requests(for: "/v/index.m3u8").map(\.query) == ["later"])
        }
    }

    @Test(
        "a playlist of unknown length is accepted when the origin refuses to send it again and asks for a pause"
    )
    func refused() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/m.m3u8", .status(429, headers: ["Retry-After: 3000"]))
            fixture.origin.fault("/m.m3u8", Self.raw(Self.master("v/index.m3u8")), times: 1)
            #expect(try await fixture.download("/m.m3u8").state == .complete)
            #expect(fixture.origin.requests(for: "/m.m3u8").count == 2)
        }
    }

    @Test("relative addresses are resolved against the URL of the answer that is accepted")
    func redirected() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/whole", count: 2)
            let text = Self.master("index.m3u8")
            fixture.origin.fault("/whole/m.m3u8", Self.raw(text))
            fixture.origin.fault("/cut/m.m3u8", Self.raw(String(text.dropLast(4))))
            let first = "HTTP/1.1 302 Found\r\nLocation: /whole/m.m3u8\r\nContent-Length: 0\r\n\r\n"
            fixture.origin.fault("/m.m3u8", .redirect(to: "/cut/m.m3u8"))
            fixture.origin.fault("/m.m3u8", .raw(first), times: 1)
            let asset = try await fixture.download("/m.m3u8")
            #expect(asset.state == .complete)
            #expect(fixture.origin.requests(for: "/cut/m.m3u8").count == 1)
        }
    }

    @Test("of two playlists, the one that continues the other is the fuller one")
    func fuller() {
        func isFuller(_ first: String, _ second: String) -> Bool {
            UnmeasuredPlaylist(bytes: Array(first.utf8))
                .isFuller(than: UnmeasuredPlaylist(bytes: Array(second.utf8)))
        }
        #expect(isFuller("a\nb\nc\n", "a\n"))
        #expect(isFuller("a\nb", ""))
        #expect(!isFuller("a\nb", "a\nb\nc\n"))
        #expect(!isFuller("a\nb", "a\nb"))
        #expect(!isFuller("a\nb\nc", "c\nd"))
    }
}
