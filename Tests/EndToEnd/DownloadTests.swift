import Glibc
import Testing

extension EndToEnd {
    /// What holds while a download runs, and after the worst.
    @Suite("While a download runs", .timeLimit(.minutes(2)))
    struct DownloadTests {
        @Test("a player that starts before the last segment has left the origin gets every frame")
        func playsDuringTheDownload() async throws {
            let stream = try await Stream.of(.encrypted)
            let product = try Product()
            try await withOrigin(stream.folder, holding: "index6.ts") { origin in
                try await product.serving { base in
                    let token = try await product.download("\(origin.url)/\(stream.entry)", ["--detach"])
                    let player = try await Players.playing("\(base)/assets/\(token)/master.m3u8")
                    try origin.release()
                    let shown = Players.checksums(in: try await player.end())
                    #expect(shown == stream.video)
                }
            }
        }

        @Test(
            "an engine killed in the middle goes on after its restart, and every frame plays with the origin gone"
        )
        func goesOnAfterAKill() async throws {
            let stream = try await Stream.of(.transportStream)
            let product = try Product()
            let token = try await withOrigin(stream.folder, holding: "index2.ts") { origin in
                let (service, ready) = try await product.serve()
                let token = try await product.download("\(origin.url)/\(stream.entry)", ["--detach"])
                try await product.wait(for: token) { $0.progress > 0 }
                kill(ready.pid, SIGKILL)
                try await service.end()
                try origin.release()
                try await product.serving { _ in try await product.wait(for: token) { $0.state == "complete" }
                }
                return token
            }
            try await product.serving { base in
                let shown = try await Players.checksums("\(base)/assets/\(token)/master.m3u8", "v")
                #expect(shown == stream.video)
            }
        }

        @Test("an asset that is whole says so: playable offline, complete, with its subtitle languages")
        func saysThatItIsWhole() async throws {
            let stream = try await Stream.of(.demuxed)
            let product = try Product()
            let token = try await withOrigin(stream.folder) { origin in
                try await product.download("\(origin.url)/\(stream.entry)")
            }
            let playable = try await product.program().outcome(["playable", token])
            let asset = try await product.status(token)
            #expect(playable.status == 0)
            #expect(asset.state == "complete")
            #expect(asset.subtitle_languages.sorted() == ["de", "en", "ja"])
        }

        @Test("a token that no asset has ends with status 3, and an unreachable origin with status 1")
        func exitStatuses() async throws {
            let product = try Product()
            let unknown = try await product.program().outcome(["status", "01HZZZZZZZZZZZZZZZZZZZZZZZ"])
            let unreachable = try await product.program().outcome(["probe", "http://127.0.0.1:9/none.m3u8"])
            #expect(unknown.status == 3)
            #expect(unreachable.status == 1)
        }
    }
}
