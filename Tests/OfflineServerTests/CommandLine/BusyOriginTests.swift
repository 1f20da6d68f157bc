import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A download from a busy origin", .fewAtOnce, .timeLimit(.minutes(2)))
struct BusyOriginTests {
    /// An origin that starts a cooldown when one of its playlists is requested.
    private func withBusyOrigin(
        _ status: Int, _ headers: [String], playlist: String? = nil,
        _ body: (Program, OriginServer, String, String) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let path = try playlist ?? #require(URLComponents(string: url)?.path)
        origin.fault(path, .status(status, headers: headers))
        try await body(try Program(), origin, url, path)
        origin.stop()
    }

    @Test(
        "is entered at once, and a command that does not wait for it ends with its token",
        arguments: [(429, "/video/360.m3u8"), (503, nil)] as [(Int, String?)])
    func detached(_ status: Int, _ playlist: String?) async throws {
        try await withBusyOrigin(status, ["Retry-After: 700"], playlist: playlist) { program, _, url, _ in
            try await program.serving { _ in
                let told = try await program.run("download", url, "--detach")
                let token = told.output.prefix { $0 != " " }
                #expect(told.status == 0 && AssetToken(String(token)) != nil)
                #expect(told.errors.contains("the origin answered \(status)"))
                #expect(told.errors.contains("`offline-server status \(token)` shows when"))
                let asset = try await program.run("status", String(token), "--json").object
                let activity = try #require(asset["activity"] as? [String: Any])
                #expect(asset["state"] as? String == "queued" && activity["doing"] as? String == "waiting")
                #expect(activity["next_try_at"] is String && activity["last_error"] is [String: Any])
            }
            // The host still has its cooldown; without a server, too, nothing waits for it.
            let own = try await program.run("download", url, "--detach", "--json")
            #expect(own.status == 0 && own.object["token"] is String)
            #expect(try await program.run("list", "--json").array.count == 2)
        }
    }

    @Test("names the reason of its wait and the next try, with a server and without, and continues by itself")
    func waiting() async throws {
        try await withBusyOrigin(503, []) { program, origin, url, path in
            for hasServer in [false, true] {
                let server =
                    hasServer
                    ? try await program.start(["serve", "--json", "--listen", "127.0.0.1:0"]) : nil
                _ = try await server?.line(0)
                let running = try await program.start(["download", url])
                // A wait that ends at once is not told; then a later one is.
                try await eventually {
                    let errors = try running.errors()
                    return (2...5).contains {
                        errors.contains("retrying (\($0) of 5): the origin answered 503")
                    }
                }
                #expect(try running.output().contains("/master.m3u8"))
                origin.clearFaults(path)
                let outcome = try await running.end()
                #expect(outcome.status == 0 && outcome.errors.contains("complete: "))
                origin.fault(path, .status(503))
                try await server?.stop()
            }
        }
    }

    @Test("is announced as slow after a moment, and SIGINT leaves nothing of it")
    func slow() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let path = try #require(URLComponents(string: url)?.path)
        origin.fault(path, .holdHeader)
        let program = try Program()
        let running = try await program.start(["download", url])
        try await eventually {
            try running.errors().contains("still reading the playlists and keys of \(url)")
        }
        running.signal(SIGINT)
        let outcome = try await running.end()
        #expect(
            outcome.status == 130 && outcome.errors.contains("nothing of it is stored; run the command again")
        )
        #expect(try await program.run("list", "--json").array.isEmpty)
        origin.release()
        origin.stop()
    }

    @Test(
        "adding tracks of a slow stream prints a notice while it waits, also if a server does the work"
    )
    func slowTracks() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let path = try #require(URLComponents(string: url)?.path)
        let program = try Program()
        let added = try await program.run("download", url, "--subtitles", "none")
        let token = String(added.output.prefix { $0 != " " })
        try await program.serving { _ in
            origin.fault(path, .holdHeader, times: 1)
            let running = try await program.start(["add-tracks", token, "--subtitles", "all"])
            try await eventually { try running.errors().contains("still reading the playlists") }
            origin.release()
            #expect(try await running.end().status == 0)
        }
        origin.stop()
    }

    @Test(
        "without arriving bytes has stalled, and its status shows since when, the stored bytes and those in flight"
    )
    func stalled() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/video/2.ts", .stall(after: 2000), times: 1)
        let program = try Program()
        try await program.serving { _ in
            let running = try await program.start(["download", url])
            let token = String(try await running.line(0).prefix { $0 != " " })
            try await eventually { try running.errors().contains(": stalled ") }
            let status = try await program.run("status", token).output
            #expect(
                status.contains(#/  doing     stalled \d+ s: no byte comes from the origin/#), "\(status)")
            #expect(status.contains(#/  stored    \d+%, .*, 2 kB in flight/#), "\(status)")
            let object = try await program.run("status", token, "--json").object
            let activity = object["activity"] as? [String: Any]
            #expect(activity?["stalled_since"] is String && object["speed"] is NSNull)
            #expect(try await program.run("list").output.contains(#/downloading, stalled \d+ s/#))
            origin.release()
            #expect(try await running.end().status == 0)
        }
        origin.stop()
    }
}
