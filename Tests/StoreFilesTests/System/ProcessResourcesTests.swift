import Glibc
import Testing

@testable import StoreFiles

struct ProcessResourcesTests {
    @Test("the words a process was started with are those that the kernel has")
    func arguments() {
        #expect(ProcessResources.arguments == CommandLine.arguments)
        #expect(ProcessResources.arguments.count > 1)
    }

    @Test("a process may open as many files as the system lets it")
    func files() {
        let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        var limit = rlimit()
        #expect(unsafe getrlimit(kind, &limit) == 0)
        let most = limit.rlim_max
        limit.rlim_cur = most - 1
        #expect(unsafe setrlimit(kind, &limit) == 0)
        for _ in 0..<2 {
            ProcessResources.raiseOpenFileLimit()
            #expect(unsafe getrlimit(kind, &limit) == 0)
            #expect(limit.rlim_cur == most && limit.rlim_max == most)
        }
    }
}
