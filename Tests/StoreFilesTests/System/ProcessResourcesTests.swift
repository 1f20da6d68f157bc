import Testing

@testable import StoreFiles

struct ProcessResourcesTests {
    @Test("the words a process was started with are those that the kernel has")
    func arguments() {
        #expect(ProcessResources.arguments == CommandLine.arguments)
        #expect(ProcessResources.arguments.count > 1)
    }
}
