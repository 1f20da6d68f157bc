import Foundation
import Testing

@testable import AssetStore
@testable import StoreModel

@Suite("An error")
struct StoreErrorKindTests {
    @Test("of a file is one of its bytes, unless its permissions or a limit of the process are the reason")
    func bytes() {
        func isOfBytes(_ errno: Int32) -> Bool {
            StoreError(.file(.read, "/films/0.ts", errno: errno)).isOfBytes
        }
        #expect(isOfBytes(EIO) && isOfBytes(ELOOP))
        #expect(!isOfBytes(EACCES))
        #expect(!isOfBytes(EPERM))
        #expect(!StoreError(.tooManyFiles("/films/0.ts")).isOfBytes)
        #expect(StoreError(.vault).isOfBytes)
    }

    @Test("is the end of the work, and none of the file that was being read, only if the work was stopped")
    func stop() {
        #expect(StoreError(.stopped(.cancelled)).isStop && StoreError(.stopped(.closing)).isStop)
        #expect(!StoreError(.status(404, retryAfter: nil)).isStop)
        #expect(!StoreError(.vault).isStop)
    }
}
