"""A disk that loses power or is full: a file system in an image, of which only what was flushed is left after a cut."""
import os
import shutil
import subprocess
import sys


class Impossible(Exception):
    """No file system can be mounted here: it takes root's rights, and containers have none."""

    def leave(self, what):
        """Ends the program: with a word for who can't help it, as a failure where everything is to be tried, and for
        root, to whom only a tool is missing.
        """
        sentence = f"not tried: {what}, since {self}"
        is_tool_missing = os.geteuid() == 0 and isinstance(self.__cause__, FileNotFoundError)
        if os.environ.get("CI") or is_tool_missing:
            sys.exit(sentence)
        print(sentence)
        sys.exit(0)


class Disk:
    """An ext4 file system in a file, mounted at `path`."""

    def __init__(self, folder, size=64 << 30):
        self.image, self.copy, self.path = folder / "disk.img", folder / "cut.img", folder / "disk"
        self.path.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(size)
        try:
            subprocess.run(["/usr/sbin/mkfs.ext4", "-q", "-b", "4096", self.image], check=True)
            self.mount()
        except FileNotFoundError as error:
            raise Impossible(f"{error.filename} is missing") from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise Impossible(f"no file system can be mounted here ({error})") from error

    def mount(self):
        """The journal is not written out by time, so that only what the program flushes is kept."""
        subprocess.run(["mount", "-o", "loop,commit=3600", self.image, self.path], check=True)

    def unmount(self):
        subprocess.run(["umount", self.path], check=True)

    def abandon(self):
        """At the end, whoever may still use it."""
        subprocess.run(["umount", "--lazy", self.path], check=False)

    def cut(self):
        """Keeps what the disk holds at this moment, and nothing that lies in memory only."""
        subprocess.run(["cp", "--sparse=always", self.image, self.copy], check=True)

    def restore(self):
        """Goes on with what was kept, once nobody uses the disk any more."""
        self.unmount()
        shutil.move(self.copy, self.image)
        self.mount()
        # Bytes that were not flushed are gone on with while the machine runs only: it has not started anew here.
        for head in self.path.rglob("*.head"):
            head.unlink()
