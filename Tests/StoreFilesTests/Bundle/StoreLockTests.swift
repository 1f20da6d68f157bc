import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("The lock of a store")
struct StoreLockTests {
    @Test("is held by one at a time, whose number and address anybody can read")
    func holder() throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("lock"))
        #expect(StoreLock.holder(path) == nil)
        let lock = try StoreLock(path)
        #expect(StoreLock.holder(path)?.url == nil && StoreLock.holder(path)?.pid == getpid())
        #expect(StoreLock.holder(path)?.requiresToken == false)
        try lock.publish(url: "http://127.0.0.1:8090", requiresToken: true)
        #expect(StoreLock.holder(path)?.url == "http://127.0.0.1:8090")
        #expect(StoreLock.holder(path)?.requiresToken == true && StoreLock.holder(path)?.storage == nil)
        let error = #expect(throws: StoreError.self) { try StoreLock(path) }
        guard case .storeInUse(let pid) = error?.code else { throw CancellationError() }
        #expect(pid == getpid())
        lock.release()
        #expect(StoreLock.holder(path) == nil)
        let next = try StoreLock(path)
        try lock.publish(url: "http://127.0.0.1:1")
        #expect(StoreLock.holder(path)?.url == nil)
        next.release()
    }

    @Test("can't be taken where its file can't be made")
    func refused() throws {
        let folder = try TemporaryDirectory()
        #expect(throws: StoreError.self) { try StoreLock(FilePath(folder.file("none/lock"))) }
        #expect(throws: StoreError.self) { try StoreLock(FilePath(folder.file(""))) }
    }

    @Test("has no holder that can be told while its file is no address")
    func foreign() throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("lock"))
        let lock = try StoreLock(path)
        // The lock belongs to the file, whatever stands in it.
        for bytes in [Array("no address".utf8), [UInt8](repeating: 0x20, count: 5000)] {
            let text = try FileDescriptor.open(path, .writeOnly, options: .truncate)
            _ = try text.writeAll(bytes)
            #expect(StoreLock.holder(path) == nil)
        }
        lock.release()
    }
}
