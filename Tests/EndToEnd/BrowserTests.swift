import Testing

/// Beside the other end-to-end tests, not among them: a browser mostly waits for its clock.
@Suite("In a browser, with the origin gone", .serialized, .timeLimit(.minutes(2)))
struct BrowserTests {
    @Test(
        "a page in Chromium plays to the end and shows every frame",
        .enabled(if: Players.runs(with: Players.chromium), "chromium is missing"),
        arguments: Shape.allCases)
    func chromiumPlaysToTheEnd(_ shape: Shape) async throws {
        let stream = try await Stream.of(shape)
        try await withOrigin(supportFolder) { pages in
            try await Product.playing(stream, allowing: pages.url) { url in
                let report = try await Players.chromiumReport(url, pages: pages)
                #expect(
                    report
                        == Report(outcome: "ended", frames: stream.video.count, seconds: stream.seconds))
            }
        }
    }
}
