"""Made-up streams of which every byte is known: whoever gets one can say whether it is right.

plain   one playlist of transport stream segments; every third stream is encrypted, and has a key
rich    a variant in fragmented MP4, in byte ranges of one file, with audio and subtitles in two languages
live    a playlist that grows by a segment a second, until it ends
sealed  like plain, but its key belongs to a key system: a client deposits it
"""
import ctypes
import ctypes.util
import hashlib
import re
from typing import NamedTuple

PACKET = 188
FRAGMENT = 32  # bytes of a fragment beside its media
LANGUAGES = ("en", "de")
SHAPES = ("plain", "rich", "live", "sealed")
NAME = re.compile(r"/(\d+)-(\d+)-([a-z]+)(?:/|$)")
UNIT = re.compile(r"^(?:init-)?(\d+)\.(\w+)$")
SYSTEM = "com.apple.streamingkeydelivery"


def digest(*words):
    return hashlib.sha256("/".join(map(str, words)).encode()).digest()


def segment(asset, number):
    """A transport stream, each of whose packets begins a picture that names it."""
    packets = 1 + int.from_bytes(digest(asset, number)[:4], "big") % 2200
    filler = (digest(f"{asset}:{number}") * 6)[:PACKET - 21]
    head = b"\x47\x41\x00\x10" + b"\x00\x00\x01\xe0\x00\x00\x80\x00\x00"
    return b"".join(head + i.to_bytes(8, "big") + filler for i in range(packets))


def encrypted(clear, key, number):
    """A segment as METHOD=AES-128 encrypts it, with its media sequence number as vector."""
    out, length, last = ctypes.create_string_buffer(len(clear) + 16), ctypes.c_int(), ctypes.c_int()
    context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
    cipher = ctypes.c_void_p(crypto.EVP_aes_128_cbc())
    crypto.EVP_EncryptInit_ex(context, cipher, None, key, number.to_bytes(16, "big"))
    crypto.EVP_EncryptUpdate(context, out, ctypes.byref(length), clear, len(clear))
    crypto.EVP_EncryptFinal_ex(context, ctypes.byref(out, length.value), ctypes.byref(last))
    crypto.EVP_CIPHER_CTX_free(context)
    return out.raw[:length.value + last.value]


# Python has no AES of its own; what curl encrypts with is there.
crypto = ctypes.CDLL(ctypes.util.find_library("crypto") or "libcrypto.so.3")
crypto.EVP_CIPHER_CTX_new.restype = crypto.EVP_aes_128_cbc.restype = ctypes.c_void_p


def has_key(asset):
    return asset % 3 == 0


def key(asset):
    return digest(f"the key of {asset}")[:16]


def box(kind, body):
    return (len(body) + 8).to_bytes(4, "big") + kind + body


def initialization(asset, track):
    """An initialization section with a track in which is nothing that plays."""
    return box(b"ftyp", b"iso5\0\0\0\0iso5") + box(b"moov", box(b"trak", box(b"free", digest(asset, track))))


def fragment_size(asset, track, number):
    return 16 * (1 + int.from_bytes(digest(asset, track, number)[:4], "big") % 4000)


