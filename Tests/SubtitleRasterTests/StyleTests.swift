import SidebandSubtitles
import SubtitleRaster
import TestSupport
import Testing

/// Painted pixels, in words of the layout that they were painted from.
@Suite("Styled text")
struct StyleTests {
    private struct Painted {
        let png: DecodedPNG
        let layout: FrameLayout

        func alpha(_ x: Int, _ y: Int) -> UInt8 { png.pixel(x, y)[3] }

        /// The rows in which a column has any color.
        func rows(_ x: Int) -> [Int] { (0..<png.height).filter { alpha(x, $0) > 0 } }

        /// How many pixels are exactly of a color.
        func count(_ color: [UInt8]) -> Int {
            (0..<png.height).reduce(0) { sum, y in
                sum + (0..<png.width).count { png.pixel($0, y) == color }
            }
        }

        /// The box around all pixels that hold: left, top, right and bottom.
        func box(_ holds: ([UInt8]) -> Bool = { $0[3] > 0 }) -> [Int]? {
            var (xs, ys): ([Int], [Int]) = ([], [])
            for y in 0..<png.height {
                for x in 0..<png.width where holds(png.pixel(x, y)) { (xs, ys) = (xs + [x], ys + [y]) }
            }
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
                return nil
            }
            return [left, top, right + 1, bottom + 1]
        }

