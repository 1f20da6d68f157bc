import Foundation
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

/// Live streams whose addresses expire while they are recorded.
@Suite(.timeLimit(.minutes(2)))
struct RecordingLinkTests {
    private let folder: TemporaryDirectory
    private let origin: OriginServer

    init() throws {
        (folder, origin) = (try TemporaryDirectory(), try OriginServer())
    }

    /// A store whose link resolver answers with the address of a path; both shows turn their pages for it.
    private func store(
        resolvingTo path: String, _ first: LiveShow, _ second: LiveShow? = nil
    ) throws -> StoreFixture {
        let script = "cat >> \(folder.file("notes")); printf '%s' '\(origin.url(path))'"
        let settings = #"{"link_resolver": {"command": ["sh", "-c", "\#(script)"]}}"#
        try folder.write(Array(settings.utf8), to: "store/config.json")
        return try StoreFixture(in: folder, origin: origin) {
            $0.pause = { [origin] seconds in
                let show = second.flatMap { origin.requests(for: $0.path).isEmpty ? nil : $0 }
                try await (show ?? first).pause(seconds)
            }
        }
    }

    private func timesAsked() throws -> Int {
        String(decoding: try folder.read("notes"), as: UTF8.self).components(separatedBy: #""token""#).count
            - 1
    }

    /// Records two pages at `/live`, which then stops, and the rest at `/new`.
    private func record(
        _ pages: [String], refusing path: String
    ) async throws -> (asset: Asset, states: [UnitState]) {
        let first = LiveShow(origin, pages: [LiveShow.page(0..<3), LiveShow.page(1..<5)])
        first.serveSegments(5)
        let second = LiveShow(origin, "/new/index.m3u8", pages: pages)
        second.serveSegments(9)
        let fixture = try store(resolvingTo: second.path, first, second)
        if path != first.path { origin.fault(path, .status(403)) }
        first.hold(at: 1)
        let recorded = Task { try await fixture.record(first) }
        if path == first.path {
            try await first.untilHeld()
            origin.fault(path, .status(403))
            first.release()
        }
        let asset = try await recorded.value
        let states = try fixture.units(asset.token, "video").map(\.state)
        await fixture.store.stop()
        return (asset, states)
    }

    @Test("a refused playlist is fetched from the fresh address, under the same token")
    func playlist() async throws {
        let pages = [LiveShow.page(3..<7), LiveShow.page(4..<9, isEnd: true)]
        let (asset, states) = try await record(pages, refusing: "/live/index.m3u8")
        #expect(asset.state == .complete && asset.recording?.end == .ended && asset.recording?.gaps == [])
        #expect(states == Array(repeating: .stored, count: 9))
        #expect(asset.sourceURL == origin.url("/new/index.m3u8"))
        #expect(try timesAsked() == 1)
    }

    @Test("segments that went by before the fresh address came are a gap")
    func lostWindow() async throws {
        let (asset, states) = try await record(
            [LiveShow.page(7..<9, isEnd: true)], refusing: "/live/index.m3u8")
        #expect(asset.state == .complete && asset.recording?.gaps.map(\.reason) == ["interrupted"])
        #expect(asset.recording?.gaps.map(\.number) == [5] && asset.recording?.gaps.map(\.count) == [2])
        #expect(states.indices.filter { states[$0] == .gap } == [5, 6])
    }

    @Test("a refused segment comes from the fresh address, too")
    func segment() async throws {
        let pages = [LiveShow.page(2..<6), LiveShow.page(4..<9, isEnd: true)]
        let (asset, states) = try await record(pages, refusing: "/live/s3.ts")
        #expect(asset.state == .complete && asset.recording?.gaps == [])
        #expect(states == Array(repeating: .stored, count: 9))
        #expect(origin.requests(for: "/new/s3.ts").count == 1)
    }

    @Test("the fresh address brings the values of variables with it")
    func variables() async throws {
        func page(_ numbers: Range<Int>, isEnd: Bool = false) -> String {
            LiveShow.page(numbers, header: "#EXT-X-DEFINE:IMPORT=\"tok\"\n", isEnd: isEnd)
                .replacing(".ts", with: ".ts?t={$tok}")
        }
        let first = LiveShow(origin, pages: [page(0..<3), page(1..<5)])
        first.serveSegments(5)
        let second = LiveShow(
            origin, "/new/index.m3u8", pages: [page(3..<7), page(4..<9, isEnd: true)])
        second.serveSegments(9)
        serveSound()
        for (value, show) in [("one", first), ("two", second)] {
            origin.serve(
                "/\(value).m3u8",
                text: Playlists.master(
                    "#EXT-X-DEFINE:NAME=\"tok\",VALUE=\"\(value)\"",
                    Playlists.rendition("AUDIO", "a", "en", "/sound.m3u8"),
                    Playlists.variant(show.path, 900_000, "AUDIO=\"a\"")))
        }
        let fixture = try store(resolvingTo: "/two.m3u8", first, second)
        first.hold(at: 1)
        let recorded = Task {
            try await fixture.download("/one.m3u8") { request in
                request.selection.recording = Selection.Recording()
                request.selection.recording?.fromStart = true
            }
        }
        try await first.untilHeld()
        origin.fault(first.path, .status(403))
        first.release()
        let asset = try await recorded.value
        let sound = try fixture.mediaLines(asset.token, "audio-en")
        await fixture.store.stop()
        #expect(asset.state == .complete && asset.recording?.gaps == [])
        let asked = origin.requests.filter { $0.path.hasPrefix("/new/s") }
        #expect(!asked.isEmpty && asked.allSatisfy { $0.query == "t=two" })
        #expect(sound.contains("#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/k0.key\""))
    }

    /// A rendition that has an end, whose key has a variable in its address.
    private func serveSound() {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key?t={$tok}\"\n"
        let tags = "#EXT-X-DEFINE:IMPORT=\"tok\"\n" + key
        origin.serve("/sound.m3u8", text: Playlists.media(["sound.ts"], tags: tags))
        let secret = [UInt8](repeating: 1, count: 16)
        let media = SampleMedia.encrypted(Media.ts(16), key: secret, number: 0)
        origin.serve("/sound.ts", bytes: media, contentType: "video/mp2t")
        origin.serve("/k.key", bytes: secret)
    }

    @Test("a segment that is refused everywhere is a gap, and asked for once")
    func refusedForGood() async throws {
        origin.fault("/new/s3.ts", .status(403))
        let pages = [LiveShow.page(2..<6), LiveShow.page(4..<9, isEnd: true)]
        let (asset, _) = try await record(pages, refusing: "/live/s3.ts")
        #expect(asset.state == .complete && asset.recording?.gaps.map(\.number) == [3])
        #expect(asset.recording?.gaps.map(\.reason) == ["lost"])
        #expect(try timesAsked() == 1)
    }

    @Test("a link resolver without an answer is asked once; the recording continues when the origin does")
    func uselessResolver() async throws {
        let show = LiveShow(
            origin, pages: [LiveShow.page(0..<3), LiveShow.page(0..<5), LiveShow.page(0..<8, isEnd: true)])
        show.serveSegments(8)
        let fixture = try store(resolvingTo: show.path, show)
        show.hold(at: 1)
        let recorded = Task { try await fixture.record(show) }
        try await show.untilHeld()
        origin.fault(show.path, .status(403), times: 3)
        show.release()
        let asset = try await recorded.value
        #expect(asset.state == .complete && asset.recording?.gaps == [] && asset.duration == 8)
        #expect(try timesAsked() == 1)
        await fixture.store.stop()
    }
}
