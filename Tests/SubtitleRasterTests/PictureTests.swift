import Foundation
import SidebandSubtitles
import SubtitleRaster
import TestSupport
import Testing

@Suite("A picture of subtitles")
struct PictureTests {
    private static func track(_ text: String) throws -> ShownTrack {
        ShownTrack(try WebVTTFile(parsing: Array("WEBVTT\n\n\(text)".utf8)).track)
    }

    private func size(_ width: Int, _ height: Int) throws -> FrameSize {
        try #require(FrameSize(width: width, height: height))
    }

    @Test("is a PNG that others read, transparent where there is nothing")
    func png() throws {
        let track = try PictureTests.track(
            "STYLE\n::cue { background: red; color: red }\n\n00:00.000 --> 00:10.000 line:0 align:left\nxxxx\n"
        )
        let picture = try SubtitleRasterizer().picture(
            [track], size: try size(641, 360), at: CueTime(seconds: 1))
        let decoded = try DecodedPNG(picture.png)
        #expect(decoded.width == 641 && decoded.height == 360)
        #expect(decoded.pixel(2, 2) == [255, 0, 0, 255])
        #expect(decoded.pixel(640, 359) == [0, 0, 0, 0] && decoded.pixel(640, 2) == [0, 0, 0, 0])
        let ink = try #require(picture.layout.cues[0].inkRect)
        let painted = (0..<641).filter { decoded.pixel($0, 5)[3] > 0 }
        #expect(painted.count == Int(ink.right.rounded()))
    }

    @Test("has half of a color where only half of it covers")
    func transparency() throws {
        let style = "STYLE\n::cue { background: rgba(0,0,255,0.5); color: transparent }\n\n"
        let track = try PictureTests.track(style + "00:00.000 --> 00:10.000 line:0 align:left\nxxxx\n")
        let picture = try SubtitleRasterizer().picture(
            [track], size: try size(640, 360), at: CueTime(seconds: 1))
        #expect(try DecodedPNG(picture.png).pixel(3, 3) == [0, 0, 255, 128])
    }

    @Test("of nothing is all transparent, and small")
    func nothing() throws {
        let track = try PictureTests.track("")
        let picture = try SubtitleRasterizer().picture(
            [track], size: try size(1920, 1080), at: CueTime(seconds: 1))
        #expect(picture.layout.isEmpty && picture.png.count < 10_000)
        #expect(try DecodedPNG(picture.png).isClear)
        // As many bytes as make whole matches of 258, and one row less and more.
        for height in 17...19 {
            let small = try SubtitleRasterizer().picture(
                [track], size: try size(32, height), at: CueTime(seconds: 1))
            #expect(try DecodedPNG(small.png).isClear)
        }
    }

    @Test("is the same each time, also when many are made at once")
    func deterministic() async throws {
        let scenes = try BrowserScene.all().values.map { try $0.track() }
        let rasterizer = try SubtitleRasterizer()
        let frame = try size(640, 360)
        let time = CueTime(seconds: 0.3)
        let once = try scenes.map { try SubtitleRasterizer().picture([$0], size: frame, at: time).png }
        let again = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for (index, scene) in scenes.enumerated() {
                group.addTask { (index, try rasterizer.picture([scene], size: frame, at: time).png) }
            }
            return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        for (index, png) in once.enumerated() { #expect(again[index] == png) }
    }

    @Test(
        "is made of every style there is",
        arguments: [
            "text-decoration: underline overline line-through", "text-shadow: 2px 2px red, 1px 1px 4px blue",
            "outline: 2px solid lime", "opacity: 0.5", "visibility: hidden", "font: italic 900 10vh serif",
            "font-size: 0", "font-size: 1000vh", "line-height: 0", "line-height: 300%", "white-space: pre",
            "font-family: 'no such font', \"a,b\"", "text-combine-upright: all",
        ])
    func styles(style: String) throws {
        let rasterizer = try SubtitleRasterizer()
        for settings in ["", "vertical:rl", "vertical:lr line:50%"] {
            let body = "00:00.000 --> 00:10.000 \(settings)\na<c>12</c><ruby>b<rt>c</rt></ruby> שלום\n"
            let track = try PictureTests.track("STYLE\n::cue { \(style) }\n::cue(c) { \(style) }\n\n" + body)
            let picture = try rasterizer.picture([track], size: try size(320, 180), at: CueTime(seconds: 1))
            #expect(try DecodedPNG(picture.png).width == 320)
        }
    }
}
