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

/// Downloads without faults.
struct WholeDownloadTests {
    @Test("transport stream: the files are the origin's, byte for byte, and the catalog has their hashes")
    func transportStream() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 9)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(asset.availability.offline)
            #expect(asset.progress == 1)
            #expect(asset.duration == 36)
            #expect(asset.storedBytes == Int64(segments.joined().count))
            let units = try fixture.units(asset.token, "video")
            #expect(units.count == 9)
            for unit in units {
                #expect(try fixture.stored(asset.token, "video/\(unit.number).ts") == segments[unit.number])
                #expect(unit.size == UInt64(segments[unit.number].count))
                let path = fixture.path(asset.token, "video/\(unit.number).ts")
                #expect(try FilePieces.sha256(of: path) == unit.sha256)
            }
            #expect(try fixture.units(asset.token, "video").allSatisfy { $0.state == .stored })
        }
    }

    @Test("segments with a wrong extension are served by their real format")
    func misnamed() async throws {
        try await StoreFixture.run { fixture async throws in
            let map = "#EXT-X-MAP:URI=\"init\"\n"
            fixture.origin.serve("/init", bytes: Media.initialization())
            fixture.origin.serve("/a.mp4", bytes: Media.ts(9))
            fixture.origin.serve("/b.ts", bytes: Media.fragment(1))
            fixture.origin.serve("/c.ts", bytes: Media.ts(9))
            let streams = [("a.mp4", "", "0.ts"), ("b.ts", map, "0.m4s"), ("c.ts", map, "0.ts")]
            for (name, tags, served) in streams {
                fixture.origin.serve("/\(name).m3u8", text: Playlists.media([name], tags: tags))
                let asset = try await fixture.download("/\(name).m3u8")
                #expect(asset.state == .complete)
                #expect(try fixture.stored(asset.token, "video/\(served)") != nil)
                let playlist = try fixture.stored(asset.token, "video/media.m3u8") ?? []
                #expect(String(decoding: playlist, as: UTF8.self).contains("\n\(served)\n"))
            }
        }
    }

    @Test("an impossible extension is believed if the check of the bytes fails, or would be too soon")
    func unseen() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/a.mp4", bytes: Media.initialization() + Media.fragment(1))
            fixture.origin.serve("/a.m3u8", text: Playlists.media(["a.mp4"]))
            fixture.origin.fault("/a.mp4", .status(503), times: 1)
            #expect(try await fixture.download("/a.m3u8").state == .complete)
            #expect(fixture.origin.requests(for: "/a.mp4").map(\.status) == [503, 200])
            let other = try OriginServer()
            fixture.origin.serve("/b.m3u8", text: Playlists.media([other.url("/b.mp4")]))
            let reason = StoreError(.status(429, retryAfter: 700))
            fixture.store.context.origins.cooldowns.begin(other.url("/"), for: reason, seconds: 700)
            _ = try await fixture.store.intake.add(fixture.request("/b.m3u8"), isHeld: true)
            #expect(other.requests.isEmpty)
        }
    }

    @Test("a caller that stops waiting during the check of the first bytes has entered nothing")
    func stopped() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/a.mp4", bytes: Media.ts(9))
            fixture.origin.serve("/a.m3u8", text: Playlists.media(["a.mp4"]))
            fixture.origin.fault("/a.mp4", .holdHeader)
            let adding = Task { try await fixture.add("/a.m3u8") }
            #expect(await fixture.origin.waitForRequests(2))
            adding.cancel()
            #expect(await failure { _ = try await adding.value }?.text == "stopped(.cancelled)")
            #expect(try fixture.isEmpty)
        }
    }

    @Test("segments with a possible extension are not checked beforehand")
    func wellNamed() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            _ = try await fixture.download("/v/index.m3u8")
            #expect(fixture.origin.requests(for: "/v/s0.ts").count == 1)
        }
    }

    @Test("nothing but playlists and segments lies in a complete asset's folder")
    func tidy() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            let asset = try await fixture.download("/v/index.m3u8")
            let names = FileSystem.names(in: fixture.path(asset.token, "video")).sorted()
            #expect(names == ["0.ts", "1.ts", "2.ts", "media.m3u8"])
            #expect(FileSystem.names(in: fixture.store.paths.asset(asset.token)) == ["video"])
        }
    }

    /// One fragmented file with its initialization section first.
    private static func serveByteRanges(_ origin: OriginServer) -> (whole: [UInt8], ranges: [Range<Int>]) {
        let parts = [Media.initialization(), Media.fragment(1), Media.fragment(2), Media.fragment(3)]
        var ranges: [Range<Int>] = []
        for part in parts {
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<start + part.count)
        }
        let segments = ranges.dropFirst().map {
            "#EXTINF:4,\n#EXT-X-BYTERANGE:\($0.count)@\($0.lowerBound)\nall.mp4\n"
        }
        origin.serve("/v/all.mp4", bytes: Array(parts.joined()), contentType: "video/mp4")
        origin.serve(
            "/v/index.m3u8",
            text:
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"\(ranges[0].count)@0\"\n"
                + segments.joined() + "#EXT-X-ENDLIST\n")
        return (Array(parts.joined()), ranges)
    }

    @Test("byte ranges of one file become a file each, asked for by range")
    func byteRanges() async throws {
        try await StoreFixture.run { fixture async throws in
            let (whole, ranges) = Self.serveByteRanges(fixture.origin)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/init-0.mp4") == Array(whole[ranges[0]]))
            for number in 0..<3 {
                #expect(
                    try fixture.stored(asset.token, "video/\(number).m4s") == Array(whole[ranges[number + 1]])
                )
            }
            let asked = fixture.origin.requests(for: "/v/all.mp4").compactMap { $0.header("Range") }
            #expect(Set(asked) == Set(ranges.map { "bytes=\($0.lowerBound)-\($0.upperBound - 1)" }))
        }
    }

    @Test("an origin that ignores ranges and sends all is cut to the range")
    func rangesIgnored() async throws {
        try await StoreFixture.run { fixture async throws in
            let (whole, ranges) = Self.serveByteRanges(fixture.origin)
            fixture.origin.fault("/v/all.mp4", .ignoreRange)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/init-0.mp4") == Array(whole[ranges[0]]))
            #expect(try fixture.stored(asset.token, "video/1.m4s") == Array(whole[ranges[2]]))
        }
    }

    @Test("AES-128: segments are stored encrypted, and the key is sealed")
    func encrypted() async throws {
        try await StoreFixture.run { fixture async throws in
            let key = Array("0123456789abcdef".utf8)
            fixture.origin.serve("/v/one.key", bytes: key)
            let cipher = SampleMedia.encrypted(Media.ts(8, seed: 9), key: key, number: 0)
            fixture.origin.serve("/v/a.ts", bytes: cipher)
            let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"one.key\"\n"
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["a.ts"], tags: tags))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.availability.offline)
            #expect(asset.isEncrypted)
            #expect(try fixture.stored(asset.token, "video/0.ts") == cipher)
            #expect(try fixture.contentKey(asset.token, "k0") == key)
            #expect(try fixture.contentKey(asset.token, "k1") == nil)
            #expect(try fixture.filesContaining(key).isEmpty)
        }
    }

    @Test(
        "a key that the playlist holds itself is in no file in the clear, and its playlist can be made again")
    func inlineKey() async throws {
        try await StoreFixture.run { fixture async throws in
            let text = "MDEyMzQ1Njc4OWFiY2RlZg=="
            let key = Array("0123456789abcdef".utf8)
            fixture.origin.serve(
                "/v/a.ts", bytes: SampleMedia.encrypted(Media.ts(8), key: key, number: 0))
            let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"data:;base64,\(text)\"\n"
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["a.ts"], tags: tags))
            let token = try await fixture.download("/v/index.m3u8").token
            #expect(try fixture.contentKey(token, "k0") == key)
            #expect(try fixture.filesContaining(key).isEmpty)
            #expect(try fixture.filesContaining(Array(text.utf8)).isEmpty)
            let served = try fixture.stored(token, "video/media.m3u8")
            try FileSystem.unlink(fixture.path(token, "video/media.m3u8"))
            try await fixture.store.repair(token)
            #expect(try fixture.stored(token, "video/media.m3u8") == served)
            #expect(String(decoding: served ?? [], as: UTF8.self).contains("../keys/k0.key"))
        }
    }

    @Test("several renditions: each in its folder, all listed with local names")
    func renditions() async throws {
        try await StoreFixture.run { fixture async throws in
            let video = fixture.origin.serveStream("/v", seed: 1)
            let audio = fixture.origin.serveStream("/a", seed: 50)
            fixture.origin.serveSubtitles("/s")
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "a/index.m3u8", "DEFAULT=YES"),
                    Playlists.rendition("SUBTITLES", "s", "de", "s/index.m3u8"),
                    Playlists.variant(
                        "v/index.m3u8", 900_000, "RESOLUTION=640x360,AUDIO=\"a\",SUBTITLES=\"s\"")))
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.state == .complete)
            #expect(asset.renditions.map(\.name) == ["video-360p", "audio-en", "subtitles-de"])
            #expect(try fixture.stored(asset.token, "video-360p/3.ts") == video[3])
            #expect(try fixture.stored(asset.token, "audio-en/2.ts") == audio[2])
            #expect(try fixture.stored(asset.token, "subtitles-de/1.vtt") == Array("WEBVTT\n\n/s 1\n".utf8))
            let master = try fixture.master(asset.token)
            #expect(!master.contains("://"))
            for rendition in asset.renditions { #expect(master.contains("\(rendition.name)/media.m3u8")) }
        }
    }

    @Test("keys are fetched first, then initialization sections, then segments by presentation time")
    func order() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let key = OriginResource.pattern(16)
            let start = SampleMedia.encrypted(SampleMedia.initialization(), key: key, number: 1)
            let fragment = SampleMedia.encrypted(SampleMedia.fragment(), key: key, number: 1)
            for stream in ["v", "a"] {
                let folder = "/\(stream)"
                fixture.origin.serve("\(folder)/k", bytes: key)
                fixture.origin.serve("\(folder)/i", bytes: start)
                for number in 0..<3 { fixture.origin.serve("\(folder)/\(number).m4s", bytes: fragment) }
                let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x01\n#EXT-X-MAP:URI=\"i\"\n"
                fixture.origin.serve(
                    "\(folder)/index.m3u8", text: Playlists.media((0..<3).map { "\($0).m4s" }, tags: tags))
            }
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "a/index.m3u8", "DEFAULT=YES"),
                    Playlists.variant("v/index.m3u8", 900_000, "AUDIO=\"a\"")))
            _ = try await fixture.download("/master.m3u8")
            #expect(
                fixture.origin.paths.filter { !$0.hasSuffix(".m3u8") } == [
                    "/v/k", "/a/k", "/v/i", "/a/i", "/v/0.m4s", "/a/0.m4s", "/v/1.m4s", "/a/1.m4s",
                    "/v/2.m4s",
                    "/a/2.m4s",
                ])
        }
    }

    @Test("a gap of the origin is not requested, and the asset is complete without it")
    func gap() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            let text = Playlists.media(["s0.ts", "s1.ts", "s2.ts"])
            fixture.origin.serve(
                "/v/index.m3u8",
                text: text.replacing("#EXTINF:4,\ns1.ts", with: "#EXT-X-GAP\n#EXTINF:4,\ns1.ts"))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(fixture.origin.requests(for: "/v/s1.ts").isEmpty)
        }
    }

    @Test(
        "a gap whose key and initialization section can't be fetched does not fail the download",
        arguments: [
            #"METHOD=AES-128,URI="gone.key""#,
            #"METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery""#,
        ])
    func needsOfGap(key: String) async throws {
        try await StoreFixture.run { fixture async throws in
            for number in 0..<3 {
                fixture.origin.serve("/v/s\(number).m4s", bytes: Media.fragment(UInt64(number + 1)))
            }
            fixture.origin.serve("/v/i.mp4", bytes: Media.initialization())
            let gap = "#EXT-X-KEY:\(key)\n#EXT-X-MAP:URI=\"gone.mp4\"\n#EXT-X-GAP\ns1.m4s"
            let last = "#EXT-X-KEY:METHOD=NONE\n#EXT-X-MAP:URI=\"i.mp4\"\ns2.m4s"
            fixture.origin.serve(
                "/v/index.m3u8",
                text: Playlists.media(["s0.m4s", gap, last], tags: "#EXT-X-MAP:URI=\"i.mp4\"\n"))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            let asked = ["/v/index.m3u8", "/v/i.mp4", "/v/s0.m4s", "/v/s2.m4s"]
            #expect(Set(fixture.origin.paths) == Set(asked))
            let lines = try fixture.mediaLines(asset.token)
            #expect(lines.filter { $0.hasPrefix("#EXT-X-MAP") } == ["#EXT-X-MAP:URI=\"init-0.mp4\""])
        }
    }

    @Test("hundreds of small segments are all stored, never with more transfers at once than allowed")
    func manySegments() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 8
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 300)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete && asset.renditions[0].storedSegments == 300)
            #expect(try await fixture.store.verify(asset.token).isSound)
            #expect(fixture.origin.peakConcurrency <= 8)
            #expect(fixture.origin.requests.count == 301)
        }
    }

    @Test("several assets download side by side, the rest wait for their turn")
    func manyAssets() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 2
        } _: { fixture async throws in
            var tokens: [AssetToken] = []
            for number in 0..<5 {
                fixture.origin.serveStream("/v\(number)", seed: UInt64(number))
                tokens.append(try await fixture.add("/v\(number)/index.m3u8"))
            }
            for token in tokens {
                await fixture.store.untilSettled(token)
                #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            }
        }
    }
}
