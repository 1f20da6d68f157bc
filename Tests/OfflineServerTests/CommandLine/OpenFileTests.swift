import AssetStore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A server that may open no more files", .fewAtOnce, .timeLimit(.minutes(2)))
struct OpenFileTests {
    /// Limits the number of open files of a process from now on; open files stay open.
    private func limitFiles(of process: Int32, to count: Int) throws -> Bool {
        let arguments = ["--pid", "\(process)", "--nofile=\(count):"]
        return try ChildProcess("/usr/bin/prlimit", arguments).wait() == 0
    }

    private static let serve = ["serve", "--json", "--verbose", "--listen", "127.0.0.1:0"]

    /// Once a second, libdispatch opens the `stat` of its threads in /proc while more is to be done than they do, and
    /// ends a process that can't. After a restart of the server, as by systemd, nothing is lost.
    private func restarted(_ server: RunningProgram, in program: Program) async throws -> RunningProgram {
        #expect(try await server.end().status == SIGILL)
        return try await program.start(Self.serve)
    }

    @Test("retries its download, or lets it wait, and completes it when files can be opened")
    func download() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/audio/start.mp4", .holdHeader, times: 1)
        let program = try Program()
        var server = try await program.start(Self.serve)
        let ready = try Program.Ready(await server.line(0))
        let made = try await program.run("download", url, "--detach", "--json")
        let token = try #require((made.object["token"] as? String).flatMap { AssetToken($0) })
        let reader = try StoreReader(root: FilePath(program.store.path))
        try await eventually { !origin.requests(for: "/audio/start.mp4").isEmpty }
        // Only its open descriptors remain: the connection of the waiting transfer, and the catalog.
        #expect(try limitFiles(of: ready.pid, to: 3))
        origin.release()
        try await eventually {
            let isWaiting = try reader.progress(of: token)?.reason == "files"
            return try isWaiting || server.errors().contains("too many files are open") || !server.isRunning
        }
        #expect(try reader.progress(of: token)?.state.isTerminal == false)
        #expect(try limitFiles(of: ready.pid, to: 1000) || !server.isRunning)
        try await eventually {
            if !server.isRunning { server = try await restarted(server, in: program) }
            return try reader.progress(of: token)?.state.isTerminal == true
        }
        #expect(try reader.progress(of: token)?.state == .complete)
        for (path, bytes, _) in SampleStream.served {
            #expect(try program.store.read("assets/\(token)/\(path)") == bytes, "\(path)")
        }
        try await server.stop()
        origin.stop()
    }
}
