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
@testable import StorePlanning

@Suite("The start of playback", .timeLimit(.minutes(2)))
struct StartPointTests {
    /// The start points of a playlist.
    private func starts(_ bytes: [UInt8]?) -> [String] {
        String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("#EXT-X-START") }
    }

    /// The start tags of the master playlist for players with this view.
    private func master(
        _ fixture: StoreFixture, _ token: AssetToken, _ view: LiveView = LiveView(),
        isAvailableOnly: Bool = false
    ) throws -> [String] {
        starts(
            try fixture.store.reader.playlists.multivariantPlaylist(
                token, isAvailableOnly: isAvailableOnly, poster: "", view: view))
    }

    /// A film of three segments whose playlists say where to begin, each in its own way.
    private func serveFilm(on origin: OriginServer) {
        for number in 0..<3 {
            origin.serve(
                "/s\(number).ts", bytes: Media.ts(10, seed: UInt64(number + 1)), contentType: "video/mp2t")
        }
        let tag = "#EXT-X-START:TIME-OFFSET=3\n"
        origin.serve("/v.m3u8", text: Playlists.media((0..<3).map { "s\($0).ts" }, tags: tag))
        origin.serve(
            "/master.m3u8",
            text: Playlists.master("#EXT-X-START:TIME-OFFSET=6", Playlists.variant("v.m3u8", 1000)))
    }

    @Test("the start of a live master is never in the master of its recording")
    func recording() async throws {
        let pages = [LiveShow.page(0..<3), LiveShow.page(0..<6), LiveShow.page(0..<8, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        show.serveSegments(8)
        show.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                "#EXT-X-START:TIME-OFFSET=-18", Playlists.variant("live/index.m3u8", 1000)))
        show.hold(at: 1)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let recorded = Task {
            try await fixture.download("/master.m3u8") { request in
                request.selection.recording = Selection.Recording()
                request.selection.recording?.fromStart = true
            }
        }
        try await show.untilHeld()
        let token = try #require(try fixture.store.reader.assets().first?.token)
        for view in [LiveView(), LiveView(start: "live"), LiveView(start: "2")] {
            #expect(try master(fixture, token, view) == [])
        }
        let media = try fixture.mediaLines(token, "video", LiveView(start: "2"))
        #expect(media.contains("#EXT-X-START:TIME-OFFSET=2"))
        show.release()
        let asset = try await recorded.value
        #expect(asset.state == .complete)
        #expect(try master(fixture, token) == [])
        #expect(try master(fixture, token, LiveView(start: "2")) == ["#EXT-X-START:TIME-OFFSET=2"])
        await fixture.store.stop()
    }

    @Test("the start of a master is left out for a part of the stream, and for stored segments only")
    func parts() async throws {
        try await StoreFixture.run { fixture async throws in
            serveFilm(on: fixture.origin)
            let whole = try await fixture.download("/master.m3u8").token
            #expect(try master(fixture, whole) == ["#EXT-X-START:TIME-OFFSET=6"])
            #expect(try master(fixture, whole, isAvailableOnly: true) == [])
            let part = try await fixture.download("/master.m3u8") { $0.selection.start = 4 }.token
            #expect(try master(fixture, part) == [])
            #expect(starts(try fixture.stored(part, "video/media.m3u8")) == [])
        }
    }

    @Test("a start from the player's query is the only one in its playlists")
    func wish() async throws {
        try await StoreFixture.run { fixture async throws in
            serveFilm(on: fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            let reader = fixture.store.reader
            let view = LiveView(start: "5")
            let wished = ["#EXT-X-START:TIME-OFFSET=5"]
            #expect(try master(fixture, token, view) == wished)
            let bytes = try reader.playlists.multivariantPlaylist(token, poster: "", view: view)
            #expect(String(decoding: bytes ?? [], as: UTF8.self).contains("\nvideo/media.m3u8?start=5.0\n"))
            #expect(starts(try reader.playlists.startedMediaPlaylist(token, "video", view: view)) == wished)
            #expect(starts(try reader.playlists.clearMediaPlaylist(token, "video", view: view)) == wished)
            #expect(starts(try fixture.stored(token, "video/media.m3u8")) == ["#EXT-X-START:TIME-OFFSET=3"])
            #expect(
                try reader.playlists.startedMediaPlaylist(token, "video", view: LiveView(start: "live"))
                    == nil)
        }
    }

    @Test(
        "in the stored part, a player begins at the same second of the film, or at the next stored segment",
        arguments: [("2", 2), ("5", 4), ("9", 5), ("-3", 5), ("20", nil)] as [(String, Int?)])
    func hole(_ wish: String, _ place: Int?) async throws {
        try await StoreFixture.run { fixture async throws in
            serveFilm(on: fixture.origin)
            fixture.origin.fault("/s1.ts", .status(404))
            let token = try await fixture.download("/master.m3u8").token
            let view = LiveView(start: wish)
            let expected = place.map { ["#EXT-X-START:TIME-OFFSET=\($0)"] } ?? []
            #expect(try master(fixture, token, view, isAvailableOnly: true) == expected)
            let reader = fixture.store.reader
            let list = try reader.playlists.multivariantPlaylist(
                token, isAvailableOnly: true, poster: "", view: view)
            let text = String(decoding: list ?? [], as: UTF8.self)
            #expect(text.contains("\nvideo/media.m3u8?start=\(wish).0&available=1\n"))
            #expect(
                starts(try reader.playlists.availableMediaPlaylist(token, "video", view: view)) == expected)
            #expect(starts(try reader.playlists.availableMediaPlaylist(token, "video")) == [])
        }
    }

    @Test("with stored segments only, each start counts in its own playlist; the master's is the video's")
    func holeOfEach() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            for (folder, count, seconds, stored) in [
                ("v", 18, 6, [0, 1, 16, 17]), ("a", 27, 4, [0, 1, 2, 25, 26]),
            ] {
                for number in stored { origin.serve("/\(folder)/\(number).ts", bytes: Media.ts(10)) }
                origin.serve(
                    "/\(folder)/index.m3u8",
                    text: Playlists.media((0..<count).map { "\($0).ts" }, seconds: seconds))
            }
            origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "a/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 1000, "AUDIO=\"a\"")))
            let token = try await fixture.download("/master.m3u8").token
            let view = LiveView(start: "103")
            func start(_ rendition: String) throws -> [String] {
                starts(
                    try fixture.store.reader.playlists.availableMediaPlaylist(token, rendition, view: view))
            }
            // The video lists none of its segments from 96 to 102 s: half of it has no audio.
            #expect(try start("video") == ["#EXT-X-START:TIME-OFFSET=13"])
            #expect(try start("audio-en") == ["#EXT-X-START:TIME-OFFSET=15"])
            let master = try master(fixture, token, view, isAvailableOnly: true)
            #expect(master == ["#EXT-X-START:TIME-OFFSET=13"])
        }
    }

    @Test("of a part, audio that begins before the pictures starts at the same second as they do")
    func startOfPart() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z\n"
            for (folder, count, seconds) in [("v", 6, 4), ("a", 3, 10)] {
                for number in 0..<count { origin.serve("/\(folder)/\(number).ts", bytes: Media.ts(10)) }
                let names = (0..<count).map { "\($0).ts" }
                origin.serve(
                    "/\(folder)/index.m3u8", text: Playlists.media(names, seconds: seconds, tags: date))
            }
            origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "a/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 1000, "AUDIO=\"a\"")))
            let token = try await fixture.download("/master.m3u8") {
                ($0.selection.start, $0.selection.end) = (8, 24)
            }.token
            let reader = fixture.store.reader
            // The sound begins 8 s before the pictures of the part do.
            for (rendition, place) in [("video", 5), ("audio-en", 13)] {
                let expected = ["#EXT-X-START:TIME-OFFSET=\(place)"]
                let view = LiveView(start: "5")
                #expect(
                    starts(try reader.playlists.availableMediaPlaylist(token, rendition, view: view))
                        == expected)
                #expect(
                    starts(try reader.playlists.startedMediaPlaylist(token, rendition, view: view))
                        == expected)
            }
            let dated = LiveView(start: "2026-01-31T08:00:13Z")
            let expected = ["#EXT-X-START:TIME-OFFSET=13"]
            #expect(
                starts(try reader.playlists.availableMediaPlaylist(token, "audio-en", view: dated))
                    == expected)
            #expect(
                starts(try reader.playlists.startedMediaPlaylist(token, "audio-en", view: dated)) == expected)
        }
    }

    @Test(
        "a date after a jump of an hour is found at its segment",
        arguments: [
            ("2026-01-01T07:00:00Z", 0), ("2026-01-01T08:00:05Z", 5), ("2026-01-01T09:00:09Z", 9),
            ("2026-01-01T09:00:13.5Z", 13.5),
        ] as [(String, Double)])
    func date(_ text: String, _ place: Double) throws {
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T"
        let playlist = try Playlists.parsedMedia(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(date)08:00:00Z\n#EXTINF:4,\n0.ts\n#EXTINF:4,\n1.ts\n"
                + "#EXT-X-DISCONTINUITY\n\(date)09:00:08Z\n#EXTINF:4,\n2.ts\n#EXTINF:4,\n3.ts\n")
        #expect(LiveView(start: text).start?.place(in: playlist) == place)
    }

    @Test(
        "a date is found in its own stretch where an advertisement in between has an earlier one",
        arguments: [
            ("2026-01-31T10:00:05Z", 5), ("2020-01-01T00:00:01Z", 9), ("2026-01-31T10:00:08Z", 12),
            ("2026-01-31T10:00:20Z", 24),
        ] as [(String, Double)])
    func earlierDate(_ text: String, _ place: Double) throws {
        let date = "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:"
        let playlist = try Playlists.parsedMedia(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(date)2026-01-31T10:00:00Z\n#EXTINF:4,\n0.ts\n#EXTINF:4,\n1.ts\n"
                + "\(date)2020-01-01T00:00:00Z\n#EXTINF:4,\nad.ts\n"
                + "\(date)2026-01-31T10:00:08Z\n#EXTINF:4,\n2.ts\n")
        #expect(LiveView(start: text).start?.place(in: playlist) == place)
    }
}
