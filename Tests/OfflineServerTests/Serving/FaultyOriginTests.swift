import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// An origin that fails in the middle of a segment that a player reads. The player gets the right bytes or a broken
/// connection; the stored bytes are right in the end.
@Suite("Faults of the origin in the middle of a segment", .fewAtOnce, .timeLimit(.minutes(2)))
struct FaultyOriginTests {
    /// How the answer fails that the player reads, and how the next one does.
    struct Trouble: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var first: [OriginFault] = [.truncate(after: 40000)]
        var then: [OriginFault] = []
        /// Whether the player must get the whole.
        var isHarmless = false
    }

    private static let stall = 30000
    private static let bytes = SampleStream.video(0)
    private static let page = "<!DOCTYPE html><html><body>Please log in</body></html>"

    private static let troubles: [Trouble] = [
        Trouble(testDescription: "cut off", isHarmless: true),
        Trouble(testDescription: "reset", first: [.reset(after: 40000)], isHarmless: true),
        Trouble(testDescription: "cut off twice", then: [.truncate(after: 5000)], isHarmless: true),
        Trouble(testDescription: "reset twice", then: [.reset(after: 5000)], isHarmless: true),
        Trouble(testDescription: "too short a length", first: [.contentLength("50001")]),
        Trouble(testDescription: "too long a length", first: [.contentLength("70000")]),
        Trouble(
            testDescription: "no length, chunked and cut off", first: [.chunked, .truncate(after: 40000)]),
        Trouble(testDescription: "a new ETag for the rest", then: [.changingETag]),
        Trouble(testDescription: "a new ETag in spite of If-Range", then: [.changingETag, .ignoreIfRange]),
        Trouble(testDescription: "no ETag for the rest", then: [.noValidators]),
        Trouble(testDescription: "500", then: [.status(500)], isHarmless: true),
        Trouble(testDescription: "503", then: [.status(503, headers: ["Retry-After: 1"])], isHarmless: true),
        Trouble(testDescription: "429", then: [.status(429, headers: ["Retry-After: 0"])], isHarmless: true),
        Trouble(testDescription: "403", then: [.status(403)]),
        Trouble(testDescription: "416", then: [.status(416)]),
        Trouble(testDescription: "204", then: [.status(204)]),
        Trouble(testDescription: "no ranges", then: [.ignoreRange]),
        Trouble(testDescription: "another range", then: [.contentRange("bytes 30000-55535/65536")]),
        Trouble(
            testDescription: "a range of another length", then: [.contentRange("bytes 40000-65535/70000")]),
        Trouble(testDescription: "a compressed rest", then: [.gzip]),
        Trouble(testDescription: "compressed from the beginning", first: [.gzip, .truncate(after: 40000)]),
        Trouble(
            testDescription: "a page", then: [.status(200, headers: ["Content-Type: text/html"], body: page)]),
        Trouble(testDescription: "no HTTP", then: [.raw("nonsense\r\n\r\n")]),
        Trouble(testDescription: "chunked", then: [.chunked], isHarmless: true),
        Trouble(testDescription: "closed at the end", then: [.closeDelimited], isHarmless: true),
    ]

    /// Runs `body` when a player reads a segment whose rest the origin holds back; afterwards the first answer
    /// continues.
    private func reading(
        _ first: [OriginFault], _ body: (Site, OriginServer, AssetToken, ReadResponse) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        for fault in [.stall(after: Self.stall)] + first { origin.fault("/video/0.ts", fault, times: 1) }
        try await withSite {
            $0.engine.pause = { _ in try Task.checkCancellation() }
        } _: { site in
            let token = try await site.download(url)
            let read = try await ReadResponse(of: "/assets/\(token)/video-360p/0.ts", site, until: 1)
            try await body(site, origin, token, read)
        }
        origin.stop()
    }

    /// The stored bytes at the end, after the failed download was resumed.
    private func stored(_ site: Site, _ token: AssetToken) async throws -> Reply {
        let store = site.server.store
        await store.untilSettled(token)
        if try store.reader.requireAsset(token).state == .failed {
            try await store.perform(.resume, on: token)
            await store.untilSettled(token)
        }
        return try await site.get("/assets/\(token)/video-360p/0.ts")
    }

    @Test(
        "the player gets the right bytes or a broken connection, and the right ones are stored",
        arguments: troubles)
    func faults(_ trouble: Trouble) async throws {
        try await reading(trouble.first) { site, origin, token, read in
            for fault in trouble.then { origin.fault("/video/0.ts", fault, times: 1) }
            let reply = try await releasing(origin) { try await read.rest() }
            #expect(reply.isWhole || !trouble.isHarmless)
            if reply.isWhole {
                let isRight = reply.body == Self.bytes
                #expect(isRight)
            } else {
                #expect(Self.bytes.starts(with: reply.body))
            }
            let after = try await releasing(origin) { try await stored(site, token) }
            let isRight = after.body == Self.bytes
            #expect(isRight)
            #expect(after["Cache-Control"]?.contains("immutable") == true)
        }
    }

    @Test("an origin that falls silent in the middle is left, and the player gets the rest from the next try")
    func silence() async throws {
        try await reading([]) { site, origin, token, read in
            let reply = try await read.rest()
            #expect(reply.isWhole)
            let isRight = reply.body == Self.bytes
            #expect(isRight)
            #expect(origin.requests(for: "/video/0.ts").last?.offset == Self.stall)
        }
    }

    @Test("a segment of subtitles that were given up has the reason, and the command to try again")
    func givenUp() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/text/1.vtt", .status(400))
        try await withSite { site in
            let token = try await site.download(url)
            await site.server.store.untilSettled(token)
            let reply = try await site.get("/assets/\(token)/subtitles-en/1.vtt")
            #expect(reply.status == 503 && reply["Retry-After"] != nil)
            let detail = try #require(reply.object["detail"] as? String)
            #expect(detail.contains("given up") && detail.contains("400") && detail.contains("repair"))
        }
        origin.stop()
    }
}
