import AssetStore
import Foundation
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("The missing part of an asset", .fewAtOnce, .timeLimit(.minutes(2)))
struct ShortfallTests {
    @Test("of its stream is named with its language when it begins, when it is complete, and in the status")
    func leftOut() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.remove("/text/en.m3u8")
        let program = try Program()
        let made = try await program.run("download", url)
        #expect(made.status == 0)
        #expect(made.errors.contains("left out: subtitles en (English): the origin answered 404"))
        #expect(made.errors.contains(": subtitles en (English) was left out: the origin answered 404"))
        #expect(made.errors.contains("complete, without subtitles en: "), "\(made.errors)")
        let token = String(made.output.prefix { $0 != " " })
        let advice = "; `offline-server add-tracks \(token) --subtitles en` tries it again\n"
        #expect(made.errors.contains(advice))
        let status = try await program.run("status", token).output
        #expect(status.contains("  lacks     subtitles en (English) was left out: the origin answered 404"))
        #expect(status.contains(advice))
        let object = try await program.run("status", token, "--json").object
        #expect((object["lost"] as? [String])?.first?.hasPrefix("subtitles en (English): ") == true)
        let problems = object["problems"] as? [[String: Any]] ?? []
        #expect(object["health"] as? String == "incomplete" && problems.count == 1)
        #expect(problems.first?["kind"] as? String == "rendition-lost")
        #expect(problems.first?["advice"] as? String == "add-tracks")
        #expect(status.components(separatedBy: "was left out").count == 2, "it is said once: \(status)")
        #expect(try await program.run("list").output.contains("complete, without subtitles en"))
        origin.clearFaults("/text/en.m3u8")
        SampleStream().publish(on: origin)
        let added = try await program.run("add-tracks", token, "--subtitles", "en")
        #expect(added.status == 0 && added.errors.contains("complete: "), "\(added.errors)")
        let whole = try await program.run("status", token, "--json").object
        #expect(whole["health"] as? String == "sound")
        origin.stop()
    }

    @Test("is named again when the download is requested again")
    func leftOutAgain() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.remove("/text/en.m3u8")
        let program = try Program()
        let made = try await program.run("download", url)
        let token = String(made.output.prefix { $0 != " " })
        let again = try await program.run("download", token, "--json")
        #expect((Outcome.object(again.lines[0])["lost"] as? [String])?.count == 1)
        origin.stop()
    }

    @Test("is named with its language, too, if it is a segment")
    func givenUp() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        for number in 0..<SampleStream.segments { origin.fault("/text/\(number).vtt", .status(400)) }
        let program = try Program()
        let made = try await program.run("download", url)
        #expect(made.errors.contains(": subtitles en (English) was given up: "), "\(made.errors)")
        let status = try await program.run("status").output
        #expect(status.contains("  lacks     subtitles en (English) was given up: "))
        #expect(status.contains("  subtitles-en: 0 of 4 segments, given up"))
        origin.stop()
    }

    @Test("that a repair can't fetch is named, with status 1, and is back when its file is put back")
    func unrepaired() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        let made = try await program.run("download", url)
        let token = String(made.output.prefix { $0 != " " })
        let path = program.store.file("assets/\(token)/subtitles-en/1.vtt")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        origin.fault("/text/1.vtt", .status(404))
        let lacking = try await program.run("verify", token)
        let cure = "`offline-server repair \(token)` fetches what is missing or damaged\n"
        #expect(lacking.status == 2 && lacking.output.hasSuffix(" files, damaged; \(cure)"))
        let got = try await program.run("subtitles", "get", token, "en")
        #expect(got.status == 0 && got.errors.contains("lacks segments (`offline-server repair \(token)`"))
        let repaired = try await program.run("repair", token)
        #expect(repaired.status == 1 && repaired.errors.contains("subtitles en"), "\(repaired.errors)")
        try bytes.write(to: URL(fileURLWithPath: path))
        let again = try await program.run("repair", token)
        #expect(again.status == 0 && again.errors.contains("complete: "), "\(again.errors)")
        #expect(try await program.run("verify", token).output.hasSuffix(", sound\n"))
        try FileManager.default.removeItem(atPath: path)
        #expect(try await program.run("verify", token).status == 2)
        try bytes.write(to: URL(fileURLWithPath: path))
        let verified = try await program.run("verify", token)
        #expect(verified.output.contains("subtitles-en/1.vtt: put back, and served again\n"))
        #expect(verified.output.hasSuffix(", sound\n"))
        origin.stop()
    }

    @Test("is named after the download and in the status, with the commands that bring its keys")
    func keys() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.remove("/video/clip.key")
        let program = try Program()
        let made = try await program.run("download", url, "--allow-missing-key")
        #expect(made.status == 0 && made.errors.contains("complete, key missing: "))
        let token = String(made.output.prefix { $0 != " " })
        let sentence =
            "a content key is missing, so that it does not play; "
            + "`offline-server license renew \(token)` asks for it again, "
            + "`offline-server key add \(token) ID:KEY` adds one that you have (`key list` shows its ID)"
        #expect(made.errors.contains(": \(sentence)\n"), "\(made.errors)")
        #expect(!made.errors.contains("` plays it"))
        #expect(try await program.run("status", token).output.contains("  problem   \(sentence)\n"))
        origin.serve("/video/clip.key", bytes: SampleStream.key)
        #expect(try await program.run("license", "renew", token).status == 0)
        let status = try await program.run("status", token).output
        #expect(!status.contains("  problem  ") && !status.contains("  lacks  "))
        origin.stop()
    }

    @Test("of its keys is not sound for any command, until a key is given by the ID that is listed")
    func givenKey() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.remove("/video/clip.key")
        let program = try Program()
        let made = try await program.run("download", url, "--allow-missing-key")
        let token = String(made.output.prefix { $0 != " " })
        let key = SampleStream.key.map { String(format: "%02x", $0) }.joined()
        let foreign = String(repeating: "f", count: 32)
        let added = try await program.run("key", "add", token, "\(foreign):\(key)")
        #expect(added.status == 0 && added.errors.contains("a content key is missing"), "\(added.errors)")
        #expect(try await program.run("playable", token).status == 2)
        let verified = try await program.run("verify", token)
        #expect(verified.output.hasSuffix(", as stored; complete, key missing\n"), "\(verified.output)")
        let list = try await program.run("key", "list", token).output
        #expect(list.contains(#/k0 +no /#))
        let other = try await program.run("key", "add", token, "k7:\(key)")
        #expect(other.status == 1 && other.errors.contains("k0"), "\(other.errors)")
        #expect(try await program.run("key", "add", token, "k0:\(key)").status == 0)
        #expect(try await program.run("playable", token).status == 0)
        #expect(try await program.run("verify", token).output.hasSuffix(", sound\n"))
        origin.stop()
    }

    @Test("has no command to be copied that the stream could have written")
    func hostile() {
        let token = AssetToken(at: Timestamp(milliseconds: 1))
        let lost = LostStream(kind: "audio", language: "en; rm -rf ~", reason: "gone")
        #expect(HealthReport.sentence(lost, of: token) == "audio en; rm -rf ~ was left out: gone")
        let variant = LostStream(kind: "variant", resolution: "640x360", bandwidth: 899_600, reason: "gone")
        #expect(
            HealthReport.sentence(variant, of: token)
                == "variant 640x360 (900 kbit/s) was left out: gone; "
                + "`offline-server add-tracks \(token) --max-bitrate 899600` tries it again")
    }
}
