// When a run looks at its line, and when it starts what.

extension AssetDownload {
    func lookAtLine(_ progress: inout Progress) {
        let now = SteadyClock.seconds
        guard progress.line.isDue(now) else { return }
        progress.line.look(total: meter.total, now: now, wasBusy: progress.transfers.wereBusy())
    }

    /// Players come and go without a word, and lines tell nothing of themselves, so that somebody has to look.
    func startTicking(_ group: inout TaskGroup<Event>, _ progress: inout Progress) {
        let isWorth = progress.hasPlayers || (progress.line.isRamping && progress.queue.hasWaiting)
        guard isWorth, !progress.isTicking else { return }
        progress.isTicking = true
        let interval = progress.line.interval
        group.addTask {
            try? await Task.sleep(for: .seconds(interval))
            return .ticked
        }
    }

    /// Whether the next transfer waits a moment, after which there is an event. Beside players, the moments in which the
    /// line is free are not let pass.
    func isPaced(_ group: inout TaskGroup<Event>, _ progress: inout Progress) -> Bool {
        let pause = progress.pacer.pause(now: SteadyClock.seconds)
        guard pause > 0, progress.transfers.count > 0, progress.queue.hasWaiting, !progress.hasPlayers else {
            return false
        }
        guard !progress.isPaced else { return true }
        progress.isPaced = true
        group.addTask {
            try? await Task.sleep(for: .seconds(pause))
            return .paced
        }
        return true
    }

    /// Tells others when all has come and the last of it is being stored, and when more is fetched after all.
    func tellPhase(_ progress: inout Progress) {
        let isFinishing =
            progress.transfers.count == 0 && progress.commits > 0 && !progress.queue.hasWaiting
            && !progress.isRecording && !progress.hasSecondRound
        let phase = isFinishing ? AssetActivity.Doing.finishing : .transferring
        guard scope == .everything, phase != progress.phase else { return }
        progress.phase = phase
        context.board.enter(phase, token)
    }
}
