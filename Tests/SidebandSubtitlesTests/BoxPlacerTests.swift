import Testing

@testable import SidebandSubtitles

@Suite("A box that makes room")
struct BoxPlacerTests {
    private func place(_ box: FrameRect, _ obstacles: FrameRect...) throws -> FrameRect {
        let frame = try #require(FrameSize(width: 1000, height: 1000))
        return BoxPlacer(frame: frame, obstacles: obstacles).nearest(to: box)
    }

    @Test("fits between an obstacle and the edge of the picture, though percentages do not add up exactly")
    func edges() throws {
        let box = FrameRect(x: 100, y: 300, width: 800, height: 120)
        let above = FrameRect(x: 0, y: 0, width: 1000, height: 880.005)
        #expect(try place(box, above) == box.moved(y: 580))
        let below = FrameRect(x: 0, y: 119.995, width: 1000, height: 900)
        #expect(try place(box, below) == box.moved(y: -300))
        let left = FrameRect(x: 0, y: 0, width: 200.005, height: 1000)
        #expect(try place(box, left) == box.moved(x: 100))
    }

    @Test("is moved in both directions at once if at most 40 others are in the way", arguments: [40, 41])
    func diagonal(count: Int) throws {
        let frame = try #require(FrameSize(width: 1000, height: 1000))
        let across = FrameRect(x: 0, y: 450, width: 1000, height: 100)
        let down = FrameRect(x: 450, y: 0, width: 100, height: 1000)
        let obstacles = [down] + [FrameRect](repeating: across, count: count - 1)
        let box = FrameRect(x: 440, y: 440, width: 100, height: 100)
        let place = BoxPlacer(frame: frame, obstacles: obstacles).nearest(to: box)
        #expect(place == (count == 40 ? FrameRect(x: 350, y: 350, width: 100, height: 100) : box))
    }

    @Test("stays where it is when there is no room")
    func noRoom() throws {
        let box = FrameRect(x: 100, y: 300, width: 800, height: 120)
        let above = FrameRect(x: 0, y: 0, width: 1000, height: 880.02)
        #expect(try place(box, above) == box)
    }
}
