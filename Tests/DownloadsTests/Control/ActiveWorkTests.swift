import Testing

@testable import Downloads
@testable import StoreCatalog
@testable import StoreModel

@Suite("A slot for the next asset of the queue")
struct ActiveWorkTests {
    private let tokens = (Int64(1)...20).map { AssetToken(at: Timestamp(milliseconds: $0)) }
    private var work = ActiveWork()

    private func entry(_ number: Int, isUnresolved: Bool = false) -> QueueEntry {
        QueueEntry(token: tokens[number], priority: 0, isUnresolved: isUnresolved)
    }

    private func run(isFallback: Bool = false, isHeldUp: Bool = false) -> ActiveWork.Run {
        let meter = ByteMeter()
        if isHeldUp { meter.beginWait() }
        return ActiveWork.Run(task: Task {}, meter: meter, isFallback: isFallback)
    }

    /// The beginning of the reading of an asset's playlists.
    private mutating func resolve(_ number: Int) {
        let entry = entry(number, isUnresolved: true)
        work.begin(entry.token, ActiveWork.Resolution(task: Task {}, entry: entry))
    }

    @Test("is free while fewer downloads run than may run")
    mutating func slots() {
        #expect(work.hasPlace(for: entry(9), of: 1) && !work.hasPlace(for: entry(9), of: 0))
        work.begin(tokens[0], run())
        #expect(work.hasPlace(for: entry(9), of: 2) && !work.hasPlace(for: entry(9), of: 1))
        let isEnded = work.endRun(of: tokens[0]) != nil
        #expect(isEnded && work.hasPlace(for: entry(9), of: 1))
    }

    @Test("is not taken by downloads for players alone, nor by those that wait for their host")
    mutating func others() {
        work.begin(tokens[0], run(isFallback: true))
        #expect(!work.hasIdlePlaces)
        work.begin(tokens[1], run(isHeldUp: true))
        #expect(work.hasPlace(for: entry(9), of: 1) && work.hasIdlePlaces)
    }

    @Test("is kept for assets before it whose playlists are being read, and not for those behind it")
    mutating func reserved() {
        resolve(5)
        #expect(!work.hasPlace(for: entry(6), of: 1) && work.hasPlace(for: entry(6), of: 2))
        #expect(work.hasPlace(for: entry(4), of: 1))
    }

    @Test("is not needed to read playlists: of four assets at once, and of sixteen for players")
    mutating func resolutions() {
        for number in 0..<3 { resolve(number) }
        #expect(work.hasPlace(for: entry(19, isUnresolved: true), of: 0))
        resolve(3)
        #expect(!work.hasPlace(for: entry(19, isUnresolved: true), of: 100))
        for number in 4..<15 { resolve(number) }
        #expect(work.mayResolveForPlayer)
        resolve(15)
        #expect(!work.mayResolveForPlayer)
    }
}

@Suite("The work on assets")
struct AssetTasksTests {
    private let tokens = (Int64(1)...3).map { AssetToken(at: Timestamp(milliseconds: $0)) }
    private var work = ActiveWork()

    /// A task that goes on until it is cancelled.
    private func task() -> Task<Void, Never> {
        Task { _ = try? await Task.sleep(for: .seconds(600)) }
    }

    private mutating func run(_ token: AssetToken, isFallback: Bool = false) -> Task<Void, Never> {
        let task = task()
        work.begin(token, ActiveWork.Run(task: task, meter: ByteMeter(), isFallback: isFallback))
        return task
    }

    private mutating func resolve(_ token: AssetToken) -> Task<Void, Never> {
        let task = task()
        let entry = QueueEntry(token: token, priority: 0, isUnresolved: true)
        work.begin(token, ActiveWork.Resolution(task: task, entry: entry))
        return task
    }

    @Test("is a download or the reading of playlists")
    mutating func kinds() {
        #expect(work.isEmpty && !work.isAt(tokens[0]))
        let download = run(tokens[0])
        #expect(!work.isEmpty && work.isAt(tokens[0]) && !work.isAt(tokens[1]))
        let reading = resolve(tokens[1])
        #expect(work.isAt(tokens[1]) && work.running == [tokens[0]] && work.tasks.count == 2)
        work.endRun(of: tokens[0])
        #expect(!work.isEmpty && !work.isAt(tokens[0]) && work.isAt(tokens[1]))
        work.endResolution(of: tokens[1])
        #expect(work.isEmpty)
        for task in [download, reading] { task.cancel() }
    }

    @Test("is told to wait once, with the reason, until its end is written")
    mutating func putOff() {
        let (download, reading) = (run(tokens[0]), resolve(tokens[1]))
        #expect(work.interruptible == [tokens[0]] && work.interruptibleResolutions == [tokens[1]])
        work.putOff(tokens[0], for: .network)
        #expect(download.isCancelled && !reading.isCancelled)
        #expect(work.reason(of: tokens[0]) == .network && work.interruptible.isEmpty)
        work.putOff(tokens[1], for: .metered)
        #expect(reading.isCancelled && work.reason(of: tokens[1]) == .metered)
        #expect(work.interruptibleResolutions.isEmpty)
        work.forgetReason(of: tokens[0])
        #expect(work.reason(of: tokens[0]) == nil && work.interruptible == [tokens[0]])
    }

    @Test("goes on for players alone when it is told to wait; the reading of playlists ends")
    mutating func forPlayers() {
        let (download, reading) = (run(tokens[0], isFallback: true), resolve(tokens[0]))
        #expect(work.interruptible.isEmpty)
        work.putOff(tokens[0], for: .disk)
        #expect(!download.isCancelled && reading.isCancelled)
        let usual = run(tokens[1])
        let other = run(tokens[2], isFallback: true)
        work.putOffAll(for: .schedule)
        #expect(usual.isCancelled && !other.isCancelled && !download.isCancelled)
        #expect(work.reason(of: tokens[1]) == .schedule && work.reason(of: tokens[2]) == nil)
        for task in [download, other] { task.cancel() }
    }
}
