internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import Logging
internal import OfflineServer
internal import SystemPackage
internal import UnixSignals

extension Serve {
    /// Serves a store that other machines share, while no other one does.
    func serve(
        as address: PostgresAddress, _ configuration: ServedStore.Configuration, _ settings: EngineSettings
    ) async throws {
        // Media in this machine's folder would be lost with the machine. For one machine SQLite is enough.
        let media =
            try configuration.engine.media
            ?? settings.media.map {
                try BucketMedia.Settings($0, environment: ProcessInfo.processInfo.environment)
            }
        guard let media else {
            throw CommandFailure(
                message:
                    "--catalog is for a store that several machines share, whose media must be in a bucket; add --media, or leave --catalog out for a store of one machine"
            )
        }
        guard !demo else {
            throw CommandFailure(message: "--demo is for a store of one machine; leave it or --catalog out")
        }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let isQuiet = global.quiet
        let served = try ServedNode(
            configuration, at: address, media: media,
            url: { port in
                let url = try node.url(settings, port: port)
                let address = ListenAddress(host: configuration.server.address.host, port: port)
                if let warning = node.warning(settings, url, listeningAt: address) {
                    configuration.log.warning("\(warning)")
                }
                return url
            },
            tell: { if !isQuiet { Console.note($0) } })
        announce(served)
        let (steps, feed) = AsyncStream.makeStream(of: Step.self)
        let listening = Task {
            for await signal in signals { feed.yield(signal == .sighup ? .reload : .stop) }
        }
        let work = Task {
            do { try await served.serve() } catch { feed.yield(.fail(error)) }
        }
        let failure = await follow(steps, served, configuration.log)
        listening.cancel()
        work.cancel()
        await work.value
        await served.stop()
        if let failure { throw failure }
    }

    /// An instruction to a running node.
    private enum Step: Sendable {
        case reload, stop
        case fail(any Error)
    }

    /// Carries out instructions until the node has to stop.
    ///
    /// - Returns: the reason for which it could not serve.
    private func follow(
        _ steps: AsyncStream<Step>, _ served: ServedNode, _ log: Logger
    ) async -> (any Error)? {
        for await step in steps {
            switch step {
            case .reload: if let store = served.store { await reload(store, log) }
            case .stop: return nil
            case .fail(let error): return error
            }
        }
        return nil
    }

    private func announce(_ served: ServedNode) {
        guard global.json else { return Console.result("listening on \(served.listener.address)") }
        let document: JSONValue = [
            "url": .string(served.listener.address), "port": .integer(Int64(served.listener.port)),
            "pid": .integer(Int64(ProcessInfo.processInfo.processIdentifier)),
            "store": .string(global.root.string), "node": .string(served.name.id),
            "node_url": .string(served.name.url),
        ]
        Console.result(document.text)
    }
}
