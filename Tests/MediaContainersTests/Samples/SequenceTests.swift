import Testing

@testable import MediaContainers

/// Writes the parts of sequence parameter sets that H.264 and H.265 share.
private struct SequenceWriter {
    var bits = BitWriter()

    mutating func put(_ fields: (Int, Int)...) { for (value, count) in fields { bits.put(value, count) } }

    mutating func ue(_ numbers: Int...) {
        for number in numbers {
            let width = Int.bitWidth - (number + 1).leadingZeroBitCount
            if width > 1 { bits.put(0, width - 1) }
            bits.put(number + 1, width)
        }
    }

    mutating func se(_ numbers: Int...) {
        for number in numbers { ue(number > 0 ? 2 * number - 1 : -2 * number) }
    }

    /// The content of a unit, without start codes in it.
    var escaped: [UInt8] {
        var zeros = 0
        return (bits.bytes + [0x80]).flatMap { byte -> [UInt8] in
            let escapes = zeros >= 2 && byte <= 3
            zeros = byte == 0 ? (escapes ? 1 : zeros + 1) : 0
            return escapes ? [3, byte] : [byte]
        }
    }
}

@Suite("A sequence parameter set of H.264")
struct AVCSequenceTests {
    /// What may stand in a set.
    private struct Form {
        var profile = 100
        var chroma = 1
        var separate = false
        var scaling = false
        var order = 0
        var fields = false
        var crop: [Int]?
        var shape: (code: Int, x: Int, y: Int)?
        var color: (Int, Int, Int)?
        var time: (units: Int, scale: Int)?
        var buffers = 0
        var reorder: Int?
    }

    /// A set of pictures of 20 by 12 blocks.
    private func unit(_ form: Form) -> [UInt8] {
        var set = SequenceWriter()
        set.put((form.profile, 8), (0, 8), (40, 8))
        set.ue(3)
        if form.profile == 100 {
            set.ue(form.chroma)
            if form.chroma == 3 { set.put((form.separate ? 1 : 0, 1)) }
            set.ue(2, 1)
            set.put((0, 1), (form.scaling ? 1 : 0, 1))
            if form.scaling {
                for list in 0..<(form.chroma == 3 ? 12 : 8) {
                    set.put((list % 2, 1))
                    guard list % 2 == 1 else { continue }
                    // The third value says that the rest is as the second.
                    if list == 1 {
                        set.se(4, -2, -10)
                    } else {
                        for _ in 0..<(list < 6 ? 16 : 64) { set.se(1) }
                    }
                }
            }
        }
        set.ue(5, form.order)
        if form.order == 0 { set.ue(2) }
        if form.order == 1 {
            set.put((0, 1))
            set.se(-3, 4)
            set.ue(2)
            set.se(7, -7)
        }
        set.ue(4)
        set.put((0, 1))
        set.ue(19, form.fields ? 5 : 11)
        set.put((form.fields ? 0 : 1, 1))
        if form.fields { set.put((0, 1)) }
        set.put((1, 1), (form.crop == nil ? 0 : 1, 1))
        if let crop = form.crop { for edge in crop { set.ue(edge) } }
        putUsability(form, &set)
        return [0x67] + set.escaped
    }

