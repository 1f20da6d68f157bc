import HLSPlaylist
import ModelTestSupport
import SidebandSubtitles
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

@Suite("Recordings of live streams", .timeLimit(.minutes(2)))
struct RecordingTests {
    /// Runs a test with a show and a store that turns its pages.
    private func withShow(
        _ pages: [String], segments: Int, keys: [Int: UInt8] = [:], clock: ManualClock? = nil,
        keyPatience: Double = 5,
        _ body: (StoreFixture, LiveShow, [[UInt8]]) async throws -> Void
    ) async throws {
        let show = LiveShow(try OriginServer(), pages: pages)
        let bytes = show.serveSegments(segments, keys: keys)
        let fixture = try StoreFixture(origin: show.origin) {
            $0.pause = show.pause
            if let clock { $0.clock = clock }
            $0.conditions.keyPatience = keyPatience
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture, show, bytes)) } catch { result = .failure(error) }
        await fixture.store.stop()
        try result.get()
    }

    @Test(
        "a rolling playlist is stored whole and becomes VOD at its end; without a request for a recording it is refused"
    )
    func rolling() async throws {
        let pages =
            [0..<3, 1..<4, 3..<6, 3..<6].map { LiveShow.page($0) } + [LiveShow.page(5..<8, isEnd: true)]
        try await withShow(pages, segments: 8) { fixture, show, bytes in
            #expect(await fixture.refusal(show.path)?.text.contains("live") == true)
            let asset = try await fixture.record(show)
            #expect(asset.state == .complete && asset.availability.offline && asset.duration == 8)
            #expect(asset.recording?.end == .ended && asset.recording?.gaps == [])
            for (number, segment) in bytes.enumerated() {
                #expect(try fixture.stored(asset.token, "video/\(number).ts") == segment)
                #expect(fixture.origin.requests(for: "/live/s\(number).ts").count == 1)
            }
            let lines = try fixture.mediaLines(asset.token)
            #expect(lines.contains("#EXT-X-PLAYLIST-TYPE:VOD") && lines.last == "#EXT-X-ENDLIST")
            #expect(lines.filter { $0.hasSuffix(".ts") } == (0..<8).map { "\($0).ts" })
            #expect(try await fixture.store.verify(asset.token).isSound)
        }
    }

    @Test("while it grows it is an EVENT, or a window; afterwards it is VOD under the same address")
    func growing() async throws {
        let pages = [LiveShow.page(0..<3), LiveShow.page(0..<6), LiveShow.page(0..<8, isEnd: true)]
        try await withShow(pages, segments: 8) { fixture, show, _ in
            show.hold(at: 1)
            async let recorded = fixture.record(show)
            try await show.untilHeld()
            let token = try #require(try fixture.store.reader.assets().first?.token)
            let lines = try fixture.mediaLines(token)
            #expect(lines.contains("#EXT-X-PLAYLIST-TYPE:EVENT") && !lines.contains("#EXT-X-ENDLIST"))
            #expect(lines.filter { $0.hasSuffix(".ts") }.count == 6)
            let window = try fixture.mediaLines(token, "video", LiveView(start: "live", window: "4"))
            #expect(
                window.contains("#EXT-X-MEDIA-SEQUENCE:2") && window.contains("#EXT-X-START:TIME-OFFSET=-3"))
            #expect(!window.contains { $0.hasPrefix("#EXT-X-PLAYLIST-TYPE") })
            #expect(try #require(try fixture.store.reader.requireAsset(token).recording).isOpen)
            show.release()
            let asset = try await recorded
            #expect(try fixture.mediaLines(token).last == "#EXT-X-ENDLIST")
            #expect(asset.state == .complete && asset.recording?.isOpen == false)
        }
    }

    @Test("without from-start it begins where players would; it ends after the requested time")
    func edges() async throws {
        let pages = [LiveShow.page(0..<9), LiveShow.page(0..<12), LiveShow.page(0..<20)]
        try await withShow(pages, segments: 20) { fixture, show, _ in
            let asset = try await fixture.record(show) { request in
                request.selection.recording?.fromStart = false
                request.selection.recording?.duration = 5
            }
            #expect(asset.state == .complete && asset.recording?.end == .duration)
            #expect(try fixture.units(asset.token, "video").map(\.number) == Array(6..<11))
        }
    }

    @Test("segments that came and went, and those that the origin has lost, are gaps; the rest is whole")
    func gaps() async throws {
        let pages = [LiveShow.page(0..<3), LiveShow.page(5..<8), LiveShow.page(6..<10, isEnd: true)]
        try await withShow(pages, segments: 10) { fixture, show, _ in
            show.origin.remove("/live/s6.ts")
            let asset = try await fixture.record(show)
            #expect(asset.state == .complete && asset.availability.offline)
            let gaps = try #require(asset.recording?.gaps)
            #expect(gaps.map(\.reason) == ["window", "lost"])
            #expect(gaps.map(\.number) == [3, 6] && gaps.map(\.count) == [2, 1])
            #expect(asset.health.level == .incomplete)
            #expect(try await fixture.store.housekeeper.figures().health == [.incomplete: 1])
            let lines = try fixture.mediaLines(asset.token)
            let missing = lines.indices.filter { lines[$0] == "#EXT-X-GAP" }.map { lines[$0 + 2] }
            #expect(missing == ["3.ts", "4.ts", "6.ts"])
            // Playlists for players with other queries have it as well.
            let clear = try fixture.store.reader.playlists.clearMediaPlaylist(asset.token, "video")
            let clearKey = try fixture.store.media.clearKeyMediaPlaylist(asset.token, "video")
            for bytes in [clear, clearKey] {
                let text = String(decoding: bytes ?? [], as: UTF8.self)
                #expect(text.split(separator: "\n").count { $0 == "#EXT-X-GAP" } == 3)
            }
        }
    }

    @Test("keys that gaps alone have are not asked for, and none is written into the catalog")
    func keysOfGaps() async throws {
        func gap(_ uri: String) -> String { "#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"\n#EXT-X-GAP\n" }
        let tags = [2: gap("b.key"), 3: gap("data:,0123456789abcdef"), 4: "#EXT-X-KEY:METHOD=NONE\n"]
        let pages = [LiveShow.page(0..<2), LiveShow.page(0..<5, tags: tags, isEnd: true)]
        try await withShow(pages, segments: 5) { fixture, show, _ in
            let asset = try await fixture.record(show)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(fixture.origin.requests(for: "/live/b.key").isEmpty)
            let catalog = fixture.store.catalog
            #expect(try catalog.renditions.keys(of: asset.token).isEmpty)
            let source = try #require(try catalog.renditions.sourcePlaylist(asset.token, "video"))
            let body = String(decoding: source.body, as: UTF8.self)
            #expect(body.contains("URI=\"data:") && !body.contains("0123456789abcdef"))
        }
    }

    @Test("an initialization section that gaps alone have is fetched once a segment needs it, else never")
    func sectionsOfGaps() async throws {
        func map(_ name: String) -> String { "#EXT-X-MAP:URI=\"\(name).mp4\"\n" }
        let gap = "#EXT-X-GAP\n"
        let tags = [0: map("i"), 1: map("gone") + gap, 2: map("late") + gap, 4: map("i")]
        let pages = [LiveShow.page(0..<3, tags: tags), LiveShow.page(0..<5, tags: tags, isEnd: true)]
        try await withShow(pages.map { $0.replacing(".ts", with: ".m4s") }, segments: 0) {
            fixture, show, _ in
            for number in [0, 3, 4] {
                show.origin.serve("/live/s\(number).m4s", bytes: Media.fragment(UInt64(number + 1)))
            }
            for name in ["i", "late"] {
                show.origin.serve("/live/\(name).mp4", bytes: Media.initialization())
            }
            let asset = try await fixture.record(show)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(fixture.origin.requests(for: "/live/gone.mp4").isEmpty)
            #expect(try fixture.stored(asset.token, "video/init-2.mp4") == Media.initialization())
            let lines = try fixture.mediaLines(asset.token)
            let maps = [0, 2, 0].map { "#EXT-X-MAP:URI=\"init-\($0).mp4\"" }
            #expect(lines.filter { $0.hasPrefix("#EXT-X-MAP") } == maps)
            #expect(lines.last == "#EXT-X-ENDLIST")
        }
    }

    @Test("keys are fetched when they appear, before their media; they are licensed like others")
    func rotation() async throws {
        func key(_ name: String) -> String { "#EXT-X-KEY:METHOD=AES-128,URI=\"\(name).key\"\n" }
        let pages = [
            LiveShow.page(0..<2), LiveShow.page(1..<4, tags: [2: key("a")]),
            LiveShow.page(3..<6, tags: [3: key("a"), 4: key("b")], isEnd: true),
        ]
        try await withShow(pages, segments: 6, keys: [2: 1, 3: 1, 4: 2, 5: 2]) { fixture, show, _ in
            for (name, byte) in [("a", UInt8(1)), ("b", 2)] {
                show.origin.serve("/live/\(name).key", bytes: Array(repeating: byte, count: 16))
            }
            let asset = try await fixture.record(show) { $0.license = LicenseTerms(rental: 3600) }
            #expect(asset.state == .complete && asset.license.state == .valid)
            #expect(try fixture.store.catalog.licenses.license(of: asset.token)?.terms.rental == 3600)
            #expect(try fixture.contentKey(asset.token, "k0") == Array(repeating: 1, count: 16))
            #expect(try fixture.contentKey(asset.token, "k1") == Array(repeating: 2, count: 16))
            let lines = try fixture.mediaLines(asset.token).filter { $0.hasPrefix("#EXT-X-KEY") }
            #expect(
                lines == [
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/k0.key\"",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/k1.key\"",
                ])
            let paths = fixture.origin.paths
            #expect(paths.firstIndex(of: "/live/a.key") ?? .max < paths.firstIndex(of: "/live/s2.ts") ?? 0)
            #expect(paths.filter { $0.hasSuffix(".key") }.count == 2)
        }
    }

    @Test(
        "a key that could not be fetched while recording is requested again at growing intervals, and no other key is"
    )
    func lateKey() async throws {
        func key(_ name: String) -> String { "#EXT-X-KEY:METHOD=AES-128,URI=\"\(name).key\"\n" }
        let pages = [
            LiveShow.page(0..<2, tags: [0: key("a")]),
            LiveShow.page(0..<4, tags: [0: key("a"), 2: key("b")], isEnd: true),
        ]
        let clock = ManualClock()
        let bytes: [Int: UInt8] = [0: 1, 1: 1, 2: 2, 3: 2]
        try await withShow(pages, segments: 4, keys: bytes, clock: clock) { fixture, show, _ in
            show.origin.serve("/live/a.key", bytes: Array(repeating: 1, count: 16))
            let asset = try await fixture.record(show)
            #expect(asset.state == .complete && asset.availability.blockedBy == [.keyMissing])
            func asked() -> Int { fixture.origin.requests(for: "/live/b.key").count }
            let before = asked()
            for (seconds, more) in [(Int64(59), 0), (2, 1), (899, 1), (2, 2)] {
                clock.pass(.seconds(seconds))
                await fixture.store.roles.renewals.renewDue()
                #expect(asked() == before + more)
            }
            show.origin.serve("/live/b.key", bytes: Array(repeating: 2, count: 16))
            clock.pass(.seconds(86_400))
            await fixture.store.roles.renewals.renewDue()
            #expect(try fixture.contentKey(asset.token, "k1") == Array(repeating: 2, count: 16))
            #expect(try fixture.store.reader.requireAsset(asset.token).availability.offline)
            #expect(fixture.origin.requests(for: "/live/a.key").count == 1)
        }
    }

    private static let keyed: [Int: UInt8] = [2: 1, 3: 1, 4: 1, 5: 1]

    /// A show of six segments, encrypted from the third one on.
    private static let keyedPages = {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"a.key\"\n"
        return [
            LiveShow.page(0..<2), LiveShow.page(0..<4, tags: [2: key]),
            LiveShow.page(2..<6, tags: [2: key], isEnd: true),
        ]
    }()

    @Test("a silent key server delays no segment, and is asked again later")
    func silentKeyServer() async throws {
        let clock = ManualClock()
        try await withShow(
            Self.keyedPages, segments: 6, keys: Self.keyed, clock: clock, keyPatience: 0.05
        ) {
            fixture, show, _ in
            show.origin.fault("/live/a.key", .holdHeader)
            let asset = try await fixture.record(show)
            #expect(asset.state == .complete && asset.availability.blockedBy == [.keyMissing])
            #expect(asset.recording?.gaps == [] && asset.renditions.first?.storedSegments == 6)
            #expect(fixture.origin.requests(for: "/live/a.key").count <= 1)
            show.origin.clearFaults("/live/a.key")
            show.origin.serve("/live/a.key", bytes: Array(repeating: 1, count: 16))
            clock.pass(.seconds(61))
            await fixture.store.roles.renewals.renewDue()
            #expect(try fixture.contentKey(asset.token, "k0") == Array(repeating: 1, count: 16))
            #expect(try fixture.store.reader.requireAsset(asset.token).availability.offline)
        }
    }

    @Test("a key that came later stays, though the recording continues with it")
    func renewedKey() async throws {
        let clock = ManualClock()
        try await withShow(Self.keyedPages, segments: 6, keys: Self.keyed, clock: clock) { fixture, show, _ in
            show.hold(at: 1)
            async let recorded = fixture.record(show)
            try await show.untilHeld()
            show.origin.serve("/live/a.key", bytes: Array(repeating: 1, count: 16))
            clock.pass(.seconds(61))
            await fixture.store.roles.renewals.renewDue()
            show.release()
            let asset = try await recorded
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(try fixture.contentKey(asset.token, "k0") == Array(repeating: 1, count: 16))
        }
    }

    @Test("a pause ends it: the stored part is VOD")
    func pause() async throws {
        let pages = [LiveShow.page(0..<3), LiveShow.page(0..<5)]
        try await withShow(pages, segments: 5) { fixture, show, _ in
            show.hold(at: 1)
            let recorded = Task { try await fixture.record(show) }
            try await show.untilHeld()
            let token = try #require(try fixture.store.reader.assets().first?.token)
            try await fixture.store.perform(.pause, on: token)
            _ = try await recorded.value
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .paused && asset.recording?.end == .stopped)
            #expect(try fixture.mediaLines(token).last == "#EXT-X-ENDLIST")
        }
    }

    @Test("the bytes of a cancelled recording are freed, also if its playlists can't be written")
    func cancelledInTrouble() async throws {
        try await withShow([LiveShow.page(0..<3), LiveShow.page(0..<5)], segments: 5) { fixture, show, _ in
            show.hold(at: 1)
            let recorded = Task { try await fixture.record(show) }
            try await show.untilHeld()
            let token = try #require(try fixture.store.reader.assets().first?.token)
            try await eventually {
                try fixture.units(token, "video").contains { $0.state == .stored }
            }
            let playlist = fixture.path(token, "video/media.m3u8")
            try FileSystem.unlink(playlist)
            try FileSystem.makeDirectory(playlist.appending("inner"))
            let error = await failure {
                try await fixture.store.perform(.cancel, on: token, purge: true)
            }
            #expect(error?.errorClass == .disk)
            _ = try await recorded.value
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .cancelled && asset.storedBytes == 0)
        }
    }

    @Test("a stopped one is complete with its listed segments")
    func stop() async throws {
        let pages = [LiveShow.page(0..<3), LiveShow.page(0..<5)]
        try await withShow(pages, segments: 5) { fixture, show, _ in
            show.hold(at: 1)
            let recorded = Task { try await fixture.record(show) }
            try await show.untilHeld()
            let token = try #require(try fixture.store.reader.assets().first?.token)
            try fixture.store.control.stopRecording(token)
            let asset = try await recorded.value
            #expect(asset.state == .complete && asset.recording?.end == .stopped && asset.duration == 5)
        }
    }

    @Test("after an interruption it continues with the listed segments; the rest is a gap with this reason")
    func interruption() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let first = LiveShow(origin, pages: [LiveShow.page(0..<3), LiveShow.page(0..<4)])
        first.serveSegments(9)
        first.hold(at: 1)
        let before = try StoreFixture(in: folder, origin: origin) { $0.pause = first.pause }
        let token = try await before.add(first.path) { request in
            request.selection.recording = Selection.Recording()
            request.selection.recording?.fromStart = true
        }
        try await first.untilHeld()
        await before.store.stop()
        let second = LiveShow(origin, pages: [LiveShow.page(6..<9, isEnd: true)])
        let after = try StoreFixture(in: folder, origin: origin) { $0.pause = second.pause }
        await after.store.start()
        await after.store.untilSettled(token)
        let asset = try after.store.reader.requireAsset(token)
        #expect(asset.state == .complete && asset.recording?.end == .ended)
        #expect(asset.recording?.gaps.map(\.reason) == ["interrupted"])
        #expect(
            try after.units(token, "video").map(\.state)
                == [0, 1, 2, 3, 4, 5, 6, 7, 8].map {
                    $0 == 4 || $0 == 5 ? UnitState.gap : .stored
                })
        await after.store.stop()
    }
}

