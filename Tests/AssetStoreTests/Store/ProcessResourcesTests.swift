import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

struct ProcessResourcesTests {
    @Test("the words a process was started with are those that the kernel has")
    func arguments() {
        #expect(ProcessResources.arguments == CommandLine.arguments)
        #expect(ProcessResources.arguments.count > 1)
    }
}
