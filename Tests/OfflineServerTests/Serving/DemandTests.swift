import AssetStore
import Foundation
import HTTPDaemon
import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import OfflineServer

/// Segments that a player asks for before their turn.
@Suite("Segments that are asked for before their turn", .fewAtOnce, .timeLimit(.minutes(2)))
struct DemandTests {
    private static let last = "/video/\(SampleStream.segments - 1).ts"

    /// Runs `body` with an asset whose download gets only the units in `answered`.
    private func withSlowAsset(
        answered: [String], _ configure: (inout SiteServer.Configuration) -> Void = { _ in },
        _ body: (Site, OriginServer, AssetToken) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        for name in SampleStream().files.keys where Self.isMedia(name) && !answered.contains("/\(name)") {
            origin.fault("/\(name)", .holdHeader)
        }
        try await withSite(configure) { site in
            let token = try await site.download(url)
            try await body(site, origin, token)
        }
        origin.stop()
    }

    private static func isMedia(_ name: String) -> Bool {
        ["ts", "m4s", "mp4", "vtt"].contains { name.hasSuffix(".\($0)") }
    }

    private func path(_ token: AssetToken, _ number: Int) -> String {
        "/assets/\(token)/video-360p/\(number).ts"
    }

    @Test("a segment that is not being fetched is fetched next, though all slots are taken")
    func next() async throws {
        try await withSlowAsset(answered: [Self.last]) { site, origin, token in
            try await eventually { origin.mediaRequests.count >= 6 }
            #expect(origin.requests(for: Self.last).isEmpty)
            let reply = try await site.get(path(token, SampleStream.segments - 1))
            #expect(reply.status == 200 && reply.isWhole)
            #expect(reply.body == SampleStream.video(SampleStream.segments - 1))
            #expect(origin.requests(for: Self.last).count == 1)
        }
    }

    @Test("an answer that was refused while the playlists were being read is made again once they have been")
    func whileResolving() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/master.m3u8", .holdHeader)
        try await withSite { site in
            let reply = try await site.post("/api/v1/assets", #"{"url": "\#(url)"}"#)
            let token = try #require(AssetToken(reply.object["token"] as? String ?? ""))
            #expect(try site.server.store.reader.isUnresolved(token))
            var isAgain = false
            let answer = await site.server.server.media.onceResolved(token) {
                if isAgain { return Response(status: .ok) }
                isAgain = true
                while origin.requests(for: "/master.m3u8").isEmpty {
                    try? await Task.sleep(for: .milliseconds(1))
                }
                origin.release()
                await site.server.store.intake.untilResolved(token, patience: .seconds(60))
                return Response(status: .serviceUnavailable)
            }
            #expect(answer.status == .ok)
            #expect(try !site.server.store.reader.isUnresolved(token))
        }
        origin.stop()
    }

    @Test("a player's request starts the download of an asset that waits for its turn")
    func playDriven() async throws {
        try await withSlowAsset(answered: [Self.last]) {
            $0.engine.maximumDownloads = 0
        } _: { site, origin, token in
            #expect(origin.mediaRequests.isEmpty)
            let reply = try await site.get(path(token, SampleStream.segments - 1))
            #expect(reply.body == SampleStream.video(SampleStream.segments - 1))
        }
    }

    @Test(
        "the last segment is served at every moment, also when it has just been stored and the asset becomes complete",
        arguments: ["video/0.ts", "video/0.ts?decrypt=1", "subtitles/en/0.vtt"]
    )
    func storedMeanwhile(_ path: String) async throws {
        let origin = try OriginServer()
        try await withSite { site in
            for round in 0..<12 {
                let token = try await site.download(publishShort("/\(round)", on: origin))
                let seen = try await withThrowingTaskGroup(of: Set<String>.self) { group in
                    for _ in 0..<4 { group.addTask { try await statuses(site, token, path) } }
                    return try await group.reduce(into: Set()) { $0.formUnion($1) }
                }
                #expect(seen == ["200"])
            }
        }
        origin.stop()
    }

