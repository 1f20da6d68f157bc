extension DownloadEngine {
    /// Does something to an asset while nothing of it is on the way.
    nonisolated func resting(
        _ token: AssetToken, _ body: () async throws(StoreError) -> Void
    ) async throws(StoreError) {
        await beginChange(of: token)
        await halt([token], isForGood: false)
        do throws(StoreError) {
            try await body()
        } catch {
            await endChange(of: token)
            throw error
        }
        await endChange(of: token)
    }
}
