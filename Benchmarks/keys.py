"""Keys, ClearKey licenses, and decryption while serving: against nginx with files of the same bytes, and OpenSSL's speed."""
import base64
import os
import re
import struct
import subprocess
import time

import product
from measure import Row, compare
from origin import Nginx
from serving import wrk

KEY, KID, IV = bytes(range(16)), bytes(range(16, 32)), bytes(range(32, 48))
SEGMENT = 16 << 20


def box(kind, *content):
    body = b"".join(content)
    return struct.pack(">I", len(body) + 8) + kind.encode() + body


def initialization(scheme, pattern):
    """One encrypted video track, with what it takes to decrypt it and nothing else."""
    tenc = box("tenc", bytes([1, 0, 0, 0, 0, pattern, 1, 0 if pattern else 16]), KID, b"\x10" + IV if pattern else b"")
    sinf = box("sinf", box("frma", b"avc1"), box("schm", bytes(4), scheme, bytes(4)), box("schi", tenc))
    stsd = box("stsd", bytes(4), struct.pack(">I", 1), box("encv", bytes(78), sinf))
    track = box("trak", box("tkhd", bytes(12), struct.pack(">I", 1), bytes(68)),
                box("mdia", box("minf", box("stbl", stsd))))
    return box("ftyp", b"isom", bytes(4)) + box("moov", track)


def fragments(per_sample_iv, size=8192, count=48):
    """Samples of `size` bytes, all but the first hundred encrypted: what they mean in the clear does not matter."""
    entry = (os.urandom(16) if per_sample_iv else b"") + struct.pack(">HHI", 1, 100, size - 100)
    senc = box("senc", struct.pack(">II", 2, count), entry * count)
    tfhd = box("tfhd", struct.pack(">II", 0x20010, 1), struct.pack(">I", size))

    def moof(offset):
        return box("moof", box("traf", tfhd, box("trun", struct.pack(">IIi", 1, count, offset)), senc))
    head = moof(len(moof(0)) + 8)
    whole = b"".join(head + box("mdat", os.urandom(size * count)) for _ in range(SEGMENT // (size * count)))
    return whole


def packets():
    """A transport stream of random bytes, in each packet of which something begins."""
    head = b"\x47\x41\x00\x10\x00\x00\x01\xe0\x00\x00\x80\x00\x00"
    content = os.urandom(SEGMENT)
    return b"".join(head + content[place:place + 175] for place in range(0, len(content) // 188 * 175, 175))


def folder(root, name, key_tag, segment, start=None):
    made = root / f"keys-{name}"
    made.mkdir(parents=True, exist_ok=True)
    (made / "k.key").write_bytes(KEY)
    suffix = "m4s" if start else "ts"
    (made / f"0.{suffix}").write_bytes(segment)
    if start:
        (made / "init.mp4").write_bytes(start)
    (made / "index.m3u8").write_text("\n".join([
        "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:60", *(['#EXT-X-MAP:URI="init.mp4"'] if start else []),
        key_tag, "#EXTINF:60,", f"0.{suffix}", "#EXT-X-ENDLIST", ""]))
    return made


def encrypted(bytes_):
    return subprocess.run(["openssl", "enc", "-aes-128-cbc", "-K", KEY.hex(), "-iv", IV.hex()], input=bytes_,
                          capture_output=True, check=True).stdout


def prepare(options):
    store, root = options.work / "store-keys", options.work
    assets = {
        "AES-128": (folder(root, "aes", f'#EXT-X-KEY:METHOD=AES-128,URI="k.key",IV=0x{IV.hex()}',
                           encrypted(packets())), "aes-128-cbc"),
        "cenc": (folder(root, "cenc", '#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="k.key"', fragments(True),
                        initialization(b"cenc", 0)), "aes-128-ctr"),
        "cbcs": (folder(root, "cbcs", '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k.key"', fragments(False),
                        initialization(b"cbcs", 0x19)), "aes-128-cbc"),
    }
    return store, {name: (product.imported(store, path), cipher) for name, (path, cipher) in assets.items()}


def openssl_speed(cipher, seconds):
    """MB/s that one core decrypts, in blocks of 16 kB."""
    text = subprocess.run(["openssl", "speed", "-decrypt", "-seconds", str(max(1, int(seconds))), "-bytes", "16384",
                           "-evp", cipher], capture_output=True, text=True).stdout
    return float(re.search(r"^AES\S*\s+([\d.]+)k", text, re.M | re.I)[1]) / 1000


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def clear_speed(server, path, seconds):
    """MB that the server decrypts and sends for each second of CPU time it uses."""
    command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code} %{size_download}", server.url + path]
    started, before, done = time.monotonic(), cpu_seconds(server.child.pid), 0
    while time.monotonic() - started < seconds:
        status, size = subprocess.run(command, capture_output=True, text=True).stdout.split()
        if status != "200" or int(size) < SEGMENT // 2:
            raise RuntimeError(f"{path}: {status}, {size} bytes")
        done += int(size)
    return done / 1e6 / max(cpu_seconds(server.child.pid) - before, 0.01)


def wrk_post(url, script, seconds):
    text = subprocess.run(["wrk", "-t1", "-c16", f"-d{seconds}s", "-s", str(script), url],
                          capture_output=True, text=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if not rate or "Non-2xx" in text:
        raise RuntimeError(f"wrk {url}: {text}")
    return float(rate[1])


def rows(options):
    store, assets = prepare(options)
    root = options.work / "nginx-keys"
    root.mkdir(exist_ok=True)
    (root / "k.key").write_bytes(KEY)
    kid = base64.urlsafe_b64encode(KID).decode().rstrip("=")
    script = options.work / "license.lua"
    script.write_text(f"""wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{{"kids": ["{kid}"], "type": "temporary"}}'
""")
    with product.Server(store) as server, Nginx(root, options.work / "nginx", 2) as nginx:
        token = assets["AES-128"][0]
        row = Row("keys", "a key of 16 bytes, 16 connections", "requests/s", "higher", "nginx, a file")
        yield compare(options, row, lambda: wrk(f"{server.url}/assets/{token}/keys/k0.key", options.seconds),
                      lambda: wrk(f"{nginx.url}/k.key", options.seconds))
        token = assets["cenc"][0]
        row = Row("keys", "a ClearKey license, 16 connections", "requests/s", "higher", "nginx, a file")
        yield compare(options, row,
                      lambda: wrk_post(f"{server.url}/assets/{token}/clearkey", script, options.seconds),
                      lambda: wrk(f"{nginx.url}/k.key", options.seconds))
        for name, (token, cipher) in assets.items():
            path = server.first_segment(token) + "?decrypt=1"
            row = Row("keys", f"{name} in the clear, served by one core", "MB/s", "higher", f"openssl speed {cipher}")
            yield compare(options, row, lambda: clear_speed(server, path, options.seconds),
                          lambda: openssl_speed(cipher, options.seconds))
