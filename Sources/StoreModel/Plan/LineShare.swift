/// How the line to the origins is shared between players and the download. Pure.
package enum LineShare {
    /// The part of the line that is the download's while somebody plays and has enough ahead.
    static let leastBackground = 0.3
    /// The transfers that the download keeps in any case then: two, so that one that waits for an answer leaves no
    /// gap.
    static let fewestTransfers = 2

    /// How many transfers may go on that are not for players.
    ///
    /// Transfers share a line about equally, so that their number decides. Where an origin limits each of them instead,
    /// the line is as wide as the usual number of them.
    ///
    /// - Parameters:
    ///   - pressure: how much players need the line.
    ///   - usual: transfers that are worth while without players.
    ///   - forPlayers: transfers that bring what players will want.
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
