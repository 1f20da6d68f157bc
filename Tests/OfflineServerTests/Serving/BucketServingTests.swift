import AssetStore
import Foundation
import ObjectStorage
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "A server whose media are in a bucket", .enabled(if: ObjectServer.Engine.moto.runs), .serialized,
    .timeLimit(.minutes(4)))
struct BucketServingTests {
    /// Has the file with the credentials.
    private let own: TemporaryDirectory

    init() throws { own = try TemporaryDirectory() }

    /// The options of `serve` for a bucket.
    private func options(_ bucket: ObjectServer) throws -> [String] {
        let text =
            "[default]\naws_access_key_id = \(bucket.accessKey)\n"
            + "aws_secret_access_key = \(bucket.secretKey)\n"
        let file = try own.write(Array(text.utf8), to: "credentials")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return [
            "--media", "s3://\(bucket.bucket)/films", "--s3-endpoint", bucket.endpoint, "--s3-credentials",
            file, "--cache-size", "1G",
        ]
    }

    private func start(_ program: Program, _ options: [String]) async throws -> RunningProgram {
        try await program.start(["serve", "--json", "--listen", "127.0.0.1:0"] + options)
    }

    private func get(_ path: String, _ port: UInt16) async throws -> Reply {
        try await blocking {
            let client = try RawHTTPClient(port: port)
            client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
            return Reply(client.readToEnd())
        }
    }

