internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer

/// `play`: starts a player on an asset.
struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Start a player on an asset, serving the store meanwhile if no server does.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Option(help: "The player's program (default: the first of mpv, vlc and ffplay that is there).")
    var player: String?

    @Option(help: ArgumentHelp("Subtitles to show, by language or name of track.", valueName: "lang"))
    var subtitles: String?

    func run() async throws {
        let token = try TokenArgument.sole(token)
        try global.reader().requireProgress(of: token)
        guard let program = player.flatMap(Self.find) ?? (player == nil ? Self.usual : nil) else {
            throw CommandFailure(
                message:
                    "found no \(player ?? "mpv, vlc or ffplay"); install one (apt-get install mpv) or name it with --player"
            )
        }
        let session = try await EngineSession.open(global)
        let status = try await session.closing {
            let asset = try session.reader().requireProgress(of: token)
            guard asset.state.isUnderWay || !asset.availability.ranges.isEmpty else {
                throw CommandFailure(message: "\(asset.name) \(PlayableReport.sentence(asset))")
            }
            let address = AssetDocument(asset: asset, server: session.playerAddress).playlistURL
            let obstacles: Set<Availability.Obstacle> = [.keyMissing, .licenseExpired, .licenseRevoked]
            if !obstacles.isDisjoint(with: asset.availability.blockedBy) {
                global.note("\(asset.name) \(PlayableReport.sentence(asset))")
            }
            let (name, server) = (program.lastPathComponent, session.playerAddress)
            let shown = try subtitles.map {
                try PlayedSubtitles($0, of: token, server: server, session.mediaReader())
            }
            defer { shown?.removeFile() }
            let offered = try OfferedSubtitles(of: token, for: name, server: server, session.reader())
            if (shown?.isComplete ?? offered?.isComplete) == false {
                let track = subtitles.map { "subtitle track \($0)" } ?? "a subtitle track"
                global.note("\(track) \(GlobalOptions.lack(of: asset)); these are the stored cues")
            }
            let usual = [address] + (offered?.arguments ?? [])
            return await ChildProgram.run(
                [program.path] + (try shown?.arguments(for: name, playlist: address) ?? usual))
        }
        guard status != 0 else { return }
        let end = status.map { "ended with status \($0)" } ?? "can't be started"
        throw CommandFailure(message: "\(program.lastPathComponent) \(end)")
    }

    private static var usual: URL? { ["mpv", "vlc", "ffplay"].lazy.compactMap(find).first }

    static func find(_ name: String) -> URL? {
        if name.contains("/") {
            return FileManager.default.isExecutableFile(atPath: name) ? URL(fileURLWithPath: name) : nil
        }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { URL(fileURLWithPath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
