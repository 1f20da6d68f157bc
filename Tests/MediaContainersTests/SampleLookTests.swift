import MediaContainers
import TestSupport
import Testing

/// Judges a segment behind an initialization section.
private func look(_ bytes: [UInt8], behind movie: [UInt8], isOld: Bool = false) -> MediaVerdict {
    let outline = MovieOutline.read(ArrayBytes(movie))
    let start = outline.map { MediaExpectation.Start.movie($0, isOld: isOld) } ?? .unknown
    return MediaLook(expecting: MediaExpectation(.segment, start: start)).judge(ArrayBytes(bytes))
}

private func picture(_ entry: [UInt8], usualSize: Int = 0) -> [UInt8] {
    SampleMedia.movie([(1, "vide", entry)], usualSize: usualSize)
}

private func sound(_ type: String) -> [UInt8] {
    SampleMedia.movie([(1, "soun", SampleMedia.soundEntry(type))])
}

@Suite("A look at a segment beside its initialization section")
struct SampleLookTests {
    private static let noise = OriginResource.pattern(300, seed: 9)

    @Test("knows pictures with lengths of any size", arguments: [1, 2, 4])
    func pictures(_ size: Int) {
        let avc = SampleMedia.fragment([SampleMedia.avcSample(lengthSize: size)])
        for type in ["avc1", "avc3", "dva1"] {
            #expect(look(avc, behind: picture(SampleMedia.avcEntry(type, lengthSize: size))) == .media(.mp4))
        }
        let hevc = SampleMedia.fragment([SampleMedia.hevcSample(lengthSize: size)])
        for type in ["hvc1", "hev1", "dvh1"] {
            #expect(
                look(hevc, behind: picture(SampleMedia.hevcEntry(type, lengthSize: size))) == .media(.mp4))
        }
    }

    @Test("refuses pictures of another codec, noise and zeros")
    func otherCodec() {
        let junk = [Self.noise, [UInt8](repeating: 0, count: 300)]
        for sample in junk + [SampleMedia.hevcSample()] {
            let verdict = look(
                SampleMedia.fragment([sample, sample]), behind: picture(SampleMedia.avcEntry()))
            #expect(verdict == .undecodable(.foreignSamples("H.264")))
        }
        for sample in junk + [SampleMedia.avcSample(), SampleMedia.units([[0x41, 0x9A]])] {
            let verdict = look(SampleMedia.fragment([sample]), behind: picture(SampleMedia.hevcEntry()))
            #expect(verdict == .undecodable(.foreignSamples("H.265")))
        }
    }

    @Test("accepts a fragment with a damaged sample")
    func oneDamaged() {
        let samples = [SampleMedia.avcSample(), SampleMedia.avcSample(), Self.noise]
        #expect(look(SampleMedia.fragment(samples), behind: picture(SampleMedia.avcEntry())) == .media(.mp4))
        let bytes = SampleMedia.fragment([SampleMedia.avcSample()]) + SampleMedia.fragment([Self.noise])
        #expect(
            look(bytes, behind: picture(SampleMedia.avcEntry())) == .undecodable(.foreignSamples("H.264")))
    }

    @Test("accepts bytes behind a picture in its sample, and empty samples and units")
    func padding() {
        let sample = [0, 0, 0, 0] + SampleMedia.avcSample() + [0, 0, 0, 0, 0, 0, 9]
        #expect(
            look(SampleMedia.fragment([[], sample, []]), behind: picture(SampleMedia.avcEntry()))
                == .media(.mp4))
    }

    @Test("does not check encrypted samples or unknown kinds")
    func unknownKinds() {
        let protection = SampleMedia.box("sinf", [])
        let entries =
            [SampleMedia.avcEntry("encv"), SampleMedia.avcEntry("avc1", protection)]
            + ["av01", "vp09", "vvc1", "stpp", "wvtt"].map { SampleMedia.avcEntry($0) }
        for entry in entries {
            #expect(look(SampleMedia.fragment([Self.noise]), behind: picture(entry)) == .media(.mp4))
        }
        for type in ["enca", "mp4a", "Opus", "alac", "ipcm"] {
            #expect(look(SampleMedia.fragment([Self.noise]), behind: sound(type)) == .media(.mp4))
        }
    }

    @Test("tells kinds of sound by how their frames begin")
    func sounds() {
        let flac = SampleMedia.fragment([[0xFF, 0xF8] + Self.noise])
        let dolby = SampleMedia.fragment([SampleMedia.ac3(1)])
        #expect(look(flac, behind: sound("fLaC")) == .media(.mp4))
        #expect(look(dolby, behind: sound("ac-3")) == .media(.mp4))
        #expect(look(flac, behind: sound("Opus")) == .undecodable(.foreignSamples("Opus")))
        #expect(look(dolby, behind: sound("fLaC")) == .undecodable(.foreignSamples("FLAC")))
        #expect(look(flac, behind: sound("ec-3")) == .undecodable(.foreignSamples("Dolby Digital")))
        let pictures = SampleMedia.fragment([SampleMedia.avcSample()])
        #expect(look(pictures, behind: sound("mp4a")) == .undecodable(.foreignSamples("sound")))
        #expect(look(pictures, behind: sound("Opus")) == .undecodable(.foreignSamples("Opus")))
    }

    @Test("refuses a fragment whose tracks the initialization section lacks, and takes one more track")
    func tracks() {
        let movie = picture(SampleMedia.avcEntry())
        let (known, other) = (
            SampleMedia.fragment([SampleMedia.avcSample()]), SampleMedia.fragment(of: 7, [Self.noise])
        )
        #expect(look(other, behind: movie) == .undecodable(.unknownTracks))
        #expect(look(known + other, behind: movie) == .media(.mp4))
        #expect(look(other, behind: SampleMedia.initialization()) == .media(.mp4))
    }

    @Test("finds samples by the size that the initialization section says")
    func usualSize() {
        func fragment(_ count: Int) -> [UInt8] {
            func boxes(_ offset: Int) -> [UInt8] {
                SampleMedia.movieFragment(
                    SampleMedia.box(
                        "traf",
                        SampleMedia.fullBox("tfhd", flags: 0x20000, [1])
                            + SampleMedia.fullBox("trun", flags: 0x1, [count, offset])))
            }
            let sample = SampleMedia.avcSample()
            return boxes(boxes(0).count + 8) + SampleMedia.box("mdat", sample + sample)
        }
        let movie = picture(SampleMedia.avcEntry(), usualSize: SampleMedia.avcSample().count)
        #expect(look(fragment(2), behind: movie) == .media(.mp4))
        #expect(look(fragment(3), behind: movie) == .undecodable(.samplesBeyondData))
    }

    @Test("refuses another container, unless a discontinuity lies between")
    func containers() {
        let (movie, stream) = (picture(SampleMedia.avcEntry()), SampleMedia.transportStream(9))
        #expect(look(stream, behind: movie) == .undecodable(.otherContainer(.transportStream)))
        #expect(look(stream, behind: movie, isOld: true) == .media(.transportStream))
        let packets = MediaExpectation(.segment, start: .packets)
        let fragment = ArrayBytes(SampleMedia.fragment([Self.noise]))
        #expect(MediaLook(expecting: packets).judge(fragment) == .undecodable(.otherContainer(.mp4)))
    }

    @Test("misses the initialization section of a fragment that has none, unless it brings its own")
    func noInitialization() {
        let alone = MediaLook(expecting: MediaExpectation(.segment, start: .nothing))
        let fragment = SampleMedia.fragment([SampleMedia.avcSample()])
        #expect(alone.judge(ArrayBytes(fragment)) == .undecodable(.noInitialization))
        let movie = picture(SampleMedia.avcEntry())
        #expect(alone.judge(ArrayBytes(movie + fragment)) == .media(.mp4))
        let noise = SampleMedia.fragment([Self.noise])
        #expect(alone.judge(ArrayBytes(movie + noise)) == .undecodable(.foreignSamples("H.264")))
    }

    @Test("misses the fragment that describes media data")
    func noFragment() {
        let data = SampleMedia.box("mdat", Self.noise)
        #expect(look(data, behind: picture(SampleMedia.avcEntry())) == .undecodable(.noFragment))
        #expect(
            look(SampleMedia.box("styp", []) + data, behind: sound("mp4a")) == .undecodable(.noFragment))
    }
}
