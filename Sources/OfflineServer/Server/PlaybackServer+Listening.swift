internal import AssetStore
internal import HTTPDaemon

/// The address of a server, and how much of this machine its clients may use.
extension PlaybackServer {
    /// Checks whether a server could listen with a configuration, and throws the reason if not. It does not listen.
    /// If any free port is allowed, nothing is checked.
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

    /// The limits of a server's daemon. They reserve the file descriptors that the engine needs.
    static func limits(
        of configuration: Configuration, _ policy: EnginePolicy = EnginePolicy()
    ) -> HTTPDaemonConfiguration {
        let address = configuration.address
        var limits = HTTPDaemonConfiguration(address: address.host, port: address.port)
        limits.reservedDescriptors = max(limits.reservedDescriptors, descriptors(of: policy))
        // On loopback all clients have the same address, so there is no limit for each address.
        if !address.isLoopback {
            limits.addressConnectionLimit = limits.possibleConnections / neighborShare
        }
        return limits
    }

    /// The number of file descriptors that a store and its engine need: 64, and two for each transfer of the running
    /// downloads, one for the connection and one for the file.
    static func descriptors(of policy: EnginePolicy) -> Int {
        64 + 2 * policy.maximumDownloads * policy.transfersPerAsset
    }

    /// The divisor of the connections that one other machine may have: a quarter of all.
    private static let neighborShare = 4
}
