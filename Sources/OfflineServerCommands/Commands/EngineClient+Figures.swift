internal import AssetStore
internal import Foundation
internal import Locking
internal import SystemPackage
internal import Transfers

/// Figures that only the running server knows.
extension EngineClient {
    /// The time for which an answer is used again.
    private static let memory = Duration.milliseconds(400)

    /// The figures of assets that run, or that wait after a failure; empty if the server does not answer.
    func figures() async -> [AssetToken: LiveFigures] {
        if let last = known.withLock(\.self), ContinuousClock.now < last.until { return last.figures }
        var figures: [AssetToken: LiveFigures] = [:]
        if let answer: ActivityMembers = await get("activity") {
            for member in answer.assets {
                guard let token = AssetToken(member.token) else { continue }
                figures[token] = member.figures
            }
        }
        known.withLock { $0 = (figures, ContinuousClock.now + Self.memory) }
        return figures
    }

    /// The times at which assets were played last, as the server knows them; `nil` if it does not answer.
    func plays() async -> [AssetToken: Timestamp]? {
        guard let answer: StorageMembers = await get("storage") else { return nil }
        let plays = answer.assets.compactMap { share in
            AssetToken(share.token).flatMap { token in
                share.lastPlayedAt.flatMap { Timestamp(rfc3339: $0) }.map { (token, $0) }
            }
        }
        return Dictionary(plays) { $1 }
    }

    /// Gets a JSON document; `nil` if there is no answer soon.
    private func get<T: Decodable>(_ path: String) async -> T? {
        var request = self.request(path, .get)
        request.stallTimeout = .seconds(10)
        guard let (result, bytes) = try? await loop.fetch(request), result.response.status == 200 else {
            return nil
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(T.self, from: Data(bytes))
    }
}

/// Figures of assets that the catalog lacks, from the server that runs on the store, if there is one.
struct LiveLook {
    let root: FilePath
    private var client: EngineClient?

    init(root: FilePath) { self.root = root }

    /// The figures of the assets that an engine may be working on.
    mutating func figures(of assets: [Asset]) async -> [AssetToken: LiveFigures] {
        let active = assets.filter {
            [.downloading, .resolving, .failed].contains($0.state)
                || $0.state == .queued && $0.reason != Asset.reasonOfNoEngine
        }
        guard !active.isEmpty else { return [:] }
        if client == nil { client = (try? await EngineClient.find(root)) ?? nil }
        let known = await client?.figures() ?? [:]
        return Dictionary(
            uniqueKeysWithValues: active.map { ($0.token, LiveFigures.of($0, known: known[$0.token])) })
    }

    /// Ends the connection.
    mutating func close() async {
        await client?.close()
        client = nil
    }
}

/// The answer of `GET /activity`, as far as it is read.
private struct ActivityMembers: Decodable {
    struct Entry: Decodable {
        var token: String
        var speed: Double?
        var inFlight: Int64
        var activity: Activity?

        var figures: LiveFigures {
            LiveFigures(speed: speed, inFlight: inFlight, activity: activity?.value)
        }
    }

    struct Activity: Decodable {
        var doing: String
        var since: String
        var attempt: Int
        var of: Int
        var lastError: Failure?
        var nextTryAt: String?
        var stalledSince: String?

        var value: AssetActivity? {
            guard let doing = AssetActivity.Doing(rawValue: doing), let since = Timestamp(rfc3339: since)
            else {
                return nil
            }
            return AssetActivity(
                doing: doing, since: since, attempt: attempt, of: of, lastError: lastError?.value,
                nextTryAt: nextTryAt.flatMap { Timestamp(rfc3339: $0) },
                stalledSince: stalledSince.flatMap { Timestamp(rfc3339: $0) })
        }
    }

    struct Failure: Decodable {
        var `class`: String
        var message: String
        var code: String?
        var url: String?
        var retryable: Bool
        var at: String

        var value: AssetFailure? {
            Timestamp(rfc3339: at).map {
                AssetFailure(
                    errorClass: `class`, code: code, message: message, url: url, retryable: retryable, at: $0)
            }
        }
    }

    var assets: [Entry]
}

/// The answer of `GET /storage`, as far as it is read.
private struct StorageMembers: Decodable {
    struct Share: Decodable {
        var token: String
        var lastPlayedAt: String?
    }

    var assets: [Share]
}