    private func putUsability(_ form: Form, _ set: inout SequenceWriter) {
        set.put((1, 1), (form.shape == nil ? 0 : 1, 1))
        if let shape = form.shape {
            set.put((shape.code, 8))
            if shape.code == 255 { set.put((shape.x, 16), (shape.y, 16)) }
        }
        set.put((1, 1), (1, 1), (1, 1), (5, 3), (1, 1), (form.color == nil ? 0 : 1, 1))
        if let color = form.color { set.put((color.0, 8), (color.1, 8), (color.2, 8)) }
        set.put((1, 1))
        set.ue(1, 2)
        set.put((form.time == nil ? 0 : 1, 1))
        if let time = form.time { set.put((time.units, 32), (time.scale, 32), (1, 1)) }
        for index in 0..<2 {
            let isThere = form.buffers >> index & 1
            set.put((isThere, 1))
            guard isThere == 1 else { continue }
            set.ue(1)
            set.put((0x12, 8))
            for _ in 0..<2 {
                set.ue(1000, 2000)
                set.put((0, 1))
            }
            set.put((0x12345, 20))
        }
        if form.buffers > 0 { set.put((0, 1)) }
        set.put((1, 1), (form.reorder == nil ? 0 : 1, 1))
        if let depth = form.reorder {
            set.put((1, 1))
            set.ue(2, 1, 15, 15, depth, 4)
        }
    }

    @Test("has its size after any optional fields", arguments: [66, 100], 0...2)
    func size(profile: Int, order: Int) throws {
        for chroma in profile == 100 ? 0...3 : 1...1 {
            for number in 0..<8 {
                var form = Form(profile: profile, chroma: chroma, order: order)
                (form.scaling, form.fields) = (number & 1 > 0, number & 2 > 0)
                form.separate = number & 4 > 0 && chroma == 3
                let plain = try #require(AVCSequence(unit(form)))
                #expect(
                    plain.facts.width == 320 && plain.facts.height == 192
                        && plain.mayHaveFields == form.fields)
                #expect(
                    plain.id == 3 && plain.frameNumberBits == 9 && plain.hasSeparatePlanes == form.separate)
                #expect(plain.chromaFormat == chroma && plain.lumaDepth == (profile == 100 ? 10 : 8))
                #expect(plain.chromaDepth == (profile == 100 ? 9 : 8))
                form.crop = [1, 2, 3, 4]
                let cut = try #require(AVCSequence(unit(form)))
                let (stepX, stepY) = ([1, 2, 2, 1][chroma], ([1, 2, 1, 1][chroma]) * (form.fields ? 2 : 1))
                #expect(cut.facts.width == 320 - 3 * stepX && cut.facts.height == 192 - 7 * stepY)
            }
        }
    }

    @Test("has the shape, the color, the rate and the order of pictures", arguments: 0..<4)
    func usability(buffers: Int) throws {
        var form = Form(buffers: buffers)
        let bare = try #require(AVCSequence(unit(form))).facts
        #expect(
            bare.pixelShape == nil && bare.color == nil && bare.pictureTicks == nil
                && bare.reorderDepth == nil)
        (form.shape, form.color, form.time, form.reorder) = ((255, 7, 5), (9, 16, 9), (1001, 60_000), 2)
        let facts = try #require(AVCSequence(unit(form))).facts
        #expect(
            facts.pixelShape == .init(x: 7, y: 5) && facts.reorderDepth == 2 && facts.pictureTicks == 3003)
        #expect(facts.color == .init(primaries: 9, transfer: 16, matrix: 9, isFullRange: true))
        for (code, shape) in [(0, nil), (1, (1, 1)), (2, (12, 11)), (16, (2, 1)), (17, nil)]
            as [(Int, (Int, Int)?)]
        {
            form.shape = (code, 0, 0)
            let found = try #require(AVCSequence(unit(form))).facts.pixelShape
            #expect(found == shape.map { PictureFacts.Pair(x: $0.0, y: $0.1) })
        }
        for (units, scale, ticks) in [
            (0, 50, nil), (1, 0, nil), (1, 50, 3600), (30, 1, 5_400_000), (31, 1, nil), (1, 180_000, 1),
            (1, 180_001, nil),
        ] as [(Int, Int, Int?)] {
            form.time = (units, scale)
            #expect(AVCSequence(unit(form))?.facts.pictureTicks == ticks)
        }
    }

    @Test("without a complete VUI is used without it, and without a size is refused")
    func cut() {
        var form = Form(shape: (1, 0, 0), time: (1, 50), reorder: 2)
        form.crop = [0, 0, 0, 0]
        let whole = unit(form)
        var known = 0
        for count in 0...whole.count {
            guard let found = AVCSequence(Array(whole.prefix(count))) else {
                #expect(known == 0)
                continue
            }
            known += 1
            #expect(found.facts.width == 320 && found.facts.height == 192)
            #expect(found.facts.reorderDepth == nil || found.facts.pictureTicks == 3600)
        }
        #expect(known > 8 && AVCSequence(whole)?.facts.reorderDepth == 2)
        form.crop = [160, 0, 0, 0]
        #expect(AVCSequence(unit(form)) == nil)
        form.crop = [159, 0, 0, 0]
        #expect(AVCSequence(unit(form))?.facts.width == 2)
    }
}

