import Dispatch
import Glibc
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("A catalog that is closed", .timeLimit(.minutes(1)))
struct CatalogClosingTests {
    @Test("serves earlier requests and refuses later ones, with many at the same moment")
    func inUse() async throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("catalog.db"))
        for _ in 0..<50 {
            let catalog = try Catalog(writing: path)
            let codes = await withTaskGroup(of: StoreError.Code?.self) { group in
                for number in 0..<6 { group.addTask { await Self.end(of: catalog, writes: number == 0) } }
                usleep(500)
                catalog.close()
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.allSatisfy { if case .stopped? = $0 { true } else { false } }, "\(codes)")
        }
    }

    @Test("stays closed when it is closed again, later and in the same moment")
    func again() async throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("catalog.db"))
        for _ in 0..<20 {
            let catalog = try Catalog(writing: path)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { catalog.close() } }
            }
            catalog.close()
            #expect(throws: StoreError.self) { try catalog.events.firstEvent() }
            #expect(
                FileSystem.facts(WriteAheadLog.path(of: path))?.size ?? 0 == 0, "all of it is in one file")
        }
    }

    /// Asks until it is refused; why it was.
    private static func end(of catalog: Catalog, writes: Bool) async -> StoreError.Code? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let error = failure {
                    while true {
                        _ = try catalog.events.firstEvent()
                        if writes { try catalog.events.forgetEvents(before: Timestamp(milliseconds: 0)) }
                    }
                }
                continuation.resume(returning: (error as? StoreError)?.code)
            }
        }
    }

    private static func failure(_ body: () throws -> Void) -> (any Error)? {
        do { try body() } catch { return error }
        return nil
    }
}
