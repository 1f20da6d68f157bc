"""What the machine itself can do: bytes through loopback by sendfile, and files written and flushed; each the best of
several ways, so that it is a limit."""
import os
import shutil
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

READ = 1 << 20
CONNECTIONS = (1, 2, 4)
WRITERS = (1, 4, 16)


def sendfile_rate(file, seconds):
    """Bytes a second of a file in the page cache that sendfile brings to readers over loopback, who drop them: the best
    of some numbers of connections, which share the time."""
    return max(rate(file, seconds / len(CONNECTIONS), count) for count in CONNECTIONS)


def rate(file, seconds, connections):
    """The same over so many connections; who writes is a process of its own."""
    with socket.create_server(("127.0.0.1", 0), backlog=connections) as listener:
        readers = [socket.create_connection(listener.getsockname()) for _ in range(connections)]
        writers = [listener.accept()[0] for _ in readers]
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            for reader in readers:
                reader.close()
            all_of(lambda writer: send(file, writer, started + seconds), writers)
        finally:
            os._exit(0)
    for writer in writers:
        writer.close()
    totals = [0] * connections
    all_of(lambda number: drop(readers[number], totals, number), range(connections))
    elapsed = time.monotonic() - started
    os.waitpid(child, 0)
    return sum(totals) / elapsed


def all_of(work, items):
    """Does something with each item, at the same time."""
    threads = [threading.Thread(target=work, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def send(file, writer, deadline):
    with open(file, "rb") as source, writer:
        while time.monotonic() < deadline:
            writer.sendfile(source)
            source.seek(0)


def drop(reader, totals, number):
    buffer = bytearray(READ)
    with reader:
        while count := reader.recv_into(buffer):
            totals[number] += count


def write_seconds(folder, files):
    """Seconds for copies of these files that are flushed to the disk, with their names: the least of some numbers of
    writers."""
    bodies = [file.read_bytes() for file in files]
    return min(written(folder / f"by-{count}", bodies, count) for count in WRITERS)


def written(folder, bodies, writers):
    """The same by so many writers, each with a file of its own at a time."""
    folder.mkdir()
    with ThreadPoolExecutor(writers) as pool:
        started = time.monotonic()
        list(pool.map(lambda item: write(folder / str(item[0]), item[1]), enumerate(bodies)))
        names = os.open(folder, os.O_RDONLY)
        os.fsync(names)
        os.close(names)
        seconds = time.monotonic() - started
    shutil.rmtree(folder)
    return seconds


def write(path, body):
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(file, body)
    os.fdatasync(file)
    os.close(file)
