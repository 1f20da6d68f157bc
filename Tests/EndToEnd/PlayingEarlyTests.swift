import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Players that open an asset in the first moment of its download, from an origin that is hardly fast enough.
    @Suite("From the first moment of a download", .timeLimit(.minutes(3)))
    struct PlayingEarlyTests {
        /// Runs `body` with an origin of 1.5 times the stream's bit rate, and an asset that has just been added.
        private func early(
            _ stream: Stream, allowing page: String? = nil,
            _ body: (String, OriginServer) async throws -> Void
        ) async throws {
            let origin = try OriginServer()
            origin.serve(folder: stream.folder.path)
            let media = try FileManager.default.contentsOfDirectory(atPath: stream.folder.path)
                .filter { $0.hasSuffix(".ts") }
            let sizes = try media.map { try Data(contentsOf: stream.folder.appending(path: $0)).count }
            for name in media {
                origin.fault("/\(name)", .rate(sizes.reduce(0, +) * 3 / 2 / stream.seconds))
                origin.fault("/\(name)", .delay(milliseconds: 40))
            }
            let product = try Product()
            try await product.serving(page.map { ["--allow-origin", $0] } ?? []) { base in
                let token = try await product.download(origin.url("/\(stream.entry)"), ["--detach"])
                try await body("\(base)/assets/\(token)/master.m3u8", origin)
                try await product.wait(for: token) { $0.state == "complete" }
                let sent = origin.requests.filter { $0.path.hasSuffix(".ts") }.map(\.bytesSent).reduce(0, +)
                #expect(sent == sizes.reduce(0, +), "no byte is fetched twice")
            }
            origin.stop()
        }

        @Test(
            "ffmpeg and mpv get every frame, and the origin sends every byte once",
            .enabled(if: Players.runs(with: Players.mpv), "mpv is missing"),
            arguments: [Shape.transportStream, .encrypted])
        func everyFrame(_ shape: Shape) async throws {
            let stream = try await Stream.of(shape)
            try await early(stream) { url, _ in
                async let decoded = Players.checksums(url, "v")
                async let shown = Players.mpvChecksums(url)
                let (frames, pictures) = try await (decoded, shown)
                #expect(frames == stream.video)
                #expect(pictures == stream.video)
            }
        }

        @Test(
            "a page in Chromium shows every frame",
            .enabled(if: Players.runs(with: Players.chromium), "chromium is missing"))
        func browser() async throws {
            let stream = try await Stream.of(.transportStream)
            try await withOrigin(supportFolder) { pages in
                try await early(stream, allowing: pages.url) { url, _ in
                    let report = try await Players.chromiumReport(url, pages: pages)
                    #expect(report?.outcome == "ended")
                    #expect(report?.frames == stream.video.count)
                }
            }
        }

        @Test("eight players at different positions get the origin's bytes")
        func manyPlaces() async throws {
            let stream = try await Stream.of(.transportStream)
            let source = stream.folder.appending(path: stream.entry).path
            let places = (0..<8).map { Double($0) * 0.4 }
            let wanted = try await frames(source, at: places)
            try await early(stream) { url, _ in
                let found = try await frames(url, at: places)
                #expect(found == wanted)
            }
        }

        /// The first frame that ffmpeg shows after a seek to each of these places, all at once.
        private func frames(_ input: String, at places: [Double]) async throws -> [[String]] {
            try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
                for (index, place) in places.enumerated() {
                    group.addTask { (index, try await Players.frame(of: input, at: place)) }
                }
                var found = Array(repeating: [String](), count: places.count)
                for try await (index, frame) in group { found[index] = frame }
                return found
            }
        }
    }
}