@Suite("A sequence parameter set of H.265")
struct HEVCSequenceTests {
    private struct Form {
        var layers = 1
        var chroma = 1
        var crop: [Int]?
        var tellsAll = false
        /// No scaling lists, the usual ones, or own ones of two kinds.
        var scaling = 0
        var pulse = false
        var references = 0
        /// Pictures before those of each set.
        var before = 2
        var longTerm = false
        var hasWindow = false
        var time: (units: Int, scale: Int)?
    }

    /// A set of pictures of 640 by 360.
    private func unit(_ form: Form) -> [UInt8] {
        var set = SequenceWriter()
        set.put((2, 4), (form.layers - 1, 3), (1, 1))
        for byte in 0..<12 { set.put((0x10 + byte, 8)) }
        if form.layers > 1 {
            for layer in 0..<8 { set.put((layer < form.layers - 1 ? 1 : 0, 1), (layer == 0 ? 1 : 0, 1)) }
            for layer in 0..<form.layers - 1 {
                for _ in 0..<11 { set.put((0x55, 8)) }
                if layer == 0 { set.put((0x66, 8)) }
            }
        }
        set.ue(5, form.chroma)
        if form.chroma == 3 { set.put((0, 1)) }
        set.ue(640, 360)
        set.put((form.crop == nil ? 0 : 1, 1))
        if let crop = form.crop { for edge in crop { set.ue(edge) } }
        set.ue(2, 1, 4)
        set.put((form.tellsAll ? 1 : 0, 1))
        for layer in (form.tellsAll ? 0 : form.layers - 1)..<form.layers { set.ue(4, layer + 1, 0) }
        set.ue(0, 3, 0, 3, 1, 1)
        putScaling(form.scaling, &set)
        set.put((1, 1), (1, 1), (form.pulse ? 1 : 0, 1))
        if form.pulse {
            set.put((0x77, 8))
            set.ue(0, 2)
            set.put((0, 1))
        }
        putReferences(form.references, before: form.before, &set)
        set.put((form.longTerm ? 1 : 0, 1))
        if form.longTerm {
            set.ue(2)
            set.put((0x1AB, 9), (0x1CD, 9))
        }
        set.put((1, 1), (1, 1), (1, 1))
        putUsability(form, &set)
        return [0x42, 1] + set.escaped
    }

