import Foundation
import ModelTestSupport
package import TestSupport

/// A stream whose addresses hold a password and signatures, each of them another one.
package enum SignedStream {
    package static let password = "Passw0rd-5ecret"
    /// What all signatures have in common.
    package static let mark = "5igned"

    /// The ways in which they may be written down.
    package static var forms: [[UInt8]] {
        [password, mark].flatMap { secret -> [[UInt8]] in
            let bytes = Array(secret.utf8)
            let digits = bytes.map { String(format: "%02x", $0) }.joined()
            let base64 = (0..<3).map { offset -> String in
                // What stands around it moves its digits.
                let text = Data([UInt8](repeating: 0x20, count: offset) + bytes).base64EncodedString()
                return String(text.dropFirst(offset == 0 ? 0 : offset + 1).dropLast(4))
            }
            return [bytes, Array(digits.utf8), Array(digits.uppercased().utf8)]
                + base64.map { Array($0.utf8) }
        }
    }

    /// The files below a folder that hold one of them in some form.
    package static func traces(in folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return false }
            return forms.contains { bytes.range(of: Data($0)) != nil }
        }
    }

    /// Serves it at `/master.m3u8`: four segments that are encrypted, and subtitles.
    package static func serve(_ origin: OriginServer) {
        for number in 0..<4 {
            let clear = Media.ts(10, seed: UInt64(number))
            origin.serve(
                "/v/s\(number).ts",
                bytes: SampleMedia.encrypted(clear, key: Array(0..<16), number: number))
        }
        origin.serve("/v/k", bytes: Array(0..<16))
        origin.serve("/data.json", text: "{\"a\": 1}", contentType: "application/json")
        let segments = (0..<4).map { "s\($0).ts?sig=\(mark)-segment-\($0)&x=1" }
        origin.serve(
            "/v/index.m3u8",
            text: Playlists.media(segments, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"k?sig=\(mark)-key\"\n"))
        origin.serveSubtitles("/s")
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                "#EXT-X-DEFINE:NAME=\"auth\",VALUE=\"\(mark)-variable\"",
                "# made by http://someone:\(password)@127.0.0.1/tool?sig=\(mark)-comment",
                "#EXT-X-SESSION-DATA:DATA-ID=\"com.example\",URI=\"data.json?sig=\(mark)-data\"",
                Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8?sig=\(mark)-subtitles"),
                Playlists.variant(
                    "v/index.m3u8?sig=\(mark)-variant&v={$auth}", 900_000,
                    "RESOLUTION=640x360,SUBTITLES=\"s\"")))
    }

    /// Its address.
    package static func url(_ origin: OriginServer) -> String {
        "http://someone:\(password)@127.0.0.1:\(origin.port)/master.m3u8?sig=\(mark)-master"
    }
}
