import TestSupport
import Testing

@testable import OfflineServer

@Suite("A download that no command waits for", .fewAtOnce, .timeLimit(.minutes(2)))
struct DetachedDownloadTests {
    private static let note = "no server runs on this store"

    @Test("is noted as waiting if no server runs, and other commands leave it alone")
    func alone() async throws {
        let (origin, program) = (try OriginServer(), try Program())
        let url = SampleStream().publish(on: origin)
        let outcome = try await program.run("download", url, "--detach")
        #expect(outcome.status == 0 && outcome.errors.contains(Self.note), "\(outcome.errors)")
        let folder = try TemporaryDirectory()
        _ = try EncodedStream.sound.write(to: folder)
        #expect(try await program.run("import", folder.path).status == 0)
        let states = try await program.run("list", "--json").array.map { $0["state"] as? String }
        #expect(states == ["complete", "queued"])
        // Commands that need a server begin no downloads.
        let sound = try #require(await program.run("list", "--json").array.first?["token"] as? String)
        let exported = try await program.run("export", sound, folder.file("sound.m4a"))
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try await program.run("status", "--json").output.contains("queued"))
        #expect(origin.mediaRequests.isEmpty)
        let again = try await program.run("download", url, "--next", "1", "--detach")
        let told = "nothing to download: the stream was requested before\n"
        #expect(again.status == 0 && again.output.isEmpty && again.errors.contains(told), "\(again.errors)")
        // The first one counts, and the second one is new.
        let list = ["download", url, url + "?2", "--detach", "--next"]
        let enough = try await program.run(list + ["1"])
        let one = "1 of the 2 streams is stored or being downloaded, or all 2 streams were requested before\n"
        #expect(enough.status == 0 && enough.errors.contains(one), "\(enough.errors)")
        origin.stop()
    }

    @Test("is not noted if a server runs, which downloads it")
    func served() async throws {
        let (origin, program) = (try OriginServer(), try Program())
        let url = SampleStream().publish(on: origin)
        try await program.serving { _ in
            let outcome = try await program.run("download", url, "--detach")
            #expect(outcome.status == 0 && !outcome.errors.contains(Self.note), "\(outcome.errors)")
        }
        origin.stop()
    }
}
