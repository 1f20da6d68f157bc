import HTTPTypes
import Testing

@testable import HTTPDaemon

@Suite("The library's form of a response")
struct LibraryResponseTests {
    @Test("is not sent if nothing reads the stream that is its body")
    func streamless() {
        let body = ResponseBody.stream(length: nil, GrowingSource())
        let response = LibraryResponse(Response(status: .ok, body: body), stream: nil)
        // The connection is not touched.
        let isSent = unsafe OpaquePointer(bitPattern: 1).map { unsafe response.queue(on: $0) }
        #expect(isSent == false)
    }
}
