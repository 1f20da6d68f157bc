extension AssetDownload {
    /// Of a rendition that the asset can do without, what every unit of every rendition would meet in the same way is no
    /// reason to give it up.
    ///
    /// - Throws: what ends the run until there is a fresh address, or a network.
    func waitForHealing(_ job: UnitJob, _ error: StoreError) throws(StoreError) {
        switch error.errorClass {
        case .auth where !isLive && context.links.ask(token, forOptional: job.place): throw error
        case .network where error.isRetryable && !context.conditions.isOnline(job.unit.url):
            throw StoreError(.stopped)
        default: return
        }
    }
}
