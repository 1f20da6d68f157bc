internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import HLSPlaylist
internal import HTTPDaemon
internal import HTTPTypes
internal import OfflineServer

/// `reference`: prints the material for the manual's reference as JSON. For `scripts/make-reference`; not listed.
struct Reference: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Print the texts of the manual's reference.",
        shouldDisplay: false)

    func run() throws {
        let document: JSONValue = [
            "version": .string(Version.current), "settings": Self.settings, "errors": Self.errors,
            "limits": Self.limits, "metrics": MetricsDocument.reference,
        ]
        Console.result(document.pretty)
    }

    private static var settings: JSONValue {
        .array(
            SettingsShape.members.map { member in
                [
                    "name": .string(member.name), "takes": .string(member.takes),
                    "meaning": JSONValue(member.meaning),
                ]
            })
    }

    /// Each error with the sentence that users read, for an asset and files that stand for any.
    private static var errors: JSONValue {
        .array(
            ReferenceErrors.all.map { error in
                let problem = error.requestProblem(nil, store: "/films")
                return [
                    "code": .string(error.code.name), "class": .string(error.errorClass.rawValue),
                    "status": .integer(Int64(problem.status.code)), "message": .string(error.message),
                    "retryable": .bool(error.isRetryable),
                ]
            })
    }

    private static var limits: JSONValue {
        let playlists = ParseLimits()
        let daemon = HTTPDaemonConfiguration()
        let values: [(String, Int)] = [
            ("playlist-bytes", playlists.bytes), ("playlist-line", playlists.lineLength),
            ("playlist-segments", playlists.segments), ("playlist-streams", playlists.streams),
            ("playlist-attributes", playlists.attributes), ("asset-playlists", TransferLimits.playlists),
            ("asset-playlist-bytes", TransferLimits.playlistBytes),
            ("segment-bytes", Int(TransferLimits.segment)), ("segment-tries", TransferLimits.segmentTries),
            ("connections", daemon.connectionLimit), ("header-bytes", daemon.headLimit),
            ("body-bytes", daemon.bodyLimit), ("idle-seconds", Int(daemon.idleTimeout.components.seconds)),
            ("header-seconds", Int(daemon.headTimeout.components.seconds)),
            ("body-seconds", Int(daemon.bodyTimeout.components.seconds)),
        ]
        return .object(values.map { ($0.0, .integer(Int64($0.1))) })
    }
}
