extension DownloadEngine {
    /// Changes an asset while none of its units is in transfer.
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
