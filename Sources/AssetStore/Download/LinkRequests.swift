internal import Locking

/// Which refusals of an origin are worth asking for a fresh address of a recording: each playlist until it comes again,
/// each unit once.
final class LinkRequests: Sendable {
    /// What was refused.
    enum Refused: Hashable, Sendable {
        /// The playlist of a rendition.
        case playlist(String)
        case unit(UnitPlace)
    }

    private struct State {
        var asked: [AssetToken: Set<Refused>] = [:]
        var wanted: Set<AssetToken> = []
    }

    private let state = Lock(State())
    /// Whether anybody knows fresh addresses.
    let isAnswered: Bool

    init(isAnswered: Bool) { self.isAnswered = isAnswered }

    /// Asks for a fresh address, unless that was done for the same.
    ///
    /// - Returns: whether it is to be waited for: the recording then ends for the moment with the refusal.
    func ask(_ token: AssetToken, for refused: Refused) -> Bool {
        guard isAnswered else { return false }
        return state.withLock { state in
            guard state.asked[token, default: []].insert(refused).inserted else { return false }
            state.wanted.insert(token)
            return true
        }
    }

    /// A playlist came: should it be refused again, that is another time.
    func came(_ token: AssetToken, _ rendition: String) {
        state.withLock { _ = $0.asked[token]?.remove(.playlist(rendition)) }
    }

    /// Whether a fresh address was asked for; the answer is on its way from now on.
    func take(_ token: AssetToken) -> Bool { state.withLock { $0.wanted.remove(token) != nil } }

    /// Nothing more comes of an asset.
    func forget(_ token: AssetToken) {
        state.withLock { state in
            state.asked[token] = nil
            state.wanted.remove(token)
        }
    }
}
