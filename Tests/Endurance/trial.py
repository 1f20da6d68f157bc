"""A trial of a store whose catalog is in a PostgreSQL server and whose media are in an S3 server: what all of them have in common."""
import argparse
import random
import shutil
import sys
import tempfile
from pathlib import Path

import product
from services import Services


def options(text):
    """A parser of the options that every trial has; the text is its help."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program")
    parser.add_argument("--s3", choices=["moto", "swift"], default="moto", help="the S3 server (see Tests/S3/server)")
    return parser


class Trial:
    """A trial in a folder of its own. A class of a trial has `run`, and `summary`, the line that is printed at its end."""

    def __init__(self, folder, services, source, arguments, log):
        self.folder, self.services, self.source, self.arguments, self.log = folder, services, source, arguments, log
        self.random, self.wrong, self.nodes = random.Random(arguments.seed), [], []

    def note(self, sentence):
        """Notes something that must not be."""
        self.wrong.append(sentence)
        print("WRONG:", sentence, file=sys.stderr)

    def close(self):
        """Ends the processes that the trial has started."""
        for node in self.nodes:
            node.kill()

    @classmethod
    async def hold(cls, arguments, source):
        """Runs the trial with an origin; ends with status 1, and keeps the folder, if something was wrong."""
        arguments.binary = product.program(arguments)
        folder = Path(tempfile.mkdtemp(prefix=f"offline-server-{cls.__name__.lower()}-"))
        await source.start()
        services = Services(folder, arguments.s3)
        with open(folder / "nodes.log", "wb") as log:
            trial = cls(folder, services, source, arguments, log)
            try:
                await trial.run()
            finally:
                trial.close()
                services.stop()
        print(f"seed {arguments.seed}: {trial.summary()}")
        print("\n".join(["WRONG:", *trial.wrong]) if trial.wrong else "nothing wrong")
        if trial.wrong:
            sys.exit(f"the nodes' folders and their log are in {folder}")
        shutil.rmtree(folder)
