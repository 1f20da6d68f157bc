import AssetFiles
import AssetStore
import Foundation
import Locking
import TestSupport
import Testing

@testable import OfflineServer

/// The ways of requests through the program, as `docs/corridors` draws them.
@Suite("The way of a request", .fewAtOnce, .timeLimit(.minutes(2)))
struct CorridorTests {
    /// The trace points with one of these subjects, in order.
    private final class Walk: Sendable {
        private let points = Lock<[Trace.Point]>([])

        /// Listens while `body` runs.
        func during(_ body: () async throws -> Void) async throws {
            let number = Trace.listen { point in self.points.withLock { $0.append(point) } }
            defer { Trace.forget(number) }
            try await body()
        }

        func steps(_ isOfRequest: (Trace.Point) -> Bool) -> [TraceStep] {
            points.withLock { $0.filter(isOfRequest).map(\.step) }
        }

        func steps(of token: AssetToken) -> [TraceStep] { steps { $0.subject.contains("\(token)") } }
    }

    /// Checks that a request has passed each step of a corridor once, in order.
    private func expect(_ walked: [TraceStep], along corridor: Corridor) {
        let known = Set(corridor.steps + corridor.beside)
        let walked = walked.filter(known.contains)
        #expect(walked.filter(corridor.steps.contains) == corridor.steps)
        #expect(walked.filter(corridor.beside.contains) == corridor.beside)
    }

    @Test("a segment that is not stored passes each step once, from the token to the disk")
    func segment() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let walk = Walk()
        var path = ""
        try await withSite {
            $0.engine.originFallback = .always
        } _: { site in
            for number in 1..<SampleStream.segments { origin.fault("/video/\(number).ts", .status(403)) }
            let token = try await site.download(url)
            await site.server.store.untilSettled(token)
            for number in 1..<SampleStream.segments { origin.clearFaults("/video/\(number).ts") }
            path = "\(token)/video-360p/1"
            try await walk.during {
                let reply = try await site.get("/assets/\(path).ts")
                #expect(reply.body == SampleStream.video(1))
                let name = UnitName.segment(1)
                try await eventually {
                    let unit = try site.server.store.reader.media.unit(
                        token, "video-360p", named: name, extension: "ts", counts: false)
                    if case .stored = unit { return true }
                    return false
                }
            }
            let walked = walk.steps(of: token)
            // The test looks at the segment itself until it is stored.
            let first = walked.enumerated().filter { $1 != .unit || walked.firstIndex(of: .unit) == $0 }
            expect(first.map(\.element), along: .segment)
        }
        origin.stop()
    }

    @Test("a download passes each step once, from the address to the last segment")
    func download() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let walk = Walk()
        try await withSite { site in
            try await walk.during {
                let token = try await site.server.store.intake.add(AssetRequest(url: url)).token
                await site.server.store.untilSettled(token)
                // The steps of one segment stand for those of the others.
                let segment = [
                    "\(token)/video-360p/0", "\(token)/video-360p/0.ts", "\(token)/video-360p/.0.ts.part",
                ]
                let walked = walk.steps { point in
                    point.subject == "\(token)" || segment.contains(point.subject) || point.subject == url
                }
                expect(walked, along: .download)
            }
        }
        origin.stop()
    }

    @Test("a content key passes each step once, from the token to the vault")
    func key() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let walk = Walk()
        try await withSite { site in
            let token = try await site.download(url)
            await site.server.store.untilSettled(token)
            // The index of the samples needs the key, too.
            await site.server.server.indexer.finish()
            try await walk.during {
                let reply = try await site.get("/assets/\(token)/keys/k0.key")
                #expect(reply.status == 200)
            }
            expect(walk.steps(of: token), along: .key)
        }
        origin.stop()
    }

    @Test("a removed listener is not called any more")
    func forgotten() async throws {
        let count = Lock(0)
        let number = Trace.listen { _ in count.withLock { $0 += 1 } }
        Trace.pass(.key, "of nothing else")
        Trace.forget(number)
        let before = count.withLock(\.self)
        Trace.pass(.key, "of nothing else")
        #expect(before >= 1 && count.withLock(\.self) == before)
    }

    @Test("the pictures of the docs are those that the code draws")
    func pictures() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
            .standardized
        let script = Process()
        script.executableURL = root.appending(path: "scripts/draw-corridors")
        script.arguments = ["--check"]
        try script.run()
        script.waitUntilExit()
        #expect(script.terminationStatus == 0)
    }
}
