import Foundation

/// A real PostgreSQL server of this machine, in a folder of its own. It ends, and its folder goes, when the tests do.
/// Sendable because nothing of it changes.
public final class PostgresServer: Sendable {
    /// Whether tests with it run: where it is installed, and in CI always, so that a missing one is a failure.
    public static let runs: Bool =
        !((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []).isEmpty
        || ProcessInfo.processInfo.environment["CI"] != nil

    /// The server that tests share which need no crash. It does not flush to the disk: it outlives no cut of the power.
    public static let shared = Result { try PostgresServer(["-cfsync=off"]) }

    /// Its folder.
    public let folder: String
    private let options: [String]
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Postgres/server").path

    /// Starts one.
    ///
    /// - Parameter options: those of the server: `-cNAME=VALUE`.
    public init(_ options: [String] = []) throws {
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("offline-server-postgres-\(UUID().uuidString)").path
        self.options = options
        try start()
        let guardian = try ChildProcess(
            "/bin/sh",
            [
                "-c",
                "setsid '\(Self.script)' guard '\(folder)' \(ProcessInfo.processInfo.processIdentifier) &",
            ])
        guardian.wait()
    }

    deinit { try? run("stop") }

    /// Starts it again.
    public func start() throws { try run("start", options) }

    /// Kills it with all that it does, as a crash does.
    public func kill() throws {
        let file = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        guard let process = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else { return }
        Foundation.kill(process, SIGKILL)
    }

    private func run(_ command: String, _ arguments: [String] = []) throws {
        let status = try ChildProcess(Self.script, [command, folder] + arguments).wait()
        guard status == 0 else { throw CocoaError(.executableLoad) }
    }

    /// The URL of a database.
    public func url(_ database: String = "postgres") throws -> String {
        let port = try String(contentsOfFile: "\(folder)/port", encoding: .utf8)
        return "postgresql://postgres@127.0.0.1:\(port.filter(\.isNumber))/\(database)"
    }

    /// Makes an empty database, and returns its URL.
    public func newDatabase() throws -> String {
        let name = "test_\(UUID().uuidString.filter(\.isHexDigit).lowercased())"
        try sql("CREATE DATABASE \(name)")
        return try url(name)
    }

    /// Runs a statement as the database's owner does, by psql.
    public func sql(_ statement: String, in database: String? = nil) throws {
        let arguments = ["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", statement, try database ?? url()]
        let status = try ChildProcess("/usr/bin/env", arguments).wait()
        guard status == 0 else { throw CocoaError(.executableLoad) }
    }
}
