import Foundation
import TestSupport

/// The built `offline-server` with a store of its own.
struct Product: Sendable {
    /// The line that `serve --json` prints when it is ready.
    struct Ready: Decodable, Sendable {
        let url: String
        let port: Int
        let pid: Int32
    }

    /// The line that `download --json` prints before any media flow.
    struct Created: Decodable, Sendable {
        let token: String
        let playlist_url: String
    }

    /// The part of the asset object that these tests look at.
    struct Asset: Decodable, Sendable {
        let token: String
        let state: String
        let progress: Double
        let subtitle_languages: [String]
    }

    let store: TemporaryDirectory

    init() throws {
        store = try TemporaryDirectory()
    }

    /// Beside the test bundle, where the build puts it; `OFFLINE_SERVER` names another.
    static var binary: String {
        get throws {
            if let named = ProcessInfo.processInfo.environment["OFFLINE_SERVER"] { return named }
            let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: bundle).deletingLastPathComponent().appending(path: "offline-server").path
        }
    }

    func program() throws -> Program {
        Program(
            name: try Self.binary,
            environment: ["OFFLINE_SERVER_STORE": store.path, "SWIFT_BACKTRACE": "enable=no"])
    }

    /// Downloads to the end; the asset's token.
    func download(_ url: String, _ options: [String] = []) async throws -> String {
        let outcome = try await program().run(["download", url, "--json"] + options)
        return try JSONDecoder().decode(Created.self, from: Data((outcome.lines.first ?? "").utf8)).token
    }

    func status(_ token: String) async throws -> Asset {
        let outcome = try await program().run(["status", token, "--json"])
        let one = Data(outcome.output.utf8)
        let decoder = JSONDecoder()
        if let asset = try? decoder.decode(Asset.self, from: one) { return asset }
        guard let asset = try decoder.decode([Asset].self, from: one).first else {
            throw ProgramFailure(command: "status", outcome: outcome)
        }
        return asset
    }

    /// Asks for the asset until `condition` holds; the suite's time limit ends a wait in vain.
    func wait(for token: String, until condition: (Asset) -> Bool) async throws {
        while try await !condition(status(token)) {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Starts `serve` on a free port.
    func serve(_ options: [String] = []) async throws -> (service: Service, ready: Ready) {
        let service = try await Service.start(
            program(), ["serve", "--listen", "127.0.0.1:0", "--json"] + options)
        return (service, try JSONDecoder().decode(Ready.self, from: Data(service.greeting.utf8)))
    }

    /// Runs `body` with the base URL of a server that is gone afterwards.
    func serving<Value>(_ options: [String] = [], _ body: (String) async throws -> Value) async throws
        -> Value
    {
        let (service, ready) = try await serve(options)
        let base = ready.url.hasSuffix("/") ? String(ready.url.dropLast()) : ready.url
        do {
            let value = try await body(base)
            try await service.stop()
            return value
        } catch {
            try await service.stop()
            throw error
        }
    }
}
