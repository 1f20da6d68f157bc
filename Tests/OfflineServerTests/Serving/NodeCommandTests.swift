import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "Commands on a machine whose node stands by",
    .enabled(if: PostgresServer.runs && ObjectServer.Engine.moto.runs), .serialized, .timeLimit(.minutes(5)))
struct NodeCommandTests {
    @Test("get the subtitles and the media that are in the bucket, and leave none in the node's folder")
    func media() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        try await first.untilComplete(token)
        let wanted = try await pair.one.run("subtitles", "get", "\(token)", "en")
        let got = try await pair.two.run("subtitles", "get", "\(token)", "en")
        #expect(got.status == 0 && got.output == wanted.output && got.output.contains("-->"))
        #expect(got.errors.isEmpty, "\(got.errors)")
        let folder = try TemporaryDirectory()
        let exported = try await pair.two.run("export", "\(token)", folder.file("film"))
        #expect(exported.status == 0, "\(exported.errors)")
        for (path, bytes, _) in SampleStream.served {
            #expect(try folder.read("film/\(path)") == bytes, "\(path)")
        }
        let left = FileManager.default.enumerator(atPath: pair.two.store.file("assets"))?.allObjects ?? []
        #expect(
            !left.contains { ["ts", "vtt", "part"].contains(URL(filePath: "\($0)").pathExtension) }, "\(left)"
        )
        for node in [first, second] { try await node.kill() }
        pair.origin.stop()
    }

    @Test("get the subtitles of a user's file on each node, and export these, too")
    func ownSubtitles() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        try await first.untilComplete(token)
        let folder = try TemporaryDirectory()
        let file = try folder.write(
            Array("1\n00:00:01,000 --> 00:00:02,000\nGuten Tag\n".utf8), to: "film.srt")
        let added = try await pair.one.run("add-tracks", "\(token)", "--subtitle-file", "\(file):de")
        #expect(added.status == 0, "\(added.errors)")
        for (name, program) in [("one", pair.one), ("two", pair.two)] {
            let got = try await program.run("subtitles", "get", "\(token)", "de")
            #expect(
                got.status == 0 && got.output.contains("Guten Tag") && got.errors.isEmpty, "\(got.errors)")
            let exported = try await program.run("export", "\(token)", folder.file(name))
            #expect(exported.status == 0, "\(exported.errors)")
            #expect(
                try String(decoding: folder.read("\(name)/subtitles-de/0.vtt"), as: UTF8.self).contains("Tag")
            )
        }
        let left = FileManager.default.enumerator(atPath: pair.two.store.file("assets"))?.allObjects ?? []
        #expect(
            !left.contains { ["ts", "vtt", "srt"].contains(URL(filePath: "\($0)").pathExtension) }, "\(left)")
        for node in [first, second] { try await node.kill() }
        pair.origin.stop()
    }

    /// The detail of a finding of `doctor`, and whether it is fine.
    private func finding(_ check: String, of outcome: Outcome) throws -> (isFine: Bool, detail: String) {
        let found = outcome.array.first { $0["check"] as? String == check }
        return (found?["ok"] as? Bool ?? false, found?["detail"] as? String ?? "")
    }

    @Test(
        "find the bucket fine that only the server was told of, and check one that is named for a new store")
    func doctor() async throws {
        let pair = try NodePair()
        let early = try await pair.one.run(
            ["doctor", "--cluster", "--json", "--catalog", pair.database, "--media", "s3://no-such/films"]
                + pair.media.dropFirst(2))
        #expect(try finding("bucket", of: early).detail.contains("no-such"), "\(early.output)")
        let (first, second) = try await pair.startBoth()
        for program in [pair.one, pair.two] {
            let outcome = try await program.run("doctor", "--cluster", "--json")
            #expect(try finding("bucket", of: outcome).isFine, "\(outcome.output)")
        }
        for node in [first, second] { try await node.kill() }
    }

    @Test("show the download of another machine while the own server is down")
    func elsewhere() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        pair.origin.fault("/video/2.ts", .holdHeader)
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        try await second.kill()
        try await eventually {
            let asset = try await pair.two.run("status", "\(token)", "--json").object
            return asset["state"] as? String == "downloading" && asset["reason"] is NSNull
        }
        #expect(try await pair.two.run("list", "--state", "downloading").output.contains("\(token)"))
        try await first.kill()
        pair.origin.release()
        pair.origin.stop()
    }

    @Test(
        "stay those of the node's store when it was refused by another one, for its bucket, its access to that or its key"
    )
    func refused() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        try await first.untilComplete(token)
        try await second.kill()
        var media = pair.media
        media[1] = "s3://\(pair.bucket.bucket)/others"
        let other = try await pair.two.run(
            ["serve", "--listen", "127.0.0.1:0", "--catalog", pair.database] + media)
        #expect(other.status == 1 && other.errors.contains("\(pair.bucket.bucket)/films"), "\(other.errors)")
        let credentials = pair.two.store.file("s3")
        let text = "[default]\naws_access_key_id = \(pair.bucket.accessKey)\naws_secret_access_key = wrong\n"
        try NodePair.writeSecret(Array(text.utf8), to: credentials)
        let denied = try await pair.two.run(
            ["serve", "--listen", "127.0.0.1:0", "--catalog", pair.database] + pair.media.dropLast()
                + [credentials])
        #expect(denied.status == 1 && denied.errors.contains("secret"), "\(denied.errors)")
        // Another store, whose key is not this node's.
        let stranger = try NodePair()
        let owner = try await stranger.start(stranger.one)
        try await owner.untilActive()
        let foreign = try await pair.two.run(
            ["serve", "--listen", "127.0.0.1:0", "--catalog", stranger.database] + stranger.media)
        #expect(foreign.status == 1 && foreign.errors.contains("store.key"), "\(foreign.errors)")
        #expect(try await pair.two.run("list").output.contains("\(token)"))
        try FileManager.default.removeItem(atPath: pair.two.store.file("store.key"))
        let key = try await pair.two.run("key", "public")
        #expect(key.status == 1 && key.errors.contains("copy the file from another node"), "\(key.errors)")
        for node in [first, owner] { try await node.kill() }
        pair.origin.stop()
    }
}
