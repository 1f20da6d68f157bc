/// The outcome of an action on several assets.
public struct ControlOutcome: Sendable {
    /// The assets on which the action has taken effect.
    public var done: [AssetChange] = []
    /// The assets for which the action was refused, with the reason.
    public var refused: [(token: AssetToken, error: StoreError)] = []

    /// Makes an empty outcome.
    public init() {}

    package mutating func add(_ token: AssetToken, _ result: Result<AssetChange, StoreError>) {
        switch result {
        case .success(let change): done.append(change)
        case .failure(let error): refused.append((token, error))
        }
    }
}