    /// A stream of one segment with its subtitles; its address.
    private func publishShort(_ folder: String, on origin: OriginServer) -> String {
        origin.serve(
            "\(folder)/master.m3u8",
            text: """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="subs.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=100000,SUBTITLES="s"
                index.m3u8

                """)
        for (name, segment) in [("index", "0.ts"), ("subs", "0.vtt")] {
            origin.serve(
                "\(folder)/\(name).m3u8",
                text: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(segment)\n#EXT-X-ENDLIST\n")
        }
        origin.serve("\(folder)/0.ts", bytes: SampleStream.clearVideo(0))
        origin.serve("\(folder)/0.vtt", text: "WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n")
        return origin.url("\(folder)/master.m3u8")
    }

    /// The statuses of the answers to a player that asks for the only segment of an asset until the asset is
    /// complete; a failure comes with its detail.
    private func statuses(_ site: Site, _ token: AssetToken, _ path: String) async throws -> Set<String> {
        var statuses: Set<String> = []
        var isComplete = false
        while !isComplete {
            isComplete = try site.server.store.reader.requireAsset(token).state == .complete
            let reply = try await site.get("/assets/\(token)/\(path)")
            let words = reply.status == 200 ? "" : " \(String(decoding: reply.body, as: UTF8.self))"
            statuses.insert("\(reply.status)\(words)")
        }
        return statuses
    }

    @Test("any number of players of one segment, and the store, share one transfer")
    func shared() async throws {
        try await withSlowAsset(answered: []) { site, origin, token in
            let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await site.get(path(token, SampleStream.segments - 1)) }
                }
                try await eventually { !origin.requests(for: Self.last).isEmpty }
                return try await releasing(origin) {
                    var replies: [Reply] = []
                    for try await reply in group { replies.append(reply) }
                    return replies
                }
            }
            #expect(replies.allSatisfy { $0.body == SampleStream.video(SampleStream.segments - 1) })
            await releasing(origin) { await site.server.store.untilSettled(token) }
            #expect(origin.mediaIsAskedForOnce)
        }
    }

    @Test("an origin that falls silent in a segment that a player waits for holds up nothing else")
    func silence() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault(Self.last, .stall(after: 1000))
        let others = (0..<SampleStream.segments - 1).map { "/video/\($0).ts" }
        for other in others { origin.fault(other, .delay(milliseconds: 300)) }
        try await withSite { site in
            let token = try await site.download(url)
            let player = Task { try await site.get(path(token, SampleStream.segments - 1)) }
            try await eventually { others.allSatisfy { !origin.requests(for: $0).isEmpty } }
            // That transfer has not even been given up yet.
            #expect(origin.requests(for: Self.last).count == 1)
            try await releasing(origin) {
                let reply = try await player.value
                #expect(reply.isWhole)
            }
        }
        origin.stop()
    }

    @Test("an origin that is silent for long does not keep a player from its header section")
    func patience() async throws {
        try await withSlowAsset(answered: []) {
            $0.server.patience = .milliseconds(100)
        } _: { site, origin, token in
            let text = site.message("GET", path(token, 0), [:])
            let socket = try await blocking { [port = site.server.port] in
                let socket = try Socket(connectingTo: port)
                socket.send(Array(text.utf8))
                return socket
            }
            let head = try await blocking { socket.receive() }
            #expect(Reply(head).status == 200)
            #expect(Reply(head)["Transfer-Encoding"] == "chunked" && Reply(head)["Content-Length"] == nil)
            let reply = try await releasing(origin) {
                try await blocking {
                    var bytes = head
                    while case let next = socket.receive(), !next.isEmpty { bytes += next }
                    return Reply(bytes)
                }
            }
            #expect(reply.isWhole && reply.body == SampleStream.video(0))
        }
    }

    @Test(
        "an origin whose tries keep failing is told with its reason when the player's patience ends",
        arguments: ["", "?decrypt=1"])
    func failingTries(_ query: String) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        for name in SampleStream().files.keys where Self.isMedia(name) {
            origin.fault("/\(name)", .status(500))
        }
        try await withSite {
            $0.server.patience = .milliseconds(300)
            $0.engine.pause = { _ in try await Task.sleep(for: .seconds(60)) }
        } _: { site in
            let token = try await site.download(url)
            let reply = try await site.get(path(token, 0) + query)
            #expect(reply.status == 503 && reply["Retry-After"] == "2")
            #expect(query != "" || reply.text.contains("500"))
        }
        origin.stop()
    }

    @Test(
        "a segment that is needed whole before its first byte, and takes too long, is answered with 503 and Retry-After",
        arguments: ["audio-en/init-0.mp4?decrypt=1", "subtitles/subtitles-en/0.vtt"])
    func patienceForWholes(_ path: String) async throws {
        try await withSlowAsset(answered: []) {
            $0.server.patience = .milliseconds(100)
        } _: { site, origin, token in
            let reply = try await site.get("/assets/\(token)/\(path)")
            #expect(reply.status == 503 && reply["Retry-After"] != nil)
            await releasing(origin) { await site.server.store.untilSettled(token) }
            #expect(try await site.get("/assets/\(token)/\(path)").status == 200)
        }
    }

    @Test(
        "a segment that the origin refuses is answered with 503, the reason and Retry-After before the header section",
        arguments: [(404, "60"), (410, "60"), (403, "2")])
    func refused(_ status: Int, _ seconds: String) async throws {
        try await withSlowAsset(answered: [Self.last]) { site, origin, token in
            origin.fault(Self.last, .status(status))
            let reply = try await site.get(path(token, SampleStream.segments - 1))
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] == seconds)
            #expect((reply.object["detail"] as? String)?.contains("\(status)") == true)
            #expect(reply.object["token"] as? String == token.description)
        }
    }

    @Test(
        "pausing and cancelling end the requests that wait for the asset, with the reason",
        arguments: [AssetAction.pause, .cancel])
    func halted(_ action: AssetAction) async throws {
        try await withSlowAsset(answered: []) { site, origin, token in
            async let waiting = site.get(path(token, 0))
            try await eventually { !origin.requests(for: "/video/0.ts").isEmpty }
            try await site.server.store.perform(action, on: token)
            let reply = try await waiting
            #expect(reply.status == 503)
            #expect(
                (reply.object["detail"] as? String)?.contains(action == .pause ? "paused" : "cancelled")
                    == true)
        }
    }

    @Test("the server ends though players wait, and none of them takes a fragment for the whole")
    func stopped() async throws {
        let begun = Lock([Task<Reply, any Error>]())
        try await withSlowAsset(answered: []) { site, origin, token in
            origin.clearFaults(Self.last)
            origin.fault(Self.last, .stall(after: 1000))
            for number in [0, SampleStream.segments - 1] {
                let task = Task { try await site.get(path(token, number)) }
                begun.withLock { $0.append(task) }
            }
            try await eventually {
                origin.requests(for: Self.last).last?.bytesSent == 1000
                    && !origin.requests(for: "/video/0.ts").isEmpty
            }
        }
        for task in begun.withLock(\.self) {
            let reply = try await task.value
            #expect(reply.status == 503 || !reply.isWhole)
        }
    }

    @Test("removing the asset ends the wait for it")
    func removed() async throws {
        try await withSlowAsset(answered: []) { site, origin, token in
            async let waiting = site.get(path(token, 0))
            try await eventually { !origin.requests(for: "/video/0.ts").isEmpty }
            try await site.server.store.remove(token)
            #expect([404, 503].contains(try await waiting.status))
        }
    }
}

