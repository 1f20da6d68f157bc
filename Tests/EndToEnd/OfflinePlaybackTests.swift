import Testing

extension EndToEnd {
    /// Download, stop the origin, play: what the product is for, with the players that people use.
    @Suite("Playing with the origin gone", .timeLimit(.minutes(2)))
    struct OfflinePlaybackTests {
        @Test(
            "ffmpeg decodes every frame and every sample of the origin",
            .enabled(if: Players.runs(with: Players.ffmpeg), "ffmpeg is missing"), arguments: Shape.allCases)
        func ffmpegDecodesEverything(_ shape: Shape) async throws {
            let stream = try await Stream.of(shape)
            try await Product.playing(stream) { url in
                let video = try await Players.checksums(url, "v")
                let audio = try await Players.checksums(url, "a")
                #expect(video == stream.video)
                #expect(audio == stream.audio)
            }
        }

        @Test(
            "mpv shows every frame of the origin",
            .enabled(if: Players.runs(with: Players.mpv), "mpv is missing"), arguments: Shape.allCases)
        func mpvShowsEveryFrame(_ shape: Shape) async throws {
            let stream = try await Stream.of(shape)
            try await Product.playing(stream) { url in
                let shown = try await Players.mpvChecksums(url)
                #expect(shown == stream.video)
            }
        }
    }
}
