import Locking
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

/// Origins that misbehave while segments are fetched.
struct FaultTests {
    /// Downloads a stream of three segments, the second of which is served with faults.
    private func download(
        _ faults: (fault: OriginFault, times: Int)...,
        check: @Sendable (StoreFixture, Asset, [[UInt8]]) throws -> Void
    ) async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 3)
            for (fault, times) in faults { fixture.origin.fault("/v/s1.ts", fault, times: times) }
            let asset = try await fixture.download("/v/index.m3u8")
            try check(fixture, asset, segments)
        }
    }

    private func expectWhole(_ fixture: StoreFixture, _ asset: Asset, _ segments: [[UInt8]]) throws {
        #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
        for (number, bytes) in segments.enumerated() {
            #expect(try fixture.stored(asset.token, "video/\(number).ts") == bytes)
        }
    }

    @Test("503 is asked again until it passes")
    func unavailable() async throws {
        try await download((.status(503), 3)) { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.status) == [503, 503, 503, 200])
        }
    }

    @Test("a segment that the origin does not have is named with its place")
    func place() async throws {
        try await download((.status(404), .max)) { _, asset, _ throws in
            #expect(asset.state == .failed)
            let problem = asset.health.problems.first
            #expect(problem?.kind == .segmentMissing && problem?.rendition == "video")
            #expect(problem.map { ($0.start ?? 0) > 0 && ($0.duration ?? 0) > 0 } == true)
        }
    }

    @Test("an origin that sends nonsense on a connection gets a new connection for each later request")
    func nonsense() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 4)
            for number in 0..<4 { fixture.origin.fault("/v/s\(number).ts", .nonsenseOnReuse) }
            let asset = try await fixture.download("/v/index.m3u8")
            try expectWhole(fixture, asset, segments)
            let connections = fixture.origin.requests.map(\.connection)
            // The first segment met the nonsense on the playlist's.
            #expect(connections.count == 6)
            #expect(Set(connections).count == 5)
        }
    }

    @Test("Retry-After is waited for")
    func retryAfter() async throws {
        let waits = Lock<[Double]>([])
        try await StoreFixture.run {
            $0.pause = { seconds in waits.withLock { $0.append(seconds) } }
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .status(503, headers: ["Retry-After: 7"]), times: 2)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
            #expect(waits.withLock { $0 } == [7, 7])
        }
    }

    @Test("503 without end is given up after eight tries and fails the asset with its reason")
    func unavailableForever() async throws {
        try await download((.status(503), .max)) { fixture, asset, _ throws in
            #expect(asset.state == .failed)
            #expect(asset.failure?.errorClass == "http")
            #expect(asset.failure?.retryable == true)
            #expect(asset.failure?.url == fixture.origin.url("/v/s1.ts"))
            #expect(fixture.origin.requests(for: "/v/s1.ts").count == 8)
            #expect(try fixture.stored(asset.token, "video/1.ts") == nil)
        }
    }

    @Test("a body that is cut off is resumed, if it is still the same version")
    func truncated() async throws {
        try await download((.truncate(after: 500), 1)) { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            let requests = fixture.origin.requests(for: "/v/s1.ts")
            #expect(requests.map { $0.header("Range") } == [nil, "bytes=500-"])
            #expect(requests[1].header("If-Range") == OriginResource(bytes: segments[1]).etag)
            #expect(requests.map(\.status) == [200, 206])
        }
    }

    @Test("every byte that came is kept, however often the connection ends")
    func cutAgainAndAgain() async throws {
        try await download((.truncate(after: 150), 12)) { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            let offsets = fixture.origin.requests(for: "/v/s1.ts").map(\.offset)
            #expect(offsets == (0...12).map { $0 * 150 })
        }
    }

    @Test("a connection that is reset is no loss")
    func reset() async throws {
        try await download((.reset(after: 150), 3)) { try expectWhole($0, $1, $2) }
    }

    /// Downloads a stream whose second segment is cut off after 600 bytes; `meanwhile` changes the origin before.
    private func interrupted(
        _ fault: OriginFault? = nil, _ meanwhile: @Sendable (OriginServer, [UInt8]) -> Void,
        check: @Sendable (StoreFixture, Asset, [[UInt8]]) throws -> Void
    ) async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .stall(after: 500), times: 1)
            fixture.origin.fault("/v/s1.ts", .truncate(after: 600), times: 1)
            if let fault { fixture.origin.fault("/v/s1.ts", fault, times: 1) }
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(4))
            meanwhile(fixture.origin, segments[1])
            fixture.origin.release()
            await fixture.store.untilSettled(token)
            try check(fixture, try fixture.store.reader.requireAsset(token), segments)
        }
    }

    @Test("when the version changed in the middle, the new one is taken from its beginning: never a mixture")
    func changedVersion() async throws {
        let fresh = Media.ts(11, seed: 99)
        try await interrupted { origin, _ in
            origin.serve("/v/s1.ts", bytes: fresh)
        } check: { fixture, asset, segments throws in
            try expectWhole(fixture, asset, [segments[0], fresh, segments[2]])
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.status) == [200, 200])
        }
    }

    /// The answer 206 with these bytes of a resource.
    private static func part(_ bytes: [UInt8], _ range: Range<Int>, etag: String) -> OriginFault {
        let body = String(decoding: bytes[range].map { $0 & 0x7F }, as: UTF8.self)
        let place = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
        return .status(206, headers: [place, "ETag: \(etag)"], body: body)
    }

    @Test("a part of another version, sent against If-Range, is not appended")
    func changedPart() async throws {
        try await interrupted { origin, bytes in
            origin.fault("/v/s1.ts", Self.part(bytes, 600..<bytes.count, etag: "\"other\""), times: 1)
        } check: { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.status) == [200, 206, 200])
        }
    }

    @Test("a part that does not repeat the date, as it need not, is appended")
    func partWithoutDate() async throws {
        try await interrupted { origin, bytes in
            origin.serve("/v/s1.ts", OriginResource(bytes: bytes, lastModified: nil))
        } check: { fixture, asset, segments in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.offset) == [0, 600])
        }
    }

    @Test("a chunked body that was cut off is resumed, though its length was never announced")
    func cutChunks() async throws {
        try await download((.chunked, 1), (.truncate(after: 600), 1)) { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.offset) == [0, 600])
        }
    }

    @Test("a part that starts elsewhere is refused, and the whole is asked for", arguments: [500, 601])
    func wrongRange(_ start: Int) async throws {
        try await interrupted { origin, bytes in
            let etag = OriginResource(bytes: bytes).etag ?? ""
            origin.fault("/v/s1.ts", Self.part(bytes, start..<bytes.count, etag: etag), times: 1)
        } check: { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.offset) == [0, 600, 0])
        }
    }

    @Test("a resource that became shorter than the stored part is fetched from its beginning")
    func shrunk() async throws {
        try await interrupted { origin, _ in
            origin.fault("/v/s1.ts", .status(416, headers: ["Content-Range: bytes */300"]), times: 1)
        } check: { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.offset) == [0, 600, 0])
        }
    }

    @Test("without validators a cut body is fetched from its beginning")
    func noValidators() async throws {
        try await download((.noValidators, .max), (.truncate(after: 500), 1)) {
            fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map { $0.header("Range") } == [nil, nil])
        }
    }

    @Test("a whole answer to a request for the rest replaces the stored part")
    func wholeInsteadOfRest() async throws {
        try await download((.truncate(after: 500), 1), (.ignoreRange, .max)) {
            fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.status) == [200, 200])
        }
    }

    @Test(
        "an answer that makes no sense is not the last word",
        arguments: [
            OriginFault.contentLength("12x"), .header("Content-Length: 5"), .header("Content-Encoding: gzip"),
            .header("Content-Encoding: br"),
        ])
    func senseless(_ fault: OriginFault) async throws {
        try await download((fault, 2)) { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").count == 3)
        }
    }

    @Test("a segment that comes as a part from the first to the last byte, unasked, is stored")
    func unaskedPart() async throws {
        try await StoreFixture.run { fixture async throws in
            let bytes = Media.ts(10).map { $0 & 0x7F }
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts"]))
            fixture.origin.fault("/v/s0.ts", Self.part(bytes, 0..<bytes.count, etag: "\"x\""), times: 1)
            let asset = try await fixture.download("/v/index.m3u8")
            try expectWhole(fixture, asset, [bytes])
        }
    }

    @Test("a web page instead of media that nothing else is known of is refused by its type")
    func pageByType() async throws {
        try await download((.status(200, headers: ["Content-Type: text/html"], body: "x"), .max)) {
            _, asset, _ throws in
            #expect(asset.state == .failed)
            #expect(asset.failure?.errorClass == "integrity")
            #expect(asset.failure?.message.hasPrefix("a web page came instead of media") == true)
        }
    }

    @Test("a web page that claims to be media is refused by its bytes, however often it comes")
    func pageByBytes() async throws {
        let page = String(decoding: Media.page, as: UTF8.self)
        try await download((.status(200, headers: ["Content-Type: video/mp2t"], body: page), .max)) {
            fixture, asset, _ throws in
            #expect(asset.state == .failed)
            #expect(asset.failure?.errorClass == "integrity")
            #expect(try fixture.stored(asset.token, "video/1.ts") == nil)
        }
    }

    @Test("a login page that disappears again does no harm")
    func passingPage() async throws {
        try await download((.status(200, headers: ["Content-Type: text/html"], body: "<html>"), 2)) {
            try expectWhole($0, $1, $2)
        }
    }

    @Test(
        "a Content-Length that cuts the body is noticed by the container, and the segment is asked for again")
    func shortLength() async throws {
        try await download((.contentLength("700"), 1), (.truncate(after: 700), 1)) {
            fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").count == 2)
        }
    }

    @Test("a Content-Length that is too large costs a request, and no byte is fetched twice")
    func largeLength() async throws {
        try await download((.contentLength("5000"), 1)) { fixture, asset, segments throws in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.status) == [200, 416])
        }
    }

    @Test("lengths that are too small more than once are no proof that a segment ends there")
    func shortLengths() async throws {
        try await interrupted(.contentLength("600")) { origin, bytes in
            let place = "Content-Range: bytes 600-\(bytes.count - 1)/\(bytes.count)"
            let etag = "ETag: \(OriginResource(bytes: bytes).etag ?? "")"
            origin.fault("/v/s1.ts", .status(206, headers: [place, etag]), times: 2)
        } check: { fixture, asset, segments in
            try expectWhole(fixture, asset, segments)
            #expect(fixture.origin.requests(for: "/v/s1.ts").map(\.offset) == [0, 600, 600, 600])
        }
    }

    @Test("bytes that arrive twice the same are accepted, also with an odd end")
    func oddEnd() async throws {
        try await StoreFixture.run { fixture async throws in
            let odd = Array(Media.ts(10).dropLast(7))
            fixture.origin.serve("/v/s0.ts", bytes: odd)
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts"]))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "video/0.ts") == odd)
            #expect(fixture.origin.requests(for: "/v/s0.ts").count == 2)
        }
    }

    @Test("of a range that continues to the end of the file, only the requested bytes are used")
    func longerPart() async throws {
        try await StoreFixture.run { fixture async throws in
            let media = (1...3).map { Media.ts(10, seed: UInt64($0)).map { $0 & 0x7F } }
            let uris = media.indices.map { "all.ts#\($0)" }
            let length = media[0].count
            var text = Playlists.media(uris)
            for (index, uri) in uris.enumerated() {
                text = text.replacing(
                    uri, with: "#EXT-X-BYTERANGE:\(length)@\(index * length)\nall.ts")
            }
            let whole = Array(media.joined())
            fixture.origin.serve("/v/index.m3u8", text: text)
            fixture.origin.serve("/v/all.ts", bytes: whole)
            let rest = Self.part(whole, 0..<whole.count, etag: OriginResource(bytes: whole).etag ?? "")
            fixture.origin.fault("/v/all.ts", rest, times: 1)
            try expectWhole(fixture, try await fixture.download("/v/index.m3u8"), media)
            #expect(fixture.origin.requests(for: "/v/all.ts").count == 3)
        }
    }

    @Test("an origin that changes the version each time and never sends it whole is given up")
    func neverWhole() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .truncate(after: 500))
            fixture.origin.fault("/v/s0.ts", .changingETag)
            fixture.origin.fault("/v/s0.ts", .ignoreIfRange)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed)
            #expect(fixture.origin.requests(for: "/v/s0.ts").count < 40)
        }
    }

    @Test(
        "chunked bodies, and bodies that end with the connection, are stored whole",
        arguments: [
            OriginFault.chunked, .closeDelimited,
        ])
    func withoutLength(_ fault: OriginFault) async throws {
        try await download((fault, .max)) { try expectWhole($0, $1, $2) }
    }

    @Test("a body that ends with the connection and was cut is noticed by the container")
    func cutWithoutLength() async throws {
        try await download((.closeDelimited, 1), (.truncate(after: 700), 1)) { try expectWhole($0, $1, $2) }
    }
}
