import AssetStore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

/// The result of a program that has ended.
struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String

    var lines: [Substring] { output.split(separator: "\n") }
    var object: [String: Any] { Self.object(output) }
    var array: [[String: Any]] {
        (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [[String: Any]] ?? []
    }

    /// A JSON object; empty for other texts.
    static func object(_ text: some StringProtocol) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
}

/// The built `offline-server` on a store of its own.
struct Program: Sendable {
    let store: TemporaryDirectory

    init(store: TemporaryDirectory? = nil) throws { self.store = try store ?? TemporaryDirectory() }

    /// A store that has the sample stream.
    static func withSample(_ name: String = "sample") async throws -> (Program, AssetToken) {
        let program = try Program()
        let token = try await withSite(in: program.store) { try await $0.importSample(name) }
        return (program, token)
    }

    /// Runs a command to its end.
    func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    /// Runs a command to its end.
    func run(_ arguments: [String]) async throws -> Outcome {
        let running = try await start(arguments)
        let outcome = try await running.end()
        expectNoKeys(outcome, arguments)
        return outcome
    }

    /// Checks that neither a command's output nor a file of the store has a byte of a key.
    private func expectNoKeys(_ outcome: Outcome, _ arguments: [String]) {
        #expect(!Secret.isIn(outcome.output) && !Secret.isIn(outcome.errors), "\(arguments)")
        #expect(Secret.traces(in: store.path) == [], "\(arguments)")
    }

    /// Starts a command.
    ///
    /// - Parameter wrapper: the program that starts it, with its own arguments.
    func start(_ arguments: [String], under wrapper: [String] = []) async throws -> RunningProgram {
        try await blocking { try RunningProgram(arguments, store: store, under: wrapper) }
    }

    /// Runs `body` while the server of the store runs, which must end well; not for a `body` that kills it.
    func serving<Value>(_ options: String..., body: (Ready) async throws -> Value) async throws -> Value {
        let running = try await start(["serve", "--json", "--listen", "127.0.0.1:0"] + options)
        do {
            let value = try await body(try Ready(await running.line(0)))
            expectNoKeys(try await running.stop(), ["serve"])
            return value
        } catch {
            try await running.stop()
            throw error
        }
    }

    /// The line that `serve --json` prints when it is ready.
    struct Ready: Decodable {
        let url: String
        let port: UInt16
        let pid: Int32
        let store: String

        init(_ line: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(line.utf8)) }
    }
}

/// A command that runs. Its output goes to files: no full pipe can block it.
final class RunningProgram: Sendable {
    private let process: Process
    private let folder: TemporaryDirectory
    /// Left when the command has ended. `waitUntilExit()` looks every 50 ms only.
    private let running = DispatchGroup()
    /// The command ended before it printed the line that a test waits for.
    struct Ended: Error { let outcome: Outcome }
    /// Seconds after which a command counts as hung and is killed.
    static let patience = 90
    /// Seconds that a command has to end after a signal, before it is killed.
    private static let grace = 30

    init(_ arguments: [String], store: TemporaryDirectory, under wrapper: [String] = []) throws {
        folder = try TemporaryDirectory()
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["timeout", "--foreground", "--kill-after=\(Self.grace)", "\(Self.patience)"] + wrapper
            + [try Self.binary] + arguments
        let own = ["OFFLINE_SERVER_STORE": store.path, "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"]
        process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        let files = try ["output", "errors"].map { try Self.file(folder.file($0)) }
        (process.standardOutput, process.standardError) = (files[0], files[1])
        // The command has them; those of hundreds of commands would stay open until the tests end.
        defer { for file in files { try? file.close() } }
        running.enter()
        process.terminationHandler = { [running] _ in running.leave() }
        do { try process.run() } catch {
            running.leave()
            throw error
        }
    }

    /// Beside the test bundle, where the build puts it.
    static var binary: String {
        get throws {
            let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: bundle).deletingLastPathComponent().appending(path: "offline-server").path
        }
    }

    private static func file(_ path: String) throws -> FileHandle {
        try Data().write(to: URL(filePath: path))
        return try FileHandle(forWritingTo: URL(filePath: path))
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Everything that was printed so far.
    func output() throws -> String { String(decoding: try folder.read("output"), as: UTF8.self) }

    /// Every message so far.
    func errors() throws -> String { String(decoding: try folder.read("errors"), as: UTF8.self) }

    /// A line of the output, waited for.
    func line(_ number: Int) async throws -> String {
        while true {
            let isRunning = process.isRunning
            let lines = try output().split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if lines.count > number { return String(lines[number]) }
            guard isRunning else { throw Ended(outcome: try await end()) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Ends a server with SIGTERM; it must end well. A crash at its end, and the findings of a sanitizer, show only
    /// here.
    @discardableResult
    func stop() async throws -> Outcome {
        signal(SIGTERM)
        let outcome = try await end()
        let ending = "\(process.terminationReason == .exit ? "status" : "signal") \(outcome.status)"
        #expect(ending == "status 0", "\(outcome.errors.suffix(4000))")
        return outcome
    }

    var isRunning: Bool { process.isRunning }

    /// Waits for the end.
    func end() async throws -> Outcome {
        try await blocking { [process, folder, running] in
            running.wait()
            return Outcome(
                status: process.terminationStatus,
                output: String(decoding: try folder.read("output"), as: UTF8.self),
                errors: String(decoding: try folder.read("errors"), as: UTF8.self))
        }
    }
}
