import Foundation
import ModelTestSupport
import SidebandSubtitles
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
@testable import StoreReading

/// Whole subtitle tracks made of stored segments.
struct SubtitleTests {
    /// Publishes two variants of a transport stream that begins at 10 s, with subtitles in two segments.
    ///
    /// - Parameters:
    ///   - first: another first segment of the subtitles.
    ///   - key: the key that encrypts the second segment.
    private func publish(
        _ fixture: StoreFixture, tags: String = "", first: [UInt8]? = nil, key: [UInt8]? = nil
    ) {
        for number in 0..<2 {
            let ticks = 900_000 + number * 360_000
            fixture.origin.serve(
                "/v/s\(number).ts", bytes: Media.timedPacket(ticks) + Media.ts(9), contentType: "video/mp2t")
            let text = """
                WEBVTT
                X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00.000

                00:0\(number * 4 + 1).000 --> 00:0\(number * 4 + 2).000
                line \(number)

                00:03.500 --> 00:04.500
                border
                """
            let plain = Array(text.utf8)
            let sealed = key.map { SampleMedia.encrypted(plain, key: $0, number: 0) }
            fixture.origin.serve("/t/s\(number).vtt", bytes: (number == 0 ? first : sealed) ?? plain)
        }
        fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"]))
        fixture.origin.serve("/t/index.m3u8", text: Playlists.media(["s0.vtt", "s1.vtt"], tags: tags))
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en-GB", "t/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, "RESOLUTION=640x360,SUBTITLES=\"s\"")))
    }

    /// A segment with one cue, encrypted.
    private static let sealed = Secret.bytes(
        base64:
            "cTN+TanNnwoZvMpLlgSvJmA2JAiJKONHW1a6imWGFEKoP1tRTCTQYhFdoS1jiGGTUY6+0nLoL/PpUyd1TBV85NDRjHqWlsK46WnHcYP0RRvU5Gaddp/k1KkQo0yUnonC"
    )

    /// The cues of all segments.
    private static let allCues = ["1.0 2.0 secret", "3.5 4.5 border", "5.0 6.0 line 1"]

    private func publishEncrypted(_ fixture: StoreFixture) {
        let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"/key\",IV=0x0\n"
        let key = Secret.key(Array(200..<216))
        publish(fixture, tags: tags, first: Self.sealed, key: key)
        fixture.origin.serve("/key", bytes: key)
    }

    private func summary(_ subtitles: AssetSubtitles?) -> [String] {
        (subtitles?.track.cues ?? []).map { "\($0.start.seconds) \($0.end.seconds) \($0.text)" }
    }

    @Test("a track is on the clock of the video, whole, and found by its language")
    func whole() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            let token = try await fixture.download("/master.m3u8").token
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(summary(found) == ["1.0 2.0 line 0", "3.5 4.5 border", "5.0 6.0 line 1"])
            #expect(found.isComplete && found.problems.isEmpty)
            #expect(found.picture == PictureSize(width: 640, height: 360))
            #expect(try fixture.store.reader.captions.subtitles(token, "EN_gb")?.revision == found.revision)
            #expect(try fixture.store.reader.captions.subtitles(token, "de") == nil)
            #expect(try fixture.master(token).contains("\"subtitles-en-gb/media.m3u8\""))
        }
    }

    @Test("encrypted subtitles are decrypted for it, and served to players in the clear")
    func encrypted() async throws {
        try await StoreFixture.run { fixture async throws in
            publishEncrypted(fixture)
            let token = try await fixture.download("/master.m3u8").token
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(summary(found) == Self.allCues)
            #expect(try fixture.master(token).contains("\"subtitles/subtitles-en-gb/media.m3u8\""))
            guard case .made(let bytes, true) = found.segment(0) else { throw StoreError(.stopped(.closing)) }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000"))
            #expect(text.contains("00:00:01.000 --> 00:00:02.000\nsecret"))
            #expect(try fixture.stored(token, "subtitles-en-gb/0.vtt") == Self.sealed)
        }
    }

    @Test("encrypted subtitles are there as soon as their key is")
    func lateKey() async throws {
        try await StoreFixture.run { fixture async throws in
            publishEncrypted(fixture)
            fixture.origin.fault("/key", .status(403))
            let token = try await fixture.download("/master.m3u8") { $0.allowsMissingKeys = true }.token
            let before = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(summary(before).isEmpty)
            fixture.origin.clearFaults("/key")
            try await fixture.store.renewLicense(of: token)
            let after = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(summary(after) == Self.allCues && after.revision != before.revision)
        }
    }

    @Test("missing segments are left out and named, and are there once they are stored")
    func incomplete() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            fixture.origin.fault("/t/s1.vtt", .status(404), times: .max)
            let token = try await fixture.download("/master.m3u8").token
            try fixture.store.catalog.renditions.setFailure(nil, ofRendition: 2)
            let before = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(summary(before) == ["1.0 2.0 line 0", "3.5 4.5 border"])
            #expect(!before.isComplete)
            fixture.origin.clearFaults("/t/s1.vtt")
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            let after = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(after.isComplete && after.revision != before.revision)
            #expect(after.track.cues.count == 3)
        }
    }

    @Test("an unknown segment of a track differs from one that is not stored yet")
    func segments() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            let token = try await fixture.add("/master.m3u8") { _ in }
            await fixture.store.untilSettled(token)
            try fixture.store.catalog.units.markAbsent([(2, .segment, 1)], as: .missing)
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            guard case .made(_, false) = found.segment(0), case .missing = found.segment(1),
                case .unknown = found.segment(2), case .unknown = found.segment(-1)
            else {
                Issue.record("other answers")
                return
            }
            let playlist = String(decoding: found.playlist() ?? [], as: UTF8.self)
            #expect(playlist.hasSuffix("#EXTINF:4,\n0.vtt\n#EXTINF:4,\n1.vtt\n#EXT-X-ENDLIST\n"))
        }
    }

    /// Video in segments of 4 s and subtitles in segments of 10 s, with a cue that is cut where the second one begins.
    private func publishFilm(_ fixture: StoreFixture) {
        for number in 0..<6 {
            let bytes = Media.timedPacket(900_000 + number * 360_000) + Media.ts(9)
            fixture.origin.serve("/v/s\(number).ts", bytes: bytes, contentType: "video/mp2t")
        }
        let cues = [
            "00:07.000 --> 00:07.500\nbefore\n\n00:09.000 --> 00:10.000\nborder",
            "00:10.000 --> 00:11.000\nborder\n\n00:19.000 --> 00:19.500\nmiddle",
            "00:21.000 --> 00:22.000\nend",
        ]
        for (number, text) in cues.enumerated() {
            let header = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00.000"
            fixture.origin.serve("/t/s\(number).vtt", text: "\(header)\n\n\(text)\n")
        }
        fixture.origin.serve("/v/index.m3u8", text: Playlists.media((0..<6).map { "s\($0).ts" }))
        fixture.origin.serve(
            "/t/index.m3u8", text: Playlists.media((0..<3).map { "s\($0).vtt" }, seconds: 10))
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "t/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, "SUBTITLES=\"s\"")))
    }

    @Test("of a part, segments that begin before the video keep their offset to it")
    func part() async throws {
        try await StoreFixture.run { fixture async throws in
            publishFilm(fixture)
            let token = try await fixture.download("/master.m3u8") {
                ($0.selection.start, $0.selection.end) = (8, 24)
            }.token
            let whole = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(summary(whole) == ["1.0 3.0 border", "11.0 11.5 middle", "13.0 14.0 end"])
            #expect(whole.isComplete)
            try fixture.store.catalog.units.markAbsent([(2, .segment, 2)], as: .missing)
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(summary(found) == ["1.0 3.0 border", "11.0 11.5 middle"])
            guard case .made = found.segment(0), case .made = found.segment(2),
                case .missing = found.segment(3)
            else {
                Issue.record("other answers")
                return
            }
            let listed =
                try fixture.store.reader.playlists.availableMediaPlaylist(token, "subtitles-en") ?? []
            let lines = String(decoding: listed, as: UTF8.self).split(separator: "\n")
            #expect(lines.filter { $0.hasSuffix(".vtt") }.prefix(2) == ["0.vtt", "1.vtt"])
        }
    }

    @Test("after a discontinuity the clock is a new one")
    func discontinuity() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture)
            fixture.origin.serve("/v/s1.ts", bytes: Media.timedPacket(90_000) + Media.ts(9))
            fixture.origin.serve(
                "/t/s1.vtt",
                text: "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:90000,LOCAL:00:00.000\n\n00:01.000 --> 00:02.000\nb\n")
            for (folder, type) in [("v", "ts"), ("t", "vtt")] {
                let list = Playlists.media(["s0.\(type)", "s1.\(type)"]).replacing(
                    "#EXTINF:4,\ns1", with: "#EXT-X-DISCONTINUITY\n#EXTINF:4,\ns1")
                fixture.origin.serve("/\(folder)/index.m3u8", text: list)
            }
            let token = try await fixture.download("/master.m3u8").token
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(summary(found) == ["1.0 2.0 line 0", "3.5 4.5 border", "5.0 6.0 b"])
            guard case .made(let bytes, _) = found.segment(1) else { throw StoreError(.stopped(.closing)) }
            #expect(String(decoding: bytes, as: UTF8.self).contains("=LOCAL:00:00:04.000,MPEGTS:90000"))
            #expect(
                String(decoding: found.playlist() ?? [], as: UTF8.self).contains(
                    "#EXT-X-DISCONTINUITY\n#EXTINF"))
        }
    }
}
