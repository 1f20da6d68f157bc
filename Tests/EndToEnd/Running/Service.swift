import Foundation
import TestSupport
import Testing

/// A program that stays, and says in the first line of its output that it is ready.
final class Service: Sendable {
    /// The first line.
    let greeting: String
    private let process: Process
    private let folder: TemporaryDirectory
    /// Seconds that a program has to end after SIGTERM, before it is killed.
    private static let grace = 30

    /// Starts `program` and waits for its first line.
    static func start(_ program: Program, _ arguments: [String]) async throws -> Service {
        try await blocking { try Service(program, arguments) }
    }

    private init(_ program: Program, _ arguments: [String]) throws {
        folder = try TemporaryDirectory()
        // The group of `timeout` would have each signal twice.
        process = program.process(arguments, under: ["--foreground", "--kill-after=\(Self.grace)"])
        process.standardOutput = try openForWriting(folder.file("output"))
        process.standardError = try openForWriting(folder.file("errors"))
        try process.run()
        guard let first = try Self.line(0, of: folder, while: process) else {
            let errors = String(decoding: try folder.read("errors"), as: UTF8.self)
            process.waitUntilExit()
            throw ProgramFailure(
                command: program.name,
                outcome: Outcome(status: process.terminationStatus, output: "", errors: errors))
        }
        greeting = first
    }

    /// The line after the greeting, waited for; nil when the program ends without one.
    func nextLine() async throws -> String? {
        try await blocking { [process, folder] in try Self.line(1, of: folder, while: process) }
    }

    /// Ends it with SIGTERM and waits; it must end well. A crash at its end, and what a sanitizer has found in it, are seen
    /// in nothing else.
    func stop() async throws {
        let (ending, errors) = try await blocking { [process, folder] in
            process.terminate()
            process.waitUntilExit()
            let kind = process.terminationReason == .exit ? "status" : "signal"
            let errors = String(decoding: try folder.read("errors"), as: UTF8.self)
            return ("\(kind) \(process.terminationStatus)", errors)
        }
        #expect(ending == "status 0", "\(errors.suffix(4000))")
    }

    /// Waits until the program ends by itself; all that it printed.
    @discardableResult
    func end() async throws -> String {
        try await blocking { [process, folder] in
            process.waitUntilExit()
            return String(decoding: try folder.read("output"), as: UTF8.self)
        }
    }

    private static func line(_ number: Int, of folder: TemporaryDirectory, while process: Process) throws
        -> String?
    {
        while true {
            let running = process.isRunning
            let complete = String(decoding: try folder.read("output"), as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if complete.count > number { return String(complete[number]) }
            guard running else { return nil }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }
}
