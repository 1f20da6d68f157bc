internal import Locking
internal import Synchronization
package import SystemPackage

/// A trace point that a request passes, named after its type and function.
///
/// `Corridor` lists the points that a request passes, in order.
package enum TraceStep: String, CaseIterable, Sendable {
    // The server.
    case tokenGate = "TokenGate.admit"
    case mediaCache = "MediaCache.find"
    case accessPolicy = "AccessPolicy.judge"
    case route = "Router.route"
    case unitResponse = "MediaResponder.unitResponse"
    case license = "MediaResponder.refusal"
    case arrivingResponse = "MediaResponder.arrivingResponse"
    case keyResponse = "KeyResponder.key"
    // The store.
    case key = "KeyDesk.answer"
    case vault = "KeyVault.open"
    case unit = "StoredMedia.unit"
    case demand = "MediaAccess.demand"
    case add = "StreamIntake.add"
    case read = "StreamSurvey.read"
    case bundle = "BundleWriter.write"
    case plan = "RenditionTable.commitPlan"
    // The engine.
    case resolver = "StreamResolver.plan"
    case keys = "KeyFetcher.fetch"
    case expect = "ArrivingUnits.expect"
    case hold = "Players.hold"
    case demanded = "DownloadEngine.demanded"
    case begin = "DownloadEngine.begin"
    case drift = "DriftCheck.finding"
    case run = "AssetDownload.run"
    case fetch = "UnitFetcher.fetch"
    case transfer = "SegmentFetch.run"
    case answer = "SegmentSink.begin"
    case store = "UnitStorer.commit"
    case commit = "SegmentCommitter.commit"
    case finish = "DownloadEngine.finish"
}

/// Reports the trace points that requests pass to a listener. Without a listener, a point costs one test of a flag.
package enum Trace {
    /// A passed point with its subject: the token of an asset, or a path with it.
    package struct Point: Sendable {
        package let step: TraceStep
        package let subject: String
        /// The module, as its files are found under `Sources`.
        package let module: String
    }

    private static let isOn = Atomic(false)
    private static let listeners = Lock<[Int: @Sendable (Point) -> Void]>([:])

    /// Passes a point.
    ///
    /// - Parameter subject: the passing request or unit, without secrets; evaluated only for a listener.
    package static func pass(
        _ step: TraceStep, _ subject: @autoclosure () -> String, file: StaticString = #fileID
    ) {
        guard isOn.load(ordering: .relaxed) else { return }
        let module = "\(file)".prefix { $0 != "/" }
        let point = Point(step: step, subject: subject(), module: String(module))
        for listener in listeners.withLock({ Array($0.values) }) { listener(point) }
    }

    /// Sets a listener for all points, on any thread; it must not block.
    ///
    /// - Returns: the number for `forget`.
    package static func listen(_ body: @escaping @Sendable (Point) -> Void) -> Int {
        listeners.withLock { listeners in
            let number = (listeners.keys.max() ?? 0) + 1
            listeners[number] = body
            isOn.store(true, ordering: .relaxed)
            return number
        }
    }

    /// Removes a listener.
    package static func forget(_ number: Int) {
        listeners.withLock { listeners in
            listeners[number] = nil
            isOn.store(!listeners.isEmpty, ordering: .relaxed)
        }
    }
}

/// A way of a request through the program: the places that it passes, each once, in this order.
///
/// `scripts/draw-corridors` draws each as a picture for the docs, and a test compares it with the places that a real
/// request passes.
package struct Corridor: Sendable {
    package let name: String
    package let steps: [TraceStep]
    /// The steps after this point run at the same time as the answer to the client.
    package let beside: [TraceStep]

    /// The way of a segment that a player asks for, which is not stored.
    package static let segment = Corridor(
        name: "segment",
        steps: [
            .tokenGate, .mediaCache, .accessPolicy, .route, .unitResponse, .license, .unit, .demand, .expect,
            .hold, .demanded, .run, .fetch, .transfer, .answer, .arrivingResponse,
        ],
        beside: [.store, .commit])

    /// The corridor of a download that a user requests, from its address to the last segment; the steps of one
    /// segment stand for those of all.
    package static let download = Corridor(
        name: "download",
        steps: [
            .add, .read, .resolver, .keys, .bundle, .plan, .begin, .drift, .run, .fetch, .transfer, .answer,
            .store, .commit, .finish,
        ],
        beside: [])

    /// The way of a content key that a player asks for.
    package static let key = Corridor(
        name: "key",
        steps: [.tokenGate, .mediaCache, .accessPolicy, .route, .keyResponse, .key, .vault],
        beside: [])

    package static let all = [segment, download, key]
}

extension UnitKey {
    /// Its asset, rendition and number.
    package var traced: String { "\(token)/\(unit.rendition)/\(unit.number)" }
}

extension FilePath {
    /// The part of a path behind the folder of all assets.
    package var traced: String { components.suffix(3).map(\.string).joined(separator: "/") }
}
