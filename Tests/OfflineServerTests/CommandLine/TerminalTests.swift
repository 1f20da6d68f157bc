import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("On a terminal", .fewAtOnce, .timeLimit(.minutes(2)))
struct TerminalTests {
    /// script(1) of util-linux runs a command on a terminal of its own.
    private static let onTerminal = ["sh", "-c", #"exec script -qefc "$*" /dev/null"#, "sh"]

    @Test("texts of a stream do not run into the progress bar, and the bar continues below")
    func choice() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        // The bar is drawn before the renditions of the stream are known.
        origin.fault("/master.m3u8", .delay(milliseconds: 800))
        origin.serve("/none.m3u8", text: "")
        let program = try Program()
        let running = try await program.start(
            ["download", url, origin.url("/none.m3u8")], under: Self.onTerminal)
        let outcome = try await running.end()
        let lines = outcome.output.replacing("\r\n", with: "\n").split(separator: "\n")
        let line = try #require(lines.first { $0.contains("640x360") })
        #expect(line.contains("\u{1B}[K"), "the bar was drawn before")
        #expect(outcome.output.contains("░░░░"), "a terminal that tells no width has a usual one")
        let visible = line.components(separatedBy: "\u{1B}[K").last
        #expect(visible == "127.0.0.1: 640x360 300 kbit/s; audio en; subtitles en")
        origin.stop()
    }
}
