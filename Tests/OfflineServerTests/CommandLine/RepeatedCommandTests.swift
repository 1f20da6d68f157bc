import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// The exit statuses of pause, resume, cancel and remove, by the state of an asset.
@Suite("pause, resume, cancel, remove in the wanted state", .fewAtOnce, .timeLimit(.minutes(3)))
struct RepeatedCommandTests {
    /// For each state: the exit status of each verb, and the state after it. A pause succeeds if nothing is
    /// transferred; a complete asset has no download to cancel, so cancelling it is refused.
    private static let table: [(AssetState, [(verb: String, status: Int32, after: AssetState?)])] = [
        (
            .complete,
            [("pause", 0, .complete), ("resume", 0, .complete), ("cancel", 1, .complete), ("remove", 0, nil)]
        ),
        (
            .paused,
            [("pause", 0, .paused), ("resume", 0, .queued), ("cancel", 0, .cancelled), ("remove", 0, nil)]
        ),
        (
            .cancelled,
            [("pause", 0, .cancelled), ("resume", 0, .queued), ("cancel", 0, .cancelled), ("remove", 0, nil)]
        ),
        (
            .failed,
            [("pause", 0, .failed), ("resume", 0, .queued), ("cancel", 0, .cancelled), ("remove", 0, nil)]
        ),
        (
            .queued,
            [("pause", 0, .paused), ("resume", 0, .queued), ("cancel", 0, .cancelled), ("remove", 0, nil)]
        ),
    ]

    /// An asset in a state.
    private func asset(_ state: AssetState, in program: Program, _ origin: OriginServer) async throws
        -> String
    {
        let path = state == .failed ? "/gone.m3u8" : "/clear.m3u8"
        let detached = try await program.run(
            "download", "--input", list(program, origin.url(path)), "--detach", "--json")
        let token = try #require(Outcome.object(detached.lines[0])["token"] as? String)
        switch state {
        case .complete, .failed: _ = try await program.run("download", token)
        case .paused: _ = try await program.run("pause", token)
        case .cancelled: _ = try await program.run("cancel", token)
        default: break
        }
        #expect(try await self.state(program, token) == state.rawValue)
        return token
    }

    /// A list, since a single address is looked into at once.
    private func list(_ program: Program, _ url: String) throws -> String {
        try program.store.write(Array("\(url)\n\(url)\n".utf8), to: "list")
    }

    private func state(_ program: Program, _ token: String) async throws -> String? {
        try await program.run("status", token, "--json").object["state"] as? String
    }

    @Test("end as the table says, once and again", arguments: table.map(\.0))
    func verbs(state: AssetState) async throws {
        let origin = try OriginServer()
        ClearStream.publish(on: origin)
        for (verb, status, after) in try #require(Self.table.first { $0.0 == state }?.1) {
            let program = try Program()
            let token = try await asset(state, in: program, origin)
            for _ in 0..<2 {
                let outcome = try await program.run(verb, token)
                #expect(outcome.status == status, "\(verb) of what is \(state): \(outcome.errors)")
                #expect(try await self.state(program, token) == after?.rawValue)
            }
        }
        origin.stop()
    }

    @Test("remove of an unknown asset ends with 3, of a removed one with 0, alone and among others")
    func removal() async throws {
        let (program, token) = try await Program.withSample()
        let never = "01HZX3T5E8M9K2Q4R6S7V8W9XA"
        #expect(try await program.run("remove", token.description).status == 0)
        let again = try await program.run("remove", token.description, "--json")
        #expect(again.status == 0 && again.object["removed"] as? [String] == [token.description])
        #expect(try await program.run("remove", never).status == 3)
        #expect(try await program.run("remove", token.description, never).status == 3)
        for verb in ["pause", "resume", "cancel"] {
            #expect(try await program.run(verb, token.description).status == 3, "\(verb)")
        }
        try await program.serving { _ in
            let served = try await program.run("remove", token.description)
            #expect(served.status == 0)
        }
    }
}
