/// The result of adding renditions to an asset.
public struct TracksAdded: Sendable {
    /// The names of the new renditions; empty when the asset had all of them.
    public var names: [String] = []
    /// Renditions that could not be read and were left out, with the reason.
    public var lost: [String] = []
    /// The parts of the request that the stream lacks.
    public var leftOut: [LeftOut] = []

    /// Makes an empty result.
    public init() {}

    init(names: [String] = [], lost: [String] = [], leftOut: [LeftOut]) {
        (self.names, self.lost, self.leftOut) = (names, lost, leftOut)
    }
}
