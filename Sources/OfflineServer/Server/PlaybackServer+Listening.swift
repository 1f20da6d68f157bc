internal import AssetStore
internal import HTTPDaemon

/// The address of a server, and how much of this machine its clients may use.
extension PlaybackServer {
    /// Throws when a server could not listen as `configuration` says, without listening.
    package static func check(_ configuration: Configuration) throws(PlaybackServerError) {
        guard !configuration.fallsBackToFreePort else { return }
        do throws(HTTPDaemonError) {
            try HTTPDaemon.check(limits(of: configuration, EnginePolicy()))
        } catch {
            throw PlaybackServerError(error, configuration.address)
        }
    }

    static func listen(
        _ configuration: Configuration, policy: EnginePolicy, responder: any HTTPResponder
    ) throws(PlaybackServerError) -> HTTPDaemon {
        var wanted = limits(of: configuration, policy)
        do throws(HTTPDaemonError) {
            do throws(HTTPDaemonError) {
                return try HTTPDaemon(configuration: wanted, responder: responder)
            } catch {
                guard configuration.fallsBackToFreePort, error.reason == .portInUse else { throw error }
                wanted.port = 0
                return try HTTPDaemon(configuration: wanted, responder: responder)
            }
        } catch {
            throw PlaybackServerError(error, configuration.address)
        }
    }

    /// The limits of a server's daemon, which leaves the engine the files that it needs.
    static func limits(
        of configuration: Configuration, _ policy: EnginePolicy = EnginePolicy()
    ) -> HTTPDaemonConfiguration {
        let address = configuration.address
        var limits = HTTPDaemonConfiguration(address: address.host, port: address.port)
        limits.reservedDescriptors = max(limits.reservedDescriptors, descriptors(of: policy))
        // On loopback all are one address.
        if !address.isLoopback {
            limits.addressConnectionLimit = limits.possibleConnections / neighborShare
        }
        return limits
    }

    /// File descriptors that a store and its engine need: some of its own, and for each transfer of the downloads that
    /// run a connection and a file.
    static func descriptors(of policy: EnginePolicy) -> Int {
        64 + 2 * policy.maximumDownloads * policy.transfersPerAsset
    }

    /// One other machine gets at most this part (a quarter) of the connections.
    private static let neighborShare = 4
}
