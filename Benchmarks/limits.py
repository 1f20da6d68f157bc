"""What the machine itself can do: bytes through loopback by sendfile, and files written and flushed."""
import os
import socket
import threading
import time

READ = 1 << 20


def sendfile_rate(file, seconds):
    """Bytes a second of a file in the page cache that sendfile brings to a reader over loopback, who drops them."""
    listener = socket.create_server(("127.0.0.1", 0))
    reader = socket.create_connection(listener.getsockname())
    writer, _ = listener.accept()
    listener.close()
    deadline = time.monotonic() + seconds

    def send():
        with open(file, "rb") as source, writer:
            while time.monotonic() < deadline:
                writer.sendfile(source)
                source.seek(0)

    thread = threading.Thread(target=send)
    started = time.monotonic()
    thread.start()
    total, buffer = 0, bytearray(READ)
    with reader:
        while count := reader.recv_into(buffer):
            total += count
    elapsed = time.monotonic() - started
    thread.join()
    return total / elapsed


def write_seconds(folder, files):
    """Seconds for copies of these files that are flushed to the disk, with their names."""
    bodies = [file.read_bytes() for file in files]
    started = time.monotonic()
    copies = []
    for number, body in enumerate(bodies):
        copies.append(os.open(folder / str(number), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.write(copies[-1], body)
    for copy in copies:
        os.fsync(copy)
        os.close(copy)
    names = os.open(folder, os.O_RDONLY)
    os.fsync(names)
    os.close(names)
    return time.monotonic() - started
