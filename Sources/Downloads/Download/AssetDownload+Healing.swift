extension AssetDownload {
    /// Fetches nothing more of a rendition that the asset can do without: in this run, if that may heal, else for good.
    package func giveUp(_ job: UnitJob, _ error: StoreError, _ progress: inout Progress) throws(StoreError) {
        let mayHeal = try waitsForHealing(job, error)
        progress.queue.drop(rendition: job.rendition.id)
        if mayHeal {
            progress.setbacks.append((job.place, error))
        } else {
            try context.catalog.renditions.setFailure(error.message, ofRendition: job.rendition.id)
        }
    }

    /// What every unit of every rendition would meet in the same way is no reason to give one up.
    ///
    /// - Returns: whether a fresh address is asked for, or another try made, when the run has fetched everything else.
    /// - Throws: what ends the run until there is a network.
    private func waitsForHealing(_ job: UnitJob, _ error: StoreError) throws(StoreError) -> Bool {
        switch error.errorClass {
        case .auth: return !isLive && context.links.mayHelp(token, job.place)
        case .network where error.isRetryable:
            // The engine lets the asset go on by the same address: by another one it would end and begin at once.
            let url = try context.catalog.assets.asset(token)?.sourceURL
            if let url, !context.conditions.isOnline(url) { throw StoreError(.stopped(.offline)) }
        case .http where error.isRetryable: break
        default: return false
        }
        return !isLive && context.outages.mayPass(token, job.place)
    }

    /// Asks for one fresh address for all that was refused in a run and might come with it, or else has the asset wait
    /// for its origin.
    ///
    /// - Throws: the first reason, if there was any.
    func askForHealing(_ progress: Progress) throws(StoreError) {
        let refused = progress.setbacks.filter { $0.reason.errorClass == .auth }
        if let first = refused.first {
            context.links.ask(token, forOptional: refused.map(\.place))
            throw first.reason
        }
        guard let first = progress.setbacks.first else { return }
        context.outages.wait(token, for: progress.setbacks.map(\.place))
        throw first.reason
    }

    /// A unit of a rendition that the asset can do without has come.
    func noteRecovery(_ rendition: RenditionRecord) {
        context.links.unitCame(token, rendition.name)
        context.outages.unitCame(token, rendition.name)
    }
}
