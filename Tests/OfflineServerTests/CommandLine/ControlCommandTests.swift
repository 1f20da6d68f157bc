import AssetStore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

@Suite("pause, resume, cancel, remove", .fewAtOnce, .timeLimit(.minutes(2)))
struct ControlCommandTests {
    /// Runs a server that downloads a stream whose third segment does not come.
    ///
    /// - Parameter afterwards: is called when the server has ended.
    private func withHeld(
        _ body: (Program, OriginServer, String) async throws -> Void,
        afterwards: (Program, OriginServer, String) async throws -> Void = { _, _, _ in }
    ) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/video/2.ts", .stall(after: 600), times: 1)
        let program = try Program()
        let token = try await program.serving { _ in
            let made = try await program.run("download", url, "--detach", "--json")
            let token = try #require(Outcome.object(made.lines[0])["token"] as? String)
            try await eventually { !origin.requests(for: "/video/2.ts").isEmpty }
            try await body(program, origin, token)
            return token
        }
        try await afterwards(program, origin, token)
        origin.stop()
    }

    private func state(_ program: Program, _ token: String) async throws -> String? {
        try await program.run("status", token, "--json").object["state"] as? String
    }

    @Test("they act on the server's downloads, twice is fine, and resume continues to the end")
    func acting() async throws {
        try await withHeld { program, _, token in
            for (verb, participle) in [("pause", "paused"), ("cancel", "cancelled")] {
                for _ in 0..<2 {
                    let outcome = try await program.run(verb, token, "--json")
                    #expect(outcome.status == 0)
                    #expect(outcome.object[participle] as? [String] == [token])
                    #expect(try await state(program, token) == participle)
                }
            }
            let resumed = try await program.run("resume", "--all")
            #expect(resumed.status == 0 && resumed.errors == "resumed 1 asset\n", "\(resumed.errors)")
            try await eventually { try await state(program, token) == "complete" }
            #expect(try await program.run("pause", token).status == 0, "nothing is transferred any more")
            let refused = try await program.run("cancel", token)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("complete"))
            #expect(try await program.run("pause", "--all").status == 0)
        }
    }

    @Test("prioritize changes the order of waiting assets, one or all, with a server and without")
    func priorities() async throws {
        func priority(_ program: Program, _ token: String) async throws -> Int? {
            try await program.run("status", token, "--json").object["priority"] as? Int
        }
        try await withHeld { program, _, token in
            let outcome = try await program.run("prioritize", token, "--priority", "7", "--json")
            #expect(outcome.status == 0 && outcome.object["prioritized"] as? [String] == [token])
            #expect(try await priority(program, token) == 7)
        }
        let (program, token) = try await Program.withSample()
        #expect(try await program.run("prioritize", "--all", "--priority=-2").status == 0)
        #expect(try await priority(program, token.description) == -2)
        let missing = "01ARYZ6S410000000000000000"
        #expect(try await program.run("prioritize", missing, "--priority", "1").status == 3)
        #expect(try await program.run("prioritize", token.description).status == 64)
    }

    @Test("without a server they change the state, for the next server")
    func withoutServer() async throws {
        let (program, token) = try await Program.withSample()
        let refused = try await program.run("cancel", token.description, "--json")
        #expect(refused.status == 1 && refused.lines.count == 1)
        #expect(
            refused.object["status"] as? Int == 409 && refused.object["token"] as? String == token.description
        )
        #expect(try await program.run("pause", "01ARYZ6S410000000000000000").status == 3)
        #expect(try await program.run("pause").status == 64)
        #expect(try await program.run("remove", token.description).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.store.file("removed")).isEmpty)
    }

    @Test("a state that holds already is reported: nothing was resumed, paused or repaired")
    func holding() async throws {
        let (program, token) = try await Program.withSample()
        for (verb, sentence) in [
            ("resume", "is complete already"), ("pause", "is complete, and there is nothing to pause"),
        ] {
            let outcome = try await program.run(verb, token.description)
            #expect(outcome.status == 0 && outcome.errors == "\(token) \(sentence)\n")
        }
        let sound = try await program.run("repair", token.description)
        #expect(sound.status == 0)
        #expect(sound.errors == "sample is complete and sound, and there is nothing to repair\n")
        try await program.serving { _ in
            let served = try await program.run("repair", token.description)
            #expect(served.status == 0 && served.errors == sound.errors)
            #expect(
                try await program.run("repair", token.description, "--json").object["state"] as? String
                    == "complete")
        }
        #expect(try await program.run("remove", token.description).errors == "removed 1 asset\n")
        let gone = try await program.run("remove", token.description)
        #expect(gone.status == 0 && gone.errors == "\(token) was removed before\n")
        #expect(try await program.run("pause", token.description).status == 3)
        #expect(try await program.run("remove", "--all").errors == "removed 0 assets\n")
    }

    @Test("resume without a server leaves the download for the next one, pause twice says so")
    func queued() async throws {
        try await withHeld { program, _, token async throws in
            #expect(try await program.run("pause", token).errors == "paused 1 asset\n")
            #expect(try await program.run("pause", token).errors == "\(token) is paused already\n")
        } afterwards: { program, _, token async throws in
            let resumed = try await program.run("resume", token)
            #expect(resumed.status == 0 && resumed.errors.hasPrefix("resumed 1 asset\n"))
            #expect(resumed.errors.contains("offline-server serve"))
        }
    }

    @Test("cancel --purge frees the bytes, download TOKEN fetches them again")
    func purge() async throws {
        try await withHeld { program, origin, token in
            #expect(try await program.run("cancel", "--purge", token).status == 0)
            let purged = try await program.run("status", token, "--json").object
            #expect((purged["bytes"] as? [String: Any])?["stored"] as? Int == 0)
            let again = try await program.run("download", token, "--json")
            #expect(again.status == 0)
            #expect(try await state(program, token) == "complete")
        }
    }
}
