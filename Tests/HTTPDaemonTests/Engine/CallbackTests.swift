import Testing

@testable import HTTPDaemon

@Suite("A callback of the library")
struct CallbackTests {
    @Test("begins no exchange without its daemon")
    func daemon() {
        let hasBegun = unsafe requestStarted(nil, nil, nil) != nil
        #expect(!hasBegun)
    }

    @Test("takes no content of a request whose exchange did not begin")
    func exchange() {
        var size = 3
        // The connection is not touched.
        _ = unsafe requestArrived(nil, OpaquePointer(bitPattern: 1), nil, nil, nil, nil, &size, nil)
        #expect(size == 3)
    }
}
