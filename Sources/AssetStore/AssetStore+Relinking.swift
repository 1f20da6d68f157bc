extension AssetStore {
    /// Takes a fresh address of the same stream: what is stored stays, what is missing comes from there. A
    /// download that failed goes on.
    ///
    /// - Throws: `notSameStream`, changing nothing, when something that is missing is not in it.
    public func relink(_ token: AssetToken, to url: String) async throws(StoreError) {
        await engine.hold([token])
        await engine.halt([token], isForGood: false)
        do throws(StoreError) {
            try await relinker.relink(token, to: url)
            if try catalog.asset(token)?.state == .failed { try await perform(.resume, on: token) }
        } catch {
            await release([token])
            throw error
        }
        changed(token)
        await release([token])
    }
}
