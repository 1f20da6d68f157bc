/// Fetches the units of an asset, each into its file.
struct UnitFetcher: Sendable {
    let token: AssetToken
    let origin: Origin
    let meter: ByteMeter
    let inspectors: UnitInspectors
    let failOver: FailOver
    let habits = OriginHabits()
    /// Whether it is a recording, whose origin may have segments a little late.
    let isLive: Bool
    let arriving: ArrivingUnits
    let board: ActivityBoard
    /// Waits before a retry.
    let pause: RetryPause

    /// Fetches a unit into its file, until it is whole or can't be had.
    func fetch(_ job: UnitJob, into file: PartialFile, leash: TransferLeash) async -> RunEvent {
        Trace.pass(.fetch, UnitKey(token: token, unit: job.id).traced)
        do throws(StoreError) {
            let inspector = try inspectors.inspector(of: job)
            let fetched = try await UnitTransfer(
                job: job, file: file, failOver: failOver, pause: pause.told(to: board, of: token)
            ) { unit, tries, isOwn in
                SegmentFetch(
                    origin: origin, unit: unit, file: file, meter: meter,
                    inspector: inspector, leash: leash,
                    habits: isOwn ? habits : OriginHabits(), tries: tries, sleep: pause,
                    retriesMissing: isLive, blank: job.blank, limit: job.unmeasuredLimit,
                    reporter: ActivityReporter(board: board, token: token, part: job.id.description))
            }.run()
            return .fetched(job, file, fetched)
        } catch {
            file.finish(.failed(error))
            arriving.end(UnitKey(token: token, unit: job.id))
            leave(file, after: error)
            return .failed(job, error)
        }
    }

    /// Keeps the bytes of a unit if a later transfer can resume after them.
    private func leave(_ file: PartialFile, after error: StoreError) {
        let isKept = file.leave(isWorthKeeping: error.isWorthGoingOn)
        // A stop says nothing about the address.
        if isKept, file.hasGrown, !error.isStopped { meter.noteKept() }
    }
}