    private func add(_ url: String, _ port: UInt16) async throws -> String {
        let reply = try await blocking {
            let client = try RawHTTPClient(port: port)
            let body = #"{"url": "\#(url)"}"#
            client.send(
                "POST /api/v1/assets HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return Reply(client.readToEnd())
        }
        return try #require(reply.object["token"] as? String)
    }

    private func untilComplete(_ token: String, _ port: UInt16) async throws {
        while try await get("/api/v1/assets/\(token)", port).object["state"] as? String != "complete" {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Deletes the media files of an asset; its playlists stay.
    private func loseFiles(_ token: String, _ program: Program) throws {
        let root = program.store.file("assets/\(token)")
        for path in FileManager.default.enumerator(atPath: root) ?? .init() {
            guard let path = path as? String, path.hasSuffix(".ts") || path.hasSuffix(".aac") else {
                continue
            }
            try FileManager.default.removeItem(atPath: "\(root)/\(path)")
        }
    }

    @Test("plays media that its folder has lost, and answers 503 with Retry-After when the bucket is away")
    func plays() async throws {
        let (bucket, origin, program) = (try ObjectServer(faults: (0, 0)), try OriginServer(), try Program())
        let server = try await start(program, try options(bucket))
        let port = try Program.Ready(await server.line(0)).port
        let token = try await add(SampleStream().publish(on: origin), port)
        try await untilComplete(token, port)
        try loseFiles(token, program)
        // A response of a moment ago stays in memory for another half a second.
        let path = "/assets/\(token)/video-360p/0.ts"
        try bucket.setFaults("away", share: 1)
        let refused = try await get(path, port)
        #expect(refused.status == 503 && refused["Retry-After"] != nil)
        try bucket.setFaults("all", share: 0)
        let whole = try await get(path, port)
        #expect(whole.status == 200 && whole.isWhole && whole.body == SampleStream.video(0))
        try bucket.setFaults("away", share: 1)
        #expect(try await get(path, port).body == SampleStream.video(0))
        #expect(try await get("/assets/\(token)/video-360p/1.ts", port).status == 503)
        let playable = try await program.run("playable", token)
        #expect(playable.output.hasPrefix("plays without its origin, while s3://"), "\(playable.output)")
        try await server.stop()
        origin.stop()
    }

    @Test(
        "verifies the objects of the bucket, counts them, and restores lost objects from its copies")
    func verifies() async throws {
        let (bucket, origin, program) = (try ObjectServer(), try OriginServer(), try Program())
        let server = try await start(program, try options(bucket))
        let port = try Program.Ready(await server.line(0)).port
        let token = try await add(SampleStream().publish(on: origin), port)
        try await untilComplete(token, port)
        let sound = try await program.run("verify")
        #expect(sound.status == 0 && sound.output.contains(" objects read from s3://media/films/), sound\n"))
        origin.stop()
        let client = S3Client(
            try S3Location("s3://\(bucket.bucket)/films", endpoint: bucket.endpoint),
            credentials: S3Credentials(accessKey: bucket.accessKey, secretKey: bucket.secretKey),
            loop: try S3Client.makeLoop())
        for number in [0, 1] {
            let key = try #require(
                try await client.list("\(token)/video-360p/\(number).ts").objects.first?.key)
            if number == 0 { try await client.delete(key) } else { try await client.put([1, 2, 3], to: key) }
        }
        let damaged = try await program.run("verify", token)
        #expect(damaged.status == 2, "\(damaged.errors)")
        #expect(damaged.output.contains("/video-360p/0.ts: missing in the bucket; the copy here is sound\n"))
        #expect(damaged.output.contains("/video-360p/1.ts: damaged in the bucket; the copy here is sound\n"))
        #expect(damaged.output.contains("repair \(token)` restores it in the bucket from the copies here"))
        #expect(try await program.run("list").output.contains("complete, damaged"))
        let repaired = try await program.run("repair", token)
        #expect(repaired.status == 0, "\(repaired.errors)")
        #expect(try await program.run("verify", "--json").array.first?["sound"] as? Bool == true)
        try loseFiles(token, program)
        #expect(try await get("/assets/\(token)/video-360p/0.ts", port).body == SampleStream.video(0))
        try await server.stop()
    }

    @Test("shows in doctor whether its bucket can be reached, and in its log why downloads wait")
    func doctor() async throws {
        let (bucket, origin, program) = (try ObjectServer(faults: (0, 0)), try OriginServer(), try Program())
        let options = try options(bucket)
        let server = try await start(program, options)
        let port = try Program.Ready(await server.line(0)).port
        let first = try await add(SampleStream().publish(on: origin), port)
        try await untilComplete(first, port)
        let fine = try await program.run("doctor")
        #expect(fine.output.contains("ok     bucket: s3://media/films/ can be reached\n"), "\(fine.output)")
        try bucket.setFaults("away", share: 1)
        let away = try await program.run("doctor")
        #expect(
            away.status == 1 && away.output.contains("wrong  bucket: s3://media/films/ can't be used for now")
        )
        let waiting = try await add(SampleStream().publish(on: origin) + "?again", port)
        try await eventually {
            try await get("/api/v1/assets/\(waiting)", port).object["reason"] as? String == "bucket"
        }
        try bucket.setFaults("all", share: 0)
        try await untilComplete(waiting, port)
        let outcome = try await server.stop()
        #expect(
            outcome.errors.contains("the bucket of the store's media can't be used for now; downloads wait"))
        let unknown = try await program.run("doctor")
        #expect(
            unknown.status == 1
                && unknown.output.contains("or start the engine with --media s3://media/films/"))
        try program.store.write(Array(try config(bucket, options).utf8), to: "config.json")
        #expect(
            try await program.run("doctor").output.contains(
                "ok     bucket: s3://media/films/ can be reached\n"))
        origin.stop()
    }

    /// The settings that stand for the options.
    private func config(_ bucket: ObjectServer, _ options: [String]) throws -> String {
        let credentials = try #require(options.firstIndex(of: "--s3-credentials"))
        return """
            {"media": {"url": "s3://\(bucket.bucket)/films", "endpoint": "\(bucket.endpoint)",
                       "credentials": "\(options[credentials + 1])", "cache_size": "1G"}}
            """
    }

    @Test("exports a folder of media that are in the bucket alone, with and without a server")
    func exports() async throws {
        let (bucket, origin, program) = (try ObjectServer(faults: (0, 0)), try OriginServer(), try Program())
        let options = try options(bucket)
        let server = try await start(program, options)
        let port = try Program.Ready(await server.line(0)).port
        let token = try await add(SampleStream().publish(on: origin), port)
        try await untilComplete(token, port)
        origin.stop()
        let folder = try TemporaryDirectory()
        for name in ["with", "without"] {
            try loseFiles(token, program)
            let outcome = try await program.run("export", token, folder.file(name))
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try folder.read("\(name)/video-360p/0.ts") == SampleStream.video(0))
            guard name == "with" else { continue }
            try loseFiles(token, program)
            try bucket.setFaults("away", share: 1)
            // A response of a moment ago stays in memory for another half a second.
            try await Task.sleep(for: .seconds(1))
            let away = try await program.run("export", token, folder.file("away"))
            #expect(
                away.status == 1 && away.errors.contains("could not be read from the server: "),
                "\(away.errors)")
            try bucket.setFaults("all", share: 0)
            try await server.stop()
            let refused = try await program.run("export", token, folder.file("refused"))
            #expect(refused.status != 0 && refused.errors.contains("write `media` into config.json"))
            try program.store.write(Array(try config(bucket, options).utf8), to: "config.json")
        }
    }

    @Test("is not started with incomplete settings, and names the remedy")
    func refusals() async throws {
        let (bucket, program) = (try ObjectServer(), try Program())
        let options = try options(bucket)
        let wrong = try await program.run(
            ["serve", "--listen", "127.0.0.1:0"]
                + options.map { $0.hasPrefix("s3:") ? "s3://nobody/films" : $0 })
        #expect(wrong.status != 0 && wrong.errors.contains("has no bucket nobody; create it"))
        let lacking = try await program.run("serve", "--media", "s3://media/films")
        #expect(lacking.status != 0 && lacking.errors.contains("--s3-endpoint"))
        let (other, origin) = (try Program(), try OriginServer())
        let server = try await start(other, options)
        let port = try Program.Ready(await server.line(0)).port
        try await untilComplete(try await add(SampleStream().publish(on: origin), port), port)
        try await server.stop()
        let without = try await other.run("serve", "--listen", "127.0.0.1:0")
        #expect(
            without.status != 0 && without.errors.contains("start the engine with --media s3://media/films"))
        origin.stop()
    }

    @Test(
        "loses nothing that it has acknowledged when it is killed, and leaves nothing that is not collected")
    func kills() async throws {
        let rounds = Int(ProcessInfo.processInfo.environment["S3_ROUNDS"] ?? "") ?? 5
        let (bucket, origin, program) = (try ObjectServer(), try OriginServer(), try Program())
        let options = try options(bucket)
        let url = SampleStream().publish(on: origin)
        origin.limitLine(bytesPerSecond: 300_000)
        var tokens: [String] = []
        for round in 0..<rounds {
            let server = try await start(program, options)
            let ready = try Program.Ready(await server.line(0))
            tokens.append(try await add("\(url)?round=\(round)", ready.port))
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...900)))
            kill(ready.pid, SIGKILL)
            _ = try await server.end()
        }
        origin.limitLine(bytesPerSecond: 100_000_000)
        let server = try await start(program, options)
        let port = try Program.Ready(await server.line(0)).port
        for token in tokens {
            try await untilComplete(token, port)
            try loseFiles(token, program)
            let reply = try await get("/assets/\(token)/video-360p/0.ts", port)
            #expect(reply.isWhole && reply.body == SampleStream.video(0))
        }
        try await server.stop()
        try await expectNoOrphans(bucket, program)
    }

    /// After a collection the bucket has one object for each stored unit, and each can be had.
    private func expectNoOrphans(_ bucket: ObjectServer, _ program: Program) async throws {
        let credentials = S3Credentials(accessKey: bucket.accessKey, secretKey: bucket.secretKey)
        let location = try S3Location("s3://\(bucket.bucket)/films", endpoint: bucket.endpoint)
        var configuration = OfflineStore.Configuration()
        configuration.media = BucketMedia.Settings(location, credentials: credentials, cacheSize: 1 << 30)
        let store = try OfflineStore(root: FilePath(program.store.path), configuration: configuration)
        let media = try #require(store.bucket)
        try await media.collect(olderThan: -60)
        var units = 0
        for asset in try store.reader.assets() {
            for row in try store.catalog.renditions.all(of: [asset.token])[asset.token] ?? [] {
                units += try store.catalog.units.all(of: row.id, states: [.stored]).count
            }
            #expect(try await store.repairer.verify(asset.token).damaged.isEmpty)
        }
        let client = S3Client(location, credentials: credentials, loop: try S3Client.makeLoop())
        var (count, after) = (0, String?.none)
        repeat {
            let page = try await client.list(after: after)
            (count, after) = (count + page.objects.count, page.next)
        } while after != nil
        #expect(count == units && units > 0)
        await store.stop()
    }
}