    private func putScaling(_ kind: Int, _ set: inout SequenceWriter) {
        set.put((kind > 0 ? 1 : 0, 1))
        guard kind > 0 else { return }
        set.put((kind > 1 ? 1 : 0, 1))
        guard kind > 1 else { return }
        for size in 0..<4 {
            for matrix in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                let isOwn = (matrix + kind) % 2 == 0
                set.put((isOwn ? 1 : 0, 1))
                guard isOwn else {
                    set.ue(0)
                    continue
                }
                if size > 1 { set.se(-3) }
                for _ in 0..<(size == 0 ? 16 : 64) { set.se(2) }
            }
        }
    }

    /// A set of pictures before and after, and others that are made of the one before.
    private func putReferences(_ count: Int, before: Int, _ set: inout SequenceWriter) {
        set.ue(count)
        for index in 0..<count {
            if index > 0 { set.put((index % 2, 1)) }
            if index % 2 == 0 {
                set.ue(before, 1)
                for _ in 0..<before + 1 {
                    set.ue(1)
                    set.put((1, 1))
                }
            } else {
                set.put((0, 1))
                set.ue(1)
                // Of four pictures three are used: one of them later, the last one not at all.
                set.put((1, 1), (0, 1), (1, 1), (1, 1), (0, 1), (0, 1))
            }
        }
    }

    private func putUsability(_ form: Form, _ set: inout SequenceWriter) {
        set.put(
            (1, 1), (255, 8), (4, 16), (3, 16), (0, 1), (1, 1), (5, 3), (0, 1), (1, 1), (9, 8), (18, 8),
            (9, 8), (0, 1))
        set.put((0, 3), (form.hasWindow ? 1 : 0, 1))
        if form.hasWindow { set.ue(1, 2, 3, 4) }
        set.put((form.time == nil ? 0 : 1, 1))
        if let time = form.time { set.put((time.units, 32), (time.scale, 32)) }
        set.put((0, 2))
    }

    @Test("has all fields after any optional fields", arguments: 1...7, 0...3)
    func everything(layers: Int, scaling: Int) throws {
        for number in 0..<32 {
            var form = Form(layers: layers, scaling: scaling, time: (1001, 30_000))
            (form.tellsAll, form.pulse) = (number & 1 > 0, number & 2 > 0)
            (form.references, form.longTerm) = (number & 4 > 0 ? 3 : number & 1, number & 8 > 0)
            form.hasWindow = number & 16 > 0
            let found = try #require(HEVCSequence(unit(form)))
            #expect(
                found.id == 5 && found.layers == layers && found.isNested
                    && found.profile == (0x10..<0x1C).map { UInt8($0) })
            #expect(found.lumaDepth == 10 && found.chromaDepth == 9 && found.chromaFormat == 1)
            let facts = found.facts
            #expect(facts.width == 640 && facts.height == 360 && facts.reorderDepth == layers, "\(form)")
            #expect(facts.pixelShape == .init(x: 4, y: 3) && facts.pictureTicks == 3003, "\(form)")
            #expect(facts.color == .init(primaries: 9, transfer: 18, matrix: 9, isFullRange: false))
        }
    }

    @Test("has the size without the cropped part, in steps of its chroma format", arguments: 0...3)
    func size(chroma: Int) throws {
        var form = Form(chroma: chroma)
        #expect(HEVCSequence(unit(form))?.facts.pictureTicks == nil)
        form.crop = [1, 2, 3, 4]
        let facts = try #require(HEVCSequence(unit(form))).facts
        #expect(
            facts.width == 640 - 3 * [1, 2, 2, 1][chroma] && facts.height == 360 - 7 * [1, 2, 1, 1][chroma])
        form.crop = [640, 0, 0, 0]
        #expect(HEVCSequence(unit(form)) == nil)
    }

    @Test("refers to 16 pictures before, and is used without what follows where there are more")
    func references() {
        func rate(_ before: Int) -> Int? {
            HEVCSequence(unit(Form(references: 1, before: before, time: (1, 25))))?.facts.pictureTicks
        }
        #expect(rate(16) == 3600 && rate(17) == nil)
    }

    @Test("that is cut is used without its optional end, and without a size is refused")
    func cut() throws {
        let whole = unit(Form(references: 3, time: (1, 25)))
        var known = 0
        for count in 0...whole.count {
            guard let found = HEVCSequence(Array(whole.prefix(count))) else {
                #expect(known == 0)
                continue
            }
            known += 1
            #expect(
                found.facts.width == 640
                    && (found.facts.pictureTicks == nil || found.facts.pictureTicks == 3600))
        }
        #expect(known > 8 && HEVCSequence(whole)?.facts.pictureTicks == 3600)
    }
}
