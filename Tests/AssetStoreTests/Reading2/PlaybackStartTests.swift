import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("A player's wish where to begin", .timeLimit(.minutes(2)))
struct PlaybackStartTests {
    /// The start points of a playlist.
    private func starts(_ bytes: [UInt8]?) -> [String] {
        String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("#EXT-X-START") }
    }

    private static let firstDate = "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n"

    @Test("is met by its date in the multivariant playlist")
    func date() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", tags: Self.firstDate)
            let token = try await fixture.download("/v/index.m3u8").token
            let playlists = fixture.store.reader.playlists
            for (wish, place) in [("08:00:13Z", 13), ("07:00:00Z", 0)] {
                let view = LiveView(start: "2026-01-31T\(wish)")
                let bytes = try playlists.multivariantPlaylist(token, poster: nil, view: view)
                #expect(starts(bytes) == ["#EXT-X-START:TIME-OFFSET=\(place)"])
            }
        }
    }

    @Test("by date is not met before the stream has been read")
    func unread() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", tags: Self.firstDate)
            let requests = [fixture.request("/v/index.m3u8")]
            let token = try await fixture.store.intake.enqueue(requests, isHeld: true).tokens[0]
            let reader = fixture.store.reader
            #expect(try reader.isUnresolved(token))
            let view = LiveView(start: "2026-01-31T08:00:05Z")
            let bytes = try reader.playlists.multivariantPlaylist(token, poster: nil, view: view)
            #expect(bytes != nil && starts(bytes) == [])
        }
    }

    @Test("is met in seconds of the presentation, also at its beginning and by sound that begins before it")
    func seconds() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            for (folder, count, seconds) in [("v", 6, 4), ("a", 3, 10)] {
                for number in 0..<count { origin.serve("/\(folder)/\(number).ts", bytes: Media.ts(10)) }
                let names = (0..<count).map { "\($0).ts" }
                origin.serve(
                    "/\(folder)/index.m3u8",
                    text: Playlists.media(names, seconds: seconds, tags: Self.firstDate))
            }
            origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "a/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 1000, "AUDIO=\"a\"")))
            let token = try await fixture.download("/master.m3u8") {
                ($0.selection.start, $0.selection.end) = (8, 24)
            }.token
            let playlists = fixture.store.reader.playlists
            // The sound begins 8 s before the pictures of the part do.
            for (wish, pictures, sound) in [("0", 0, 8), ("5", 5, 13), ("-3", -3, -3)] {
                let view = LiveView(start: wish)
                for (name, place) in [("video", pictures), ("audio-en", sound)] {
                    let bytes = try playlists.startedMediaPlaylist(token, name, view: view)
                    #expect(starts(bytes) == ["#EXT-X-START:TIME-OFFSET=\(place)"], "\(wish) \(name)")
                }
            }
        }
    }
}
