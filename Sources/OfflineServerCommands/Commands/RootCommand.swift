internal import APIDocuments
package import ArgumentParser
internal import AssetStore
internal import Foundation
internal import Glibc
internal import HTTPDaemon
internal import OfflineServer

/// The program without its command: one subcommand a file, in `Commands`.
package struct RootCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "offline-server",
        abstract: "Downloads HLS streams once and plays them from localhost, with or without the network.",
        discussion: "Start with `offline-server serve --demo`, or `offline-server download URL`.",
        version: Version.current,
        // Each command has a literal name: deriving it from the type takes longer than everything else here.
        subcommands: [
            Serve.self, Probe.self, Estimate.self, Download.self, List.self, Status.self, Pause.self,
            Resume.self,
            Cancel.self, Remove.self, Relink.self, AddTracks.self, RemoveTracks.self, Pin.self, Unpin.self,
            Prioritize.self,
            Playable.self,
            Tracks.self, ShowURL.self, Play.self, SubtitlesCommand.self, PlaylistCommand.self,
            Verify.self, Repair.self, Import.self,
            Export.self, LicenseCommand.self, KeyCommand.self, Preload.self, Storage.self, Settings.self,
            SignIn.self, Nodes.self, Migrate.self, Doctor.self, Help.self, Reference.self,
        ])

    /// The commands that only have commands of their own.
    static let groups = ["key", "license", "playlist", "subtitles"]

    package init() {}

    /// Runs the command that the process was started with, to its end.
    package static func main() async {
        Remedy.use(\.asCommand)
        Allocator.limitArenas()
        ProcessResources.keepFilesPrivate()
        signal(SIGPIPE, SIG_IGN)
        ProcessResources.raiseOpenFileLimit()
        ProcessResources.keepMemoryPrivate()
        do {
            var command = try command()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            try Console.check()
        } catch {
            fail(error)
        }
    }

    private static func command() throws -> any ParsableCommand {
        if let command = NamedCommand.parsed { return command }
        return try parseAsRoot(NamedCommand.arguments)
    }

    /// Reports the error and ends the process with its status (README, "Exit status").
    private static func fail(_ error: any Error) -> Never {
        Console.clear()
        guard let failure = CommandFailure(error) else { answer(error) }
        failure.tell(asJSON: NamedCommand.wantsJSON)
        // No destructors of libraries: their threads may still be at work.
        _exit(failure.status)
    }

    /// Help, the version and wrong usage are the argument parser's.
    private static func answer(_ error: any Error) -> Never {
        let status = exitCode(for: error).rawValue
        guard status == 0 else {
            let said = message(for: error)
            let text = NamedCommand.fault ?? NamedCommand.negative(in: said) ?? NamedCommand.explained(said)
            let failure =
                status == CommandFailure.usage
                ? CommandFailure(usage: text, status: status) : CommandFailure(message: said, status: status)
            failure.tell(asJSON: NamedCommand.wantsJSON)
            _exit(status)
        }
        Console.result(fullMessage(for: error))
        do { try Console.check() } catch { fail(error) }
        _exit(0)
    }
}
