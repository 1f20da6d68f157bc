import Testing

@testable import StoreModel
@testable import StorePlanning

/// How the line is shared between players and the download, whatever it is like.
struct LineShareTests {
    /// The part of a line that the download gets beside so many transfers for players. The line carries `total` at most,
    /// for each transfer `each` at most, and gives all transfers the same.
    private func part(usual: Int, forPlayers: Int, each: Double, total: Double) -> Double {
        let own = Double(LineShare.background(under: .shared, usual: usual, forPlayers: forPlayers))
        let whole = min(Double(usual) * each, total)
        let given = min(each, total / (own + Double(forPlayers)))
        return own * given / whole
    }

    @Test("with enough ahead of all players the download keeps thirty percent, on any line")
    func shared() {
        for usual in [1, 6, 10, 16] {
            for forPlayers in 0...32 {
                for each in [1, 10, 1e9] {
                    let part = part(usual: usual, forPlayers: forPlayers, each: each, total: 30)
                    #expect(part >= 0.3 - 1e-9, "\(usual) usual, \(forPlayers) for players, \(each) each")
                }
            }
        }
    }

    @Test(
        "a player that waits or has little buffered gets the whole line; without players the download gets it"
    )
    func all() {
        #expect(LineShare.background(under: .demand, usual: 16, forPlayers: 1) == 0)
        #expect(LineShare.background(under: .ahead, usual: 16, forPlayers: 1) == 0)
        #expect(LineShare.background(under: .none, usual: 6, forPlayers: 0) == .max)
    }
}
