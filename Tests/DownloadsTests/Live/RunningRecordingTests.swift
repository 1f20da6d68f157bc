import Locking
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("The recordings that run")
struct RunningRecordingTests {
    @Test("are told to stop; of another one there is nothing to stop")
    func stop() {
        let recordings = Recordings()
        let tokens = (Int64(1)...2).map { AssetToken(at: Timestamp(milliseconds: $0)) }
        let stopped = Lock(0)
        recordings.attach(tokens[0]) { stopped.withLock { $0 += 1 } }
        let found = [recordings.stop(tokens[0]), recordings.stop(tokens[1])]
        let count = stopped.withLock(\.self)
        #expect(found == [true, false] && count == 1)
        recordings.detach(tokens[0])
        let isFound = recordings.stop(tokens[0])
        #expect(!isFound)
    }
}