def fragment(asset, track, number):
    """A fragment of fragmented MP4, from some bytes to some 64 kB."""
    filler = digest(asset, track, number, "filler") * (fragment_size(asset, track, number) // 32 + 1)
    body = filler[:fragment_size(asset, track, number)]
    return box(b"moof", box(b"mfhd", bytes(4) + number.to_bytes(4, "big"))) + box(b"mdat", body)


def cues(asset, language, number):
    """A segment of subtitles."""
    start, end = (f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.000"
                  for seconds in (2 * number, 2 * number + 1))
    return (f"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n{start} --> {end}\n"
            f"{language} {number} of {asset}\n").encode()


class Stream(NamedTuple):
    number: int
    segments: int
    shape: str

    @classmethod
    def named(cls, text):
        """The stream that an address or a path names; `None` when it names none."""
        found = NAME.search(text)
        return found and cls(int(found[1]), int(found[2]), found[3])

    @property
    def name(self):
        return f"{self.number}-{self.segments}-{self.shape}"

    @property
    def has_key(self):
        return self.shape == "plain" and has_key(self.number)

    def segment(self, number):
        """A segment of transport stream as it goes over the wire."""
        clear = segment(self.number, number)
        return encrypted(clear, key(self.number), number) if self.has_key else clear

    @property
    def mends(self):
        """Whether its playlists can be read again, and say the same."""
        return self.shape in ("plain", "rich")

    def expected_at(self, path):
        """The bytes of what is served at a path below the asset; `None` for what no origin has, such as added files."""
        rendition, _, file = path.partition("/")
        return self.expected(rendition, file)

    def expected(self, rendition, file):
        """The same, of a file of a rendition."""
        unit = UNIT.match(file)
        track = rendition.split("-")[0] if rendition.startswith("video") else rendition
        if not unit or track.split("-")[0] not in ("video", "audio", "subtitles"):
            return None
        number = int(unit[1])
        if self.shape != "rich":
            return self.segment(number) if track == "video" and unit[2] == "ts" else None
        if track != "video" and track.split("-")[1:] not in [[language] for language in LANGUAGES]:
            return None
        if track.startswith("subtitles"):
            return cues(self.number, track.split("-")[1], number)
        if file.startswith("init-"):
            return initialization(self.number, track)
        return fragment(self.number, track, number)

    def pieces(self):
        """The pieces of the variant's one file: (offset, length, number), -1 for the initialization section."""
        offset = len(initialization(self.number, "video"))
        yield 0, offset, -1
        for number in range(self.segments):
            length = FRAGMENT + fragment_size(self.number, "video", number)
            yield offset, length, number
            offset += length

    def file_size(self):
        offset, length, _ = list(self.pieces())[-1]
        return offset + length

    def file_range(self, first, end):
        """Bytes of the variant's one file."""
        found, start = b"", None
        for offset, length, number in self.pieces():
            if offset + length > first and offset < end:
                start = offset if start is None else start
                found += self.expected("video", "init-0.mp4" if number < 0 else f"{number}.m4s")
        return found[first - (start or 0):end - (start or 0)]


def playlist(stream, listed, signature):
    """The only playlist of a stream, or the media playlist of its variant; `listed`: the first segments of it."""
    is_over = listed == stream.segments
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:2"]
    lines += ["#EXT-X-PLAYLIST-TYPE:VOD"] if stream.shape != "live" else ["#EXT-X-MEDIA-SEQUENCE:0"]
    lines += ['#EXT-X-KEY:METHOD=AES-128,URI="key"'] if stream.has_key else []
    if stream.shape == "sealed":
        lines += [f'#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://{stream.number}",KEYFORMAT="{SYSTEM}"']
    duration = "1.0" if stream.shape == "live" else "2.0"
    for number in range(listed):
        lines += [f"#EXTINF:{duration},", f"{number}.ts?s={signature}"]
    return text(lines + ["#EXT-X-ENDLIST"] * is_over)


def ranges(stream, signature):
    """The variant's playlist: byte ranges of one file."""
    lines = head()
    for offset, length, number in stream.pieces():
        if number < 0:
            lines += [f'#EXT-X-MAP:URI="video.mp4?s={signature}",BYTERANGE="{length}@{offset}"']
        else:
            lines += ["#EXTINF:2.0,", f"#EXT-X-BYTERANGE:{length}@{offset}", f"video.mp4?s={signature}"]
    return text(lines + ["#EXT-X-ENDLIST"])


def track(stream, name, signature):
    """The playlist of an audio or subtitle rendition."""
    is_text = name.startswith("subtitles")
    lines = head() + ([] if is_text else [f'#EXT-X-MAP:URI="{name}-init-0.mp4?s={signature}"'])
    for number in range(stream.segments):
        lines += ["#EXTINF:2.0,", f"{name}-{number}.{'vtt' if is_text else 'm4s'}?s={signature}"]
    return text(lines + ["#EXT-X-ENDLIST"])


def master():
    """The multivariant playlist of a rich stream."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:6"]
    for language in LANGUAGES:
        is_first = "YES" if language == LANGUAGES[0] else "NO"
        lines += [f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="audio {language}",LANGUAGE="{language}",'
                  f'DEFAULT={is_first},AUTOSELECT=YES,URI="audio-{language}.m3u8"',
                  f'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="text {language}",LANGUAGE="{language}",'
                  f'AUTOSELECT=YES,URI="subtitles-{language}.m3u8"']
    return text(lines + ['#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2",'
                         'AUDIO="a",SUBTITLES="s"', "video.m3u8"])


def head():
    return ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:2", "#EXT-X-PLAYLIST-TYPE:VOD"]


def text(lines):
    return ("\n".join(lines) + "\n").encode()
