import Foundation
import TestSupport

/// Real players, each with a report of the frames that it showed.
enum Players {
    static let ffmpeg = Program(name: "ffmpeg")
    static let mpv = Program(name: "mpv")
    static let chromium = Program(name: "chromium")

    /// Whether tests with `player` run: when it is there, and in CI always, so that a missing one is a failure.
    static func runs(with player: Program) -> Bool {
        player.isInstalled || ProcessInfo.processInfo.environment["CI"] != nil
    }

    /// The checksum of every decoded frame of the first video or audio stream, in order.
    static func checksums(_ input: String, _ stream: String) async throws -> [String] {
        let local = input.hasPrefix("http") ? [] : ["-allowed_extensions", "ALL"]
        return checksums(in: try await ffmpeg.run(local + decoding(input, stream)).output)
    }

    /// ffmpeg at the moment when it shows the first video frame of `input`; its output ends as `checksums(in:)` reads.
    static func playing(_ input: String) async throws -> Service {
        let eager = ["-analyzeduration", "500000", "-probesize", "20000"]
        return try await Service.start(ffmpeg, eager + decoding(input, "v"))
    }

    /// The checksum of every video frame that mpv showed. Frames are numbered anew, because mpv's file writer, not
    /// its player, stops at a discontinuity.
    static func mpvChecksums(_ url: String) async throws -> [String] {
        let folder = try TemporaryDirectory()
        try await mpv.run([
            "--no-config", "--no-terminal", "--no-audio", "--vf=lavfi=[setpts=N/25/TB]", "--of=framemd5",
            "--ovc=rawvideo", "--o=\(folder.file("frames"))", url,
        ])
        return checksums(in: String(decoding: try folder.read("frames"), as: UTF8.self))
    }

    /// The last column of ffmpeg's framemd5 format.
    static func checksums(in listing: String) -> [String] {
        listing.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The checksums of ffmpeg's decoded frames from `seconds` on; it plays to the end.
    static func frame(of input: String, at seconds: Double) async throws -> [String] {
        let local = input.hasPrefix("http") ? [] : ["-allowed_extensions", "ALL"]
        let outcome = try await ffmpeg.run(local + ["-ss", "\(seconds)"] + decoding(input, "v"))
        return checksums(in: outcome.output)
    }

    private static func decoding(_ input: String, _ stream: String) -> [String] {
        [
            "-nostdin", "-v", "error", "-i", input, "-map", "0:\(stream):0", "-flush_packets", "1", "-f",
            "framemd5", "-",
        ]
    }

    /// The report of a page in headless Chromium that played `url` to its end; `pages` serves the page.
    static func chromiumReport(_ url: String, pages: Origin) async throws -> Report? {
        let profile = try TemporaryDirectory()
        let browser = chromium.process([
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--autoplay-policy=no-user-gesture-required", "--disable-background-networking",
            "--user-data-dir=\(profile.path)", "\(pages.url)/player.html?src=\(url)",
        ])
        browser.standardOutput = FileHandle.nullDevice
        browser.standardError = FileHandle.nullDevice
        try await blocking { try browser.run() }
        let line = try await pages.service.nextLine()
        browser.terminate()
        try await blocking { [browser] in browser.waitUntilExit() }
        return line.flatMap(Report.init)
    }
}

/// The page's report: `outcome=ended&frames=150&seconds=6`.
struct Report: Equatable {
    let outcome: String
    let frames: Int
    let seconds: Int

    init(outcome: String, frames: Int, seconds: Int) {
        self.outcome = outcome
        self.frames = frames
        self.seconds = seconds
    }

    init?(_ line: String) {
        var fields: [String: String] = [:]
        for item in URLComponents(string: "?" + line)?.queryItems ?? [] { fields[item.name] = item.value }
        guard let outcome = fields["outcome"] else { return nil }
        self.outcome = outcome
        frames = fields["frames"].flatMap { Int($0) } ?? 0
        seconds = fields["seconds"].flatMap { Int($0) } ?? 0
    }
}
