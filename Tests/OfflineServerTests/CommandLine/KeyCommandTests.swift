import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("key", .fewAtOnce, .timeLimit(.minutes(2)))
struct KeyCommandTests {
    @Test("list shows which keys are stored, and notes no identifier if the media have none")
    func list() async throws {
        let (program, token) = try await Program.withSample()
        let listed = try await program.run("key", "list", token.description)
        #expect(listed.status == 0 && listed.errors.isEmpty, "\(listed.errors)")
        #expect(listed.lines.count == 2 && listed.output.contains(#/ yes +identity/#), "\(listed.output)")
    }

    @Test("give-up counts what a lost key has sealed, and forgets it only with --confirm")
    func givenUp() async throws {
        let (program, _) = try await Program.withSample()
        let sound = try await program.run("key", "give-up", "--json")
        #expect(sound.object["keys"] as? Int == 0)
        try FileManager.default.removeItem(atPath: program.store.file("store.key"))
        for _ in 0..<2 {
            let trial = try await program.run("key", "give-up", "--json")
            #expect(trial.object["keys"] as? Int == 1 && trial.object["given_up"] as? Bool == false)
        }
        let told = try await program.run("key", "give-up").output
        #expect(told.hasPrefix("--confirm gives up: content keys: 1, waiting requests: 0, "), "\(told)")
        let done = try await program.run("key", "give-up", "--confirm").output
        #expect(done.hasPrefix("given up: content keys: 1, waiting requests: 0, "), "\(done)")
        let again = try await program.run("key", "give-up", "--json")
        #expect(again.object["keys"] as? Int == 0, "\(again.output)")
    }
}
