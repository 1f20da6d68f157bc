/// What players want and what is on its way to them: where downloads and players of a store meet.
package struct PlayerDemand: Sendable {
    package let arriving: ArrivingUnits
    package let players: Players

    package init(arriving: ArrivingUnits, players: Players) {
        (self.arriving, self.players) = (arriving, players)
    }
}
