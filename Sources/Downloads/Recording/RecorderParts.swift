/// The parts that a recording works with.
package struct RecorderParts: Sendable {
    let store: StoreAccess
    let recordings: Recordings
    let links: LinkRequests
    let board: ActivityBoard
    let owner: StoreOwnerLink
    let conditions: EngineConditions
    /// Waits so many seconds until a playlist is loaded again.
    let wait: @Sendable (Double) async throws -> Void
}
