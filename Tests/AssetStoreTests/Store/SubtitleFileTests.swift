import Foundation
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

/// Subtitle files that join an asset.
@Suite(.timeLimit(.minutes(2)))
struct SubtitleFileTests {
    private let subRip = "1\n00:00:01,000 --> 00:00:02,000\nHallo\n\n2\n00:00:05,000 --> 00:00:06,000\nWelt\n"

    private func publish(_ fixture: StoreFixture, _ attributes: String = "") {
        for number in 0..<2 {
            let bytes = Media.timedPacket(900_000 + number * 360_000) + Media.ts(9)
            fixture.origin.serve("/v/s\(number).ts", bytes: bytes, contentType: "video/mp2t")
        }
        fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"]))
        fixture.origin.serveSubtitles("/t")
        fixture.origin.serve("/film.srt", text: subRip)
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "t/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, attributes)))
    }

    private func download(_ fixture: StoreFixture, _ attributes: String = "") async throws -> AssetToken {
        publish(fixture, attributes)
        return try await fixture.download("/master.m3u8") {
            $0.subtitleFiles = [SubtitleSource(source: fixture.origin.url("/film.srt"), language: "de")]
        }.token
    }

    @Test("in another format is stored unchanged, and served by its language")
    func joined() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture)
            #expect(try fixture.stored(token, "subtitles-de/source.srt") == Array(subRip.utf8))
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "de"))
            #expect(found.track.cues.map(\.text) == ["Hallo", "Welt"] && found.isComplete)
            #expect(found.rendition.isExternal && found.rendition.title == "Deutsch")
            #expect(try await fixture.store.verify(token).isSound)
            guard case .made(let bytes, true) = found.segment(1) else { throw StoreError(.stopped(.closing)) }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("LOCAL:00:00:00.000,MPEGTS:900000"))
            #expect(text.contains("Welt") && !text.contains("Hallo"))
        }
    }

    @Test("of a queued request is entered with the playlists' renditions; after an error the request stays")
    func joinedAtOnce() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            let store = fixture.store
            var request = fixture.request("/master.m3u8")
            request.subtitleFiles = [SubtitleSource(source: fixture.origin.url("/film.srt"), language: "de")]
            let entered = try await store.intake.enqueue([request], isHeld: true)
            let token = try #require(entered.tokens.first)
            try store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE INSERT ON rendition WHEN NEW.source_file IS NOT NULL
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            let error = await failure { try await store.intake.resolve(token) }
            #expect(error != nil)
            #expect(try store.catalog.queue.isUnresolved(token))
            #expect(FileSystem.facts(store.paths.asset(token)) == nil)
            try store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            await store.intake.release([token])
            await store.untilSettled(token)
            #expect(try store.reader.requireAsset(token).state == .complete)
            #expect(try store.reader.captions.subtitles(token, "de")?.track.cues.count == 2)
            #expect(try await store.verify(token).isSound)
        }
    }

    @Test("is listed for players in each group of subtitles, and without groups in one of its own")
    func groups() async throws {
        for (attributes, group) in [("SUBTITLES=\"s\"", "s"), ("", "sideband")] {
            try await StoreFixture.run { fixture async throws in
                let token = try await download(fixture, attributes)
                let master = try fixture.master(token, subtitles: "de")
                #expect(master.contains("GROUP-ID=\"\(group)\",NAME=\"Deutsch\",LANGUAGE=\"de\",DEFAULT=YES"))
                #expect(master.contains("URI=\"subtitles/subtitles-de/media.m3u8\""))
                #expect(master.contains("SUBTITLES=\"\(group)\"\n"))
            }
        }
    }

    @Test("is listed for players in the same way if the stream is a single playlist")
    func singlePlaylist() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            fixture.origin.serve("/film.srt", text: subRip)
            let token = try await fixture.download("/v/index.m3u8") {
                $0.subtitleFiles = [SubtitleSource(source: fixture.origin.url("/film.srt"), language: "de")]
            }.token
            let master = try fixture.master(token, subtitles: "de")
            #expect(master.contains("#EXT-X-MEDIA:TYPE=SUBTITLES,"))
            #expect(master.contains("GROUP-ID=\"sideband\",NAME=\"Deutsch\",LANGUAGE=\"de\",DEFAULT=YES"))
            #expect(master.contains("#EXT-X-STREAM-INF:BANDWIDTH="))
        }
    }

    @Test("that is invalid is refused before any change")
    func refused() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            fixture.origin.serve("/page.srt", text: "<html>")
            for (path, reason) in [("/page.srt", "web page"), ("/none.srt", "404")] {
                let error = await fixture.refusal("/master.m3u8") {
                    let url = fixture.origin.url(path + "?token=secret")
                    $0.subtitleFiles = [SubtitleSource(source: url, language: "de")]
                }
                #expect(error?.message.contains(reason) == true)
                #expect(error?.message.contains("secret") == false)
                #expect(try fixture.isEmpty)
            }
        }
    }

    @Test("the header fields for the stream's host go to no other one")
    func headers() async throws {
        let other = try OriginServer()
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            other.serve("/film.srt", text: subRip)
            _ = try await fixture.download("/master.m3u8") {
                $0.access.headers = [["X-Pass", "secret"]]
                $0.subtitleFiles = [
                    SubtitleSource(source: other.url("/film.srt"), language: "de"),
                    SubtitleSource(source: fixture.origin.url("/film.srt"), language: "de"),
                ]
            }
            #expect(other.requests(for: "/film.srt").allSatisfy { $0.header("X-Pass") == nil })
            #expect(fixture.origin.requests(for: "/film.srt").contains { $0.header("X-Pass") == "secret" })
        }
        other.stop()
    }

    @Test("can be added later, by path, and made again when its track is damaged")
    func addedAndRepaired() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            let token = try await fixture.download("/master.m3u8").token
            let path = try fixture.folder.write(Array(subRip.utf8), to: "given.srt")
            let source = try #require(SubtitleSource(argument: "\(path):pt-BR"))
            #expect(try await fixture.store.tracks.addSubtitles([source], to: token) == ["subtitles-pt-br"])
            let track = try fixture.stored(token, "subtitles-pt-br/0.vtt")
            try DurableWrite.write([1, 2, 3], to: fixture.path(token, "subtitles-pt-br/0.vtt"))
            #expect(try await fixture.store.verify(token).damaged == ["subtitles-pt-br/0.vtt"])
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.stored(token, "subtitles-pt-br/0.vtt") == track)
            #expect(try await fixture.store.verify(token).isSound)
            #expect(try fixture.store.reader.captions.subtitles(token, "pt")?.track.cues.count == 2)
        }
    }

    @Test("stays when the media of its asset are deleted, and goes with the asset", .timeLimit(.minutes(2)))
    func purged() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            fixture.origin.fault("/v/s1.ts", .holdHeader, times: 1)
            let token = try await fixture.add("/master.m3u8") {
                $0.subtitleFiles = [SubtitleSource(source: fixture.origin.url("/film.srt"), language: "de")]
            }
            try await eventually { !fixture.origin.requests(for: "/v/s1.ts").isEmpty }
            try await fixture.store.perform(.cancel, on: token, purge: true)
            let (catalog, now) = (fixture.store.catalog, Timestamp.latest)
            #expect(try catalog.storage.keptCancelled(before: now, lookedAtUntil: now).isEmpty)
            #expect(try catalog.storage.evictionCandidates(at: now).map(\.bytes) == [0])
            fixture.origin.remove("/film.srt")
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(try fixture.stored(token, "subtitles-de/source.srt") == Array(subRip.utf8))
            #expect(try fixture.store.reader.captions.subtitles(token, "de")?.track.cues.count == 2)
            try await fixture.store.remove(token)
            #expect(try fixture.isEmpty)
        }
    }

    @Test(
        "a subtitle file that is gone from the disk is neither requested nor listed, and its asset is complete without it",
        .timeLimit(.minutes(2)))
    func gone() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture)
            try fixture.store.catalog.assets.apply(
                .evict, to: token, TransitionDetail(now: Timestamp(milliseconds: 0)))
            try FileSystem.removeTree(fixture.path(token, "subtitles-de"))
            fixture.origin.forgetRequests()
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            let lost = try #require(asset.renditions.first { $0.name == "subtitles-de" })
            #expect(lost.failure?.contains("source.srt") == true)
            #expect(asset.renditions.allSatisfy { $0.failure == nil || $0.name == lost.name })
            #expect(try !fixture.master(token).contains("subtitles-de"))
            #expect(fixture.origin.paths.isEmpty)
        }
    }

    @Test(
        "the track of a lost copy of a subtitle file is made again when its asset is resumed",
        .timeLimit(.minutes(2)))
    func trackGone() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture)
            let track = try fixture.stored(token, "subtitles-de/0.vtt")
            try fixture.store.catalog.assets.apply(
                .evict, to: token, TransitionDetail(now: Timestamp(milliseconds: 0)))
            try FileSystem.unlink(fixture.path(token, "subtitles-de/0.vtt"))
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.renditions.allSatisfy { $0.failure == nil })
            #expect(try fixture.stored(token, "subtitles-de/0.vtt") == track)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test(
        "its times are those of the whole stream when a part is taken, also when the track is made again",
        .timeLimit(.minutes(2)), arguments: [false, true], [false, true])
    func ofPart(isEnqueued: Bool, isFirst: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            let url = fixture.origin.url("/film.srt")
            var request = fixture.request("/master.m3u8")
            if isFirst { request.selection.end = 3 } else { request.selection.start = 5 }
            request.subtitleFiles = [SubtitleSource(source: url, language: "de")]
            let tokens =
                try await isEnqueued
                ? fixture.store.intake.enqueue([request]).tokens : [fixture.store.intake.add(request).token]
            let token = try #require(tokens.first)
            await fixture.store.untilSettled(token)
            try await fixture.store.tracks.addSubtitles(
                [SubtitleSource(source: url, language: "pt")], to: token)
            for language in ["de", "pt"] {
                let found = try #require(try fixture.store.reader.captions.subtitles(token, language))
                #expect(found.track.cues.map(\.text) == [isFirst ? "Hallo" : "Welt"])
                #expect(found.track.cues.map(\.start.seconds) == [1])
            }
            let track = try fixture.stored(token, "subtitles-de/0.vtt")
            try DurableWrite.write([1, 2, 3], to: fixture.path(token, "subtitles-de/0.vtt"))
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.stored(token, "subtitles-de/0.vtt") == track)
        }
    }

    @Test("a track that another version made of it stays while it is sound, and is made anew when it is not")
    func ofOtherVersion() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture)
            let row = try #require(try fixture.store.catalog.renditions.rendition(token, "subtitles-de"))
            let path = fixture.path(token, "subtitles-de/0.vtt")
            let other = Array("WEBVTT\n\n00:01.000 --> 00:02.000\nAnders\n".utf8)
            try DurableWrite.write(other, to: path)
            try fixture.store.catalog.units.markAbsent([(row.id, .segment, 0)], as: .missing)
            let folder = fixture.path(token, "subtitles-de")
            try fixture.store.catalog.units.markStored([AddedSubtitles.unit(other, of: row.id, in: folder)])
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.stored(token, "subtitles-de/0.vtt") == other)
            try DurableWrite.write([1, 2, 3], to: path)
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "de"))
            #expect(found.track.cues.map(\.text) == ["Hallo", "Welt"])
            #expect(try await fixture.store.verify(token).isSound)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }

    @Test("in an exported asset it is on the clock of the video, and again when that is imported")
    func exported() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await download(fixture)
            let folder = FilePath(fixture.folder.file("exported"))
            try fixture.store.reader.exporter.export(token, to: folder, withKeys: false)
            let track = try DurableWrite.read(folder.appending("subtitles-de").appending("0.vtt")) ?? []
            #expect(String(decoding: track, as: UTF8.self).contains("LOCAL:00:00:00.000,MPEGTS:900000"))
            let again = try await fixture.store.imports.add(folder).token
            let found = try #require(try fixture.store.reader.captions.subtitles(again, "de"))
            #expect(found.track.cues.map(\.start.seconds) == [1, 5])
            #expect(try fixture.master(again).contains("\"subtitles-de/media.m3u8\""))
        }
    }

    @Test(
        "a source is a file or a URL, a colon, and a language",
        arguments: [
            ("a.srt:de", "a.srt", "de"), ("https://x/y.vtt?a=1:2:en-GB", "https://x/y.vtt?a=1:2", "en-GB"),
        ])
    func arguments(_ text: String, _ source: String, _ language: String) {
        #expect(SubtitleSource(argument: text) == SubtitleSource(source: source, language: language))
        for wrong in ["a.srt", "https://x/y.vtt", ":de", "a:", "a:e", "a:x y"] {
            #expect(SubtitleSource(argument: wrong) == nil)
        }
    }
}
