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
@testable import StoreReading

@Suite("A subtitle track whose sources are damaged", .timeLimit(.minutes(2)))
struct SubtitleDamageTests {
    /// Two segments of video that begins at 10 s, with Timed Text, both in fragmented MP4.
    private func publish(_ fixture: StoreFixture) {
        for number in 0..<2 {
            let time = 10_000 + number * 4000
            let text = """
                <tt xmlns="http://www.w3.org/ns/ttml"><body><div>\
                <p begin="\(time / 1000 + 1)s" dur="1s">line \(number)</p></div></body></tt>
                """
            for (folder, sample) in [("v", [UInt8](repeating: 0, count: 400)), ("t", Array(text.utf8))] {
                let bytes = TimedMovie.segment(sample, decodeTime: time, duration: 4000)
                fixture.origin.serve("/\(folder)/s\(number).m4s", bytes: bytes)
            }
        }
        for (folder, start) in [("v", TimedMovie.videoStart), ("t", TimedMovie.textStart)] {
            fixture.origin.serve("/\(folder)/start.mp4", bytes: start)
            let list = Playlists.media(["s0.m4s", "s1.m4s"], tags: "#EXT-X-MAP:URI=\"start.mp4\"\n")
            fixture.origin.serve("/\(folder)/index.m3u8", text: list)
        }
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "t/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, "RESOLUTION=640x360,SUBTITLES=\"s\"")))
    }

    /// The track made from the disk, without a cache.
    private func made(_ fixture: StoreFixture, _ token: AssetToken) throws -> AssetSubtitles {
        let (store, catalog) = (fixture.store, fixture.store.catalog)
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        let row = try #require(rows.first { $0.kind == .subtitles })
        let maker = SubtitleMaker(token: token, rows: rows, row: row, paths: store.paths, catalog: catalog)
        return try maker.make(revision: "", keys: [:])
    }

    private func firstPart(_ track: AssetSubtitles) throws -> String {
        guard case .made(let bytes, _) = track.segment(0) else { throw StoreError(.stopped(.closing)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Has the catalog and the disk miss the video's initialization section.
    private func loseSection(
        of token: AssetToken, _ fixture: StoreFixture, as state: UnitState
    ) throws {
        let catalog = fixture.store.catalog
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        let video = try #require(rows.first { $0.kind == .variant })
        try FileSystem.removeTree(fixture.path(token, "video-360p/init-0.mp4"))
        try catalog.units.markAbsent([(video.id, .initialization, 0)], as: state)
    }

    @Test("is right again once they are repaired", arguments: ["subtitles-en", "video-360p"])
    func repaired(folder: String) async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            let token = try await fixture.download("/master.m3u8").token
            let sound = try made(fixture, token)
            #expect(sound.isComplete && sound.track.cues.count == 2)
            let part = try firstPart(sound)
            #expect(part.contains("MPEGTS:900000") && part.contains("line 0"))
            try FileSystem.removeTree(fixture.path(token, "\(folder)/init-0.mp4"))
            let damaged = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(damaged.isDamaged && !damaged.isComplete)
            #expect(try firstPart(damaged) != part)
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            let repaired = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(repaired.isComplete && repaired.track.cues == sound.track.cues)
            #expect(try firstPart(repaired) == part)
        }
    }

    @Test("has no segments while the section with the clock is missing, and the right ones afterwards")
    func missingSection() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            let reader = fixture.store.reader
            let token = try await fixture.download("/master.m3u8").token
            let sound = try #require(try reader.captions.subtitles(token, "en"))
            try loseSection(of: token, fixture, as: .missing)
            let waiting = try #require(try reader.captions.subtitles(token, "en"))
            guard case .missing = waiting.segment(0), !waiting.isComplete else {
                Issue.record("another answer")
                return
            }
            let sources = try reader.captions.missingSources(of: waiting, segment: 0, token)
            #expect(
                sources.map(\.key.unit)
                    == [UnitID(rendition: "video-360p", kind: .initialization, number: 0)])
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            let repaired = try #require(try reader.captions.subtitles(token, "en"))
            #expect(repaired.isComplete)
            #expect(try firstPart(repaired) == firstPart(sound))
        }
    }

    @Test("has segments nevertheless if the section can't be fetched any more")
    func lostSection() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            let reader = fixture.store.reader
            let token = try await fixture.download("/master.m3u8").token
            try loseSection(of: token, fixture, as: .missing)
            let waiting = try #require(try reader.captions.subtitles(token, "en"))
            try loseSection(of: token, fixture, as: .lost)
            let lost = try #require(try reader.captions.subtitles(token, "en"))
            #expect(lost.revision != waiting.revision)
            #expect(try firstPart(lost).hasPrefix("WEBVTT"))
        }
    }
}
