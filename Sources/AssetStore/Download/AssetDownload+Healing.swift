extension AssetDownload {
    /// Fetches nothing more of a rendition that the asset can do without: in this run, if that may heal, else for good.
    func giveUp(_ job: UnitJob, _ error: StoreError, _ progress: inout Progress) throws(StoreError) {
        let mayHeal = try waitsForHealing(job, error, &progress)
        progress.queue.drop(rendition: job.rendition.id)
        if !mayHeal { try context.catalog.setFailure(error.message, ofRendition: job.rendition.id) }
    }

    /// What every unit of every rendition would meet in the same way is no reason to give one up.
    ///
    /// - Returns: whether a fresh address is asked for when the run has fetched everything else.
    /// - Throws: what ends the run until there is a network.
    private func waitsForHealing(
        _ job: UnitJob, _ error: StoreError, _ progress: inout Progress
    ) throws(StoreError) -> Bool {
        if error.errorClass == .auth, !isLive, context.links.mayHelp(token, job.place) {
            progress.refusals.append((job.place, error))
            return true
        }
        guard error.errorClass == .network, error.isRetryable else { return false }
        // The engine lets the asset go on by the same address: by another one it would end and begin without a pause.
        let url = try context.catalog.asset(token)?.sourceURL
        if let url, !context.conditions.isOnline(url) { throw StoreError(.stopped) }
        return false
    }

    /// Asks for one fresh address for all that was refused in a run and might come with it.
    ///
    /// - Throws: the first refusal, if there was any.
    func askForHealing(_ progress: Progress) throws(StoreError) {
        guard let first = progress.refusals.first else { return }
        context.links.ask(token, forOptional: progress.refusals.map(\.place))
        throw first.reason
    }
}
