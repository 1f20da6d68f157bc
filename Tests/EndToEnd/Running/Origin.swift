import Foundation
import TestSupport

/// The folder of this target's helpers.
let supportFolder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Support")

/// A server of files that is not the product: where downloads come from, and the page that plays.
struct Origin: Sendable {
    let service: Service
    let port: Int
    private let gate: TemporaryDirectory

    var url: String { "http://127.0.0.1:\(port)" }

    /// Serves `folder`; a file of the name `held` is answered only after `release`.
    static func start(_ folder: URL, holding held: String?) async throws -> Origin {
        let script = supportFolder.appending(path: "origin.py").path
        let gate = try TemporaryDirectory()
        try gate.write([], to: "closed")
        let hold = held.map { ["--hold", $0, "--until-gone", gate.file("closed")] } ?? []
        let service = try await Service.start(Program(name: "python3"), [script, folder.path] + hold)
        return Origin(service: service, port: Int(service.greeting) ?? 0, gate: gate)
    }

    /// Answers requests for the held file from now on.
    func release() throws {
        try FileManager.default.removeItem(atPath: gate.file("closed"))
    }
}

/// Runs `body` with an origin that is gone afterwards.
func withOrigin<Value>(
    _ folder: URL, holding held: String? = nil, _ body: (Origin) async throws -> Value
) async throws -> Value {
    let origin = try await Origin.start(folder, holding: held)
    do {
        let value = try await body(origin)
        try await origin.service.stop()
        return value
    } catch {
        try await origin.service.stop()
        throw error
    }
}