extension RecordingTests {
    @Test("renditions begin together, by their dates; subtitles are whole afterwards, and partial before")
    func renditions() async throws {
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:0"
        let origin = try OriginServer()
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "subs/index.m3u8"),
                Playlists.variant("live/index.m3u8", 1000, "SUBTITLES=\"s\"")))
        let video = [
            LiveShow.page(4..<8, tags: [4: "\(date)4Z\n"]),
            LiveShow.page(4..<10, tags: [4: "\(date)4Z\n"], isEnd: true),
        ]
        let show = LiveShow(origin, pages: video)
        show.serveSegments(10)
        for number in 0..<10 {
            let cue = "WEBVTT\n\n00:0\(number).000 --> 00:0\(number).500\nc\(number)\n"
            origin.serve("/subs/s\(number + 100).vtt", text: cue, contentType: "text/vtt")
        }
        let subtitles = LiveShow.page(102..<110, tags: [102: "\(date)2Z\n"])
        origin.serve("/subs/index.m3u8", text: subtitles.replacing(".ts", with: ".vtt"))
        let fixture = try StoreFixture(origin: origin) { $0.pause = show.pause }
        let asset = try await fixture.download("/master.m3u8") { request in
            request.selection.recording = Selection.Recording()
        }
        #expect(asset.state == .complete && asset.duration == 5)
        #expect(try fixture.units(asset.token, "video").map(\.number) == Array(5..<10))
        #expect(try fixture.units(asset.token, "subtitles-en").map(\.number) == Array(105..<110))
        let track = try #require(try fixture.store.reader.captions.subtitles(asset.token, "en")).track
        #expect(track.cues.count == 5)
        await fixture.store.stop()
    }
}
