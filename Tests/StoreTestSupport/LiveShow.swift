import Locking
import ModelTestSupport
package import StoreModel
package import TestSupport

@testable import AssetStore
@testable package import StorePlanning

/// A live stream of an origin, page by page: whoever waits to load its playlist again turns the page, once the present
/// one was read. Nothing goes by the clock.
package final class LiveShow: Sendable {
    private struct State {
        var pages: [String]
        /// What delta updates get instead, by the page.
        var updates: [Int: String]
        /// The page that is shown, counted from 0, and how often its playlist was loaded before.
        var shown = -1
        var loads = 0
        var heldAt: Int?
        var isHolding = false
    }

    package let origin: OriginServer
    package let path: String
    private let state: Lock<State>

    /// - Parameters:
    ///   - pages: the playlists in their order.
    ///   - updates: delta updates by the page, counted from 0; of others there are none.
    package init(
        _ origin: OriginServer, _ path: String = "/live/index.m3u8", pages: [String],
        updates: [Int: String] = [:]
    ) {
        self.origin = origin
        self.path = path
        state = Lock(State(pages: pages, updates: updates))
        turn()
    }

    /// Segments `s0.ts`, `s1.ts` and so on beside the playlist; returns their bytes.
    ///
    /// - Parameter keys: the bytes that a segment is encrypted with (METHOD=AES-128), by its media sequence number.
    @discardableResult
    package func serveSegments(_ count: Int, seed: UInt64 = 1, keys: [Int: UInt8] = [:]) -> [[UInt8]] {
        let folder = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        return (0..<count).map { number in
            let clear = Media.ts(10, seed: seed + UInt64(number))
            let key = keys[number].map { [UInt8](repeating: $0, count: 16) }
            let bytes = key.map { SampleMedia.encrypted(clear, key: $0, number: number) } ?? clear
            origin.serve("\(folder)/s\(number).ts", bytes: bytes, contentType: "video/mp2t")
            return bytes
        }
    }

    /// Stops turning when that page, counted from 0, was read, until `release`.
    package func hold(at page: Int) { state.withLock { $0.heldAt = page } }

    package func release() { state.withLock { $0.heldAt = nil } }

    /// What the engine waits by.
    package var pause: @Sendable (Double) async throws -> Void {
        { [self] _ in
            repeat {
                try await Task.sleep(for: .milliseconds(2))
            } while state.withLock({ state in
                state.isHolding = state.heldAt == state.shown
                return state.isHolding
            })
            turn()
        }
    }

    /// Returns when the recording waits at the page where it was held.
    package func untilHeld() async throws {
        while !state.withLock(\.isHolding) { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Shows the next page, when the present one was read.
    package func turn() {
        let loads = origin.requests(for: path).count
        state.withLock { state in
            guard state.shown < 0 || loads > state.loads, !state.pages.isEmpty else { return }
            origin.serve(path, text: state.pages.removeFirst())
            (state.shown, state.loads) = (state.shown + 1, loads)
            let address = "\(path)?_HLS_skip=YES"
            if let update = state.updates[state.shown] {
                origin.serve(address, text: update)
            } else {
                origin.remove(address)
            }
        }
    }

    /// A page: the segments with these numbers, of a second each.
    package static func page(
        _ numbers: Range<Int>, sequence: Int? = nil, tags: [Int: String] = [:], header: String = "",
        isEnd: Bool = false
    ) -> String {
        let lines = numbers.map { "\(tags[$0] ?? "")#EXTINF:1,\ns\($0).ts\n" }.joined()
        return "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(sequence ?? numbers.lowerBound)\n"
            + header + lines + (isEnd ? "#EXT-X-ENDLIST\n" : "")
    }
}

extension StoreFixture {
    /// Records a show to its end, from its first segment.
    package func record(_ show: LiveShow, _ change: (inout AssetRequest) -> Void = { _ in }) async throws
        -> Asset
    {
        try await download(show.path) { request in
            request.selection.recording = Selection.Recording()
            request.selection.recording?.fromStart = true
            change(&request)
        }
    }

    /// The lines of a rendition's playlist as it is while it grows, or as it is in the end.
    package func mediaLines(_ token: AssetToken, _ rendition: String = "video", _ view: LiveView = LiveView())
        throws
        -> [String]
    {
        let growing = try store.reader.playlists.growingMediaPlaylist(token, rendition, view: view)
        let bytes = try growing ?? stored(token, "\(rendition)/media.m3u8") ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
