/// How the line to the origins is shared between players and the download. Pure.
package enum LineShare {
    /// The download's share of the line while a player has enough stored ahead.
    static let leastBackground = 0.3
    /// The transfers that the download keeps in any case then: two, so that one that waits for an answer leaves no
    /// gap.
    static let fewestTransfers = 2

    /// The number of background transfers that may run beside players.
    ///
    /// Transfers share a line about equally, so their number decides. If an origin limits each transfer instead, the
    /// line is as wide as the usual number of them.
    ///
    /// - Parameters:
    ///   - pressure: the need of players for the line.
    ///   - usual: the useful number of transfers without players.
    ///   - forPlayers: the number of transfers for players' next units.
    package static func background(under pressure: PlayerPressure, usual: Int, forPlayers: Int) -> Int {
        switch pressure {
        case .none: return .max
        case .shared:
            let besidePlayers = Double(forPlayers) * leastBackground / (1 - leastBackground)
            let ofUsual = Double(usual) * leastBackground
            return max(fewestTransfers, Int(max(besidePlayers, ofUsual).rounded(.up)))
        case .ahead, .demand: return 0
        }
    }
}
