/// The demand of players and the units on their way to them: the meeting point of the downloads and players of a
/// store.
package struct PlayerDemand: Sendable {
    package let arriving: ArrivingUnits
    package let players: Players

    package init(arriving: ArrivingUnits, players: Players) {
        (self.arriving, self.players) = (arriving, players)
    }
}