        /// The fragment whose text is this one.
        func fragment(_ text: String) throws -> TextFragment {
            let all = layout.allCues.flatMap(\.lines).flatMap(\.fragments)
            return try #require(all.first { $0.run.text == text })
        }
    }

    /// - Parameters:
    ///   - style: of all text, which has no background of its own.
    ///   - head: other blocks before the cue.
    private func painted(
        _ style: String, _ text: String, settings: String = "line:0 align:left", head: String = ""
    ) throws -> Painted {
        let sheet = "STYLE\n::cue { background: transparent; color: red; \(style) }\n\n"
        let file = "WEBVTT\n\n\(sheet)\(head)00:00.000 --> 00:10.000 \(settings)\n\(text)\n"
        let track = ShownTrack(try WebVTTFile(parsing: Array(file.utf8)).track)
        let size = try #require(FrameSize(width: 320, height: 180))
        let picture = try SubtitleRasterizer().picture([track], size: size, at: CueTime(seconds: 1))
        return Painted(png: try DecodedPNG(picture.png), layout: picture.layout)
    }

    private let red: [UInt8] = [255, 0, 0, 255]
    private let blue: [UInt8] = [0, 0, 255, 255]
    private let gap = "x\u{A0}\u{A0}\u{A0}\u{A0}x"

    @Test(
        "has its lines where they belong: above, through and below the text, and nothing between letters else"
    )
    func decorations() throws {
        let rows = try ["none", "overline", "line-through", "underline"].map { name in
            let picture = try painted("text-decoration: \(name)", gap)
            let rect = try picture.fragment(gap).rect
            return (rows: picture.rows(Int(rect.x + rect.width / 2)), fragment: try picture.fragment(gap))
        }
        #expect(rows[0].rows == [])
        for line in rows.dropFirst() {
            let (top, bottom) = (line.rows.min() ?? 0, line.rows.max() ?? 0)
            #expect(!line.rows.isEmpty && line.rows.count <= 2 && bottom - top == line.rows.count - 1)
        }
        let baseline = Int((rows[0].fragment.rect.y + rows[0].fragment.ascent).rounded())
        let (over, through, under) = (rows[1].rows, rows[2].rows, rows[3].rows)
        #expect(try #require(over.first) < baseline / 2)
        #expect(through.allSatisfy { $0 > over[0] && $0 < baseline })
        #expect(under.allSatisfy { $0 >= baseline })
    }

    @Test("lies over its underline and under the line through it")
    func order() throws {
        let picture = try painted("text-decoration: underline line-through", gap)
        let rect = try picture.fragment(gap).rect
        let rows = picture.rows(Int(rect.x + rect.width / 2))
        #expect(
            Set(rows).count >= 2
                && rows.allSatisfy { picture.png.pixel(Int(rect.x + rect.width / 2), $0) == red })
    }

    @Test("has a sharp shadow of the full color, and a blurred shadow that is paler and wider")
    func shadows() throws {
        let sharp = try painted("font-size: 25vh; text-shadow: 150px 0 blue", "HHH")
        let blurred = try painted("font-size: 25vh; text-shadow: 150px 0 8px blue", "HHH")
        let isBlue = { (pixel: [UInt8]) in pixel[2] > 0 && pixel[0] == 0 }
        let (box, wide) = (try #require(sharp.box(isBlue)), try #require(blurred.box(isBlue)))
        #expect(sharp.count(blue) > 20 && sharp.count(red) > 20)
        #expect(blurred.count(red) == sharp.count(red))
        #expect(wide[0] < box[0] && wide[1] <= box[1] && wide[2] > box[2] && wide[3] > box[3])
        #expect(blurred.count(blue) < sharp.count(blue))
        let left = try #require(sharp.box { $0 == red })[0]
        #expect(abs(try #require(sharp.box { $0 == blue })[0] - left - 150) <= 1)
    }

    @Test("has an outline around its line, beside and not in it")
    func outline() throws {
        let picture = try painted(
            "outline: 2px solid blue; color: transparent", "xx", settings: "line:50% align:center")
        let rect = try picture.fragment("xx").rect
        let box = try #require(picture.box())
        #expect(abs(Double(box[0]) - (rect.x - 2)) <= 1 && abs(Double(box[2]) - (rect.right + 2)) <= 1)
        #expect(abs(Double(box[1]) - (rect.y - 2)) <= 1 && abs(Double(box[3]) - (rect.bottom + 2)) <= 1)
        #expect(picture.alpha(Int(rect.x + rect.width / 2), Int(rect.y + rect.height / 2)) == 0)
    }

    @Test("that is hidden leaves nothing, and that is half there covers half")
    func visibility() throws {
        #expect(try painted("visibility: hidden", "xx").box() == nil)
        let whole = try painted("font-size: 25vh; background: blue", "xx")
        let half = try painted("font-size: 25vh; background: blue; opacity: 0.5", "xx")
        #expect(whole.count(blue) > 100 && half.count(blue) == 0)
        #expect(half.box() == whole.box())
        let alphas = Set((0..<320).map { half.alpha($0, 3) })
        #expect(alphas.isSubset(of: [0, 127, 128]) && alphas.count > 1)
    }

    @Test("of several backgrounds shows the innermost, and none where it is transparent")
    func backgrounds() throws {
        let picture = try painted(
            "background: blue", "<c>xx</c>", head: "STYLE\n::cue(c) { background: lime; color: lime }\n\n")
        #expect(picture.count([0, 255, 0, 255]) > 100)
        #expect(try painted("", " ").box() == nil)
    }

    @Test("stands upright in a vertical line as wide as the line at most, and turned text keeps to its box")
    func vertical() throws {
        for text in ["12", "123456789"] {
            let head = "STYLE\n::cue(c) { text-combine-upright: all }\n\n"
            let picture = try painted(
                "", "<c>\(text)</c>", settings: "vertical:rl line:0 align:left", head: head)
            let rect = try picture.fragment(text).rect
            let box = try #require(picture.box())
            #expect(Double(box[0]) >= rect.x - 1.5 && Double(box[2]) <= rect.right + 1.5)
            // Two digits are as wide as they are; more are pressed together, and in the middle either way.
            let middle = Double(box[0] + box[2]) / 2
            #expect(abs(middle - (rect.x + rect.width / 2)) <= 2)
            if text.count > 2 { #expect(Double(box[2] - box[0]) > rect.width * 0.8) }
        }
        let turned = try painted("", "HHHH", settings: "vertical:rl line:0 align:left")
        let rect = try turned.fragment("HHHH").rect
        let box = try #require(turned.box())
        #expect(Double(box[0]) >= rect.x - 1 && Double(box[2]) <= rect.right + 1)
        #expect(Double(box[3] - box[1]) > rect.height * 0.8 && Double(box[3]) <= rect.bottom + 1)
    }

    @Test("in a region is cut at the region's edge, which has its own background")
    func region() throws {
        let head = "REGION\nid:a\nlines:1\nwidth:50%\nregionanchor:0%,0%\nviewportanchor:0%,0%\n\n"
        let long = "HHH\nHHH\nHHH"
        let picture = try painted("", long, settings: "region:a", head: head)
        let rect = try #require(picture.layout.regions.first).rect
        let box = try #require(picture.box { $0[0] > 0 })
        #expect(Double(box[3]) <= rect.bottom + 1 && Double(box[1]) >= rect.y - 1)
        let styled = "STYLE\n::cue-region { background: blue }\n\n"
        let colored = try painted("", "HHH", settings: "region:a", head: styled + head)
        #expect(Double(colored.count(blue)) > rect.width * rect.height * 0.5)
    }

    @Test("that is painted in large parts comes through zlib and the zeros between whole")
    func compression() throws {
        let size = try #require(FrameSize(width: 1280, height: 720))
        let words = (0..<12).map { "<c>line \($0) " + String(repeating: "abcdefgh", count: 6) + "</c>" }
        let sheet = "STYLE\n::cue { background: rgba(10,200,30,0.4); color: rgba(250,3,99,0.7) }\n\n"
        let file =
            "WEBVTT\n\n\(sheet)00:00.000 --> 00:10.000 line:0 align:left\n\(words.joined(separator: "\n"))\n"
        let track = ShownTrack(try WebVTTFile(parsing: Array(file.utf8)).track)
        let picture = try SubtitleRasterizer().picture([track], size: size, at: CueTime(seconds: 1))
        let png = try DecodedPNG(picture.png)
        #expect(png.pixel(3, 3) == [10, 200, 30, 102] || png.pixel(3, 3)[3] == 102)
        #expect(png.pixel(1279, 719) == [0, 0, 0, 0])
        #expect(picture.png.count > 70_000)
    }
}
