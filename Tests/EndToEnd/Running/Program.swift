import Foundation
import Glibc
import TestSupport

/// The result of a program that has ended.
struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// The lines of standard output.
    var lines: [Substring] { output.split(separator: "\n") }
}

/// A program ended otherwise than the test needs.
struct ProgramFailure: Error, CustomStringConvertible {
    let command: String
    let outcome: Outcome

    var description: String { "\(command) ended with \(outcome.status): \(outcome.errors.suffix(600))" }
}

/// Another program, run to its end.
struct Program: Sendable {
    /// A path, or a name on the path.
    let name: String
    var environment: [String: String] = [:]

    /// Seconds after which a program counts as hung and is killed.
    static let patience = 60

    /// Runs it with `arguments`, whatever its status. Output goes through files: a full pipe can't block it.
    func outcome(_ arguments: [String]) async throws -> Outcome {
        try await blocking {
            let folder = try TemporaryDirectory()
            let process = process(arguments)
            process.standardOutput = try openForWriting(folder.file("output"))
            process.standardError = try openForWriting(folder.file("errors"))
            try process.run()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus,
                output: String(decoding: try folder.read("output"), as: UTF8.self),
                errors: String(decoding: try folder.read("errors"), as: UTF8.self))
        }
    }

    /// Runs it with `arguments`; throws `ProgramFailure` when it does not end well.
    @discardableResult
    func run(_ arguments: [String]) async throws -> Outcome {
        let outcome = try await outcome(arguments)
        guard outcome.status == 0 else {
            throw ProgramFailure(command: "\(name) \(arguments.first ?? "")", outcome: outcome)
        }
        return outcome
    }

    /// Not yet started; `timeout` from coreutils ends it, should it hang.
    ///
    /// - Parameter options: those of `timeout`.
    func process(_ arguments: [String], under options: [String] = ["--kill-after=2"]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout"] + options + [String(Self.patience), name] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Whether the program is on the path.
    var isInstalled: Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }
}

/// A new file, open for writing.
func openForWriting(_ path: String) throws -> FileHandle {
    try Data().write(to: URL(filePath: path))
    return try FileHandle(forWritingTo: URL(filePath: path))
}