/// Players' requests for assets that are not downloading.
@Suite("Players and the origin of an asset that is not downloading", .fewAtOnce, .timeLimit(.minutes(2)))
struct FallbackTests {
    /// Runs `body` with an asset that failed because its origin has lost all of its video.
    private func withFailedAsset(
        _ fallback: OriginFallback, thenMetered: Bool = false,
        _ body: (Site, OriginServer, String) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        for number in 0..<SampleStream.segments { origin.fault("/video/\(number).ts", .status(403)) }
        let isMetered = Lock(false)
        try await withSite {
            $0.engine.originFallback = fallback
            $0.engine.isMetered = { isMetered.withLock { $0 } }
        } _: { site in
            let token = try await site.download(url)
            await site.server.store.untilSettled(token)
            isMetered.withLock { $0 = thenMetered }
            for number in 0..<SampleStream.segments { origin.clearFaults("/video/\(number).ts") }
            origin.forgetRequests()
            try await body(site, origin, "/assets/\(token)/video-360p/1.ts")
        }
        origin.stop()
    }

    @Test(
        "without fallback a missing segment is refused at once, with the reason, and the origin hears nothing"
    )
    func never() async throws {
        try await withFailedAsset(.never) { site, origin, path in
            let reply = try await site.get(path)
            #expect(reply.status == 503)
            #expect(reply["Retry-After"] != nil)
            #expect((reply.object["detail"] as? String)?.contains("failed") == true)
            #expect(origin.requests.isEmpty)
        }
    }

    @Test("on a metered connection the fallback for unmetered ones is off")
    func metered() async throws {
        try await withFailedAsset(.unmetered, thenMetered: true) { site, origin, path in
            let reply = try await site.get(path)
            #expect(reply.status == 503)
            #expect(origin.requests.isEmpty)
        }
    }

    @Test(
        "with fallback the segment is fetched and kept, and nothing else of the asset",
        arguments: [OriginFallback.unmetered, .always])
    func fetched(_ fallback: OriginFallback) async throws {
        try await withFailedAsset(fallback) { site, origin, path in
            let reply = try await site.get(path)
            #expect(reply.body == SampleStream.video(1))
            try await eventually { try await site.get(path)["Cache-Control"]?.contains("immutable") == true }
            #expect(origin.requests.map(\.path) == ["/video/1.ts"])
        }
    }
}
