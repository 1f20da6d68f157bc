/// The parts that a recording works with.
package struct RecorderParts: Sendable {
    let store: StoreAccess
    let recordings: Recordings
    let links: LinkRequests
    let board: ActivityBoard
    let owner: StoreOwnerLink
    let conditions: EngineConditions
    /// Waits a number of seconds before a playlist is loaded again.
    let wait: @Sendable (Double) async throws -> Void
}
