"""A shared store of a million assets with ten million segments, whose catalog is in a PostgreSQL database.

The peer is a store of ten thousand assets in the same database server; both nodes answer in turns. A ratio near 1 means that the cost does not
grow. "begins" is the time from the acknowledged POST of an asset until its download runs.
"""
import http.client
import json
import random
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import assets
import product
from measure import Row, compare_all
from origin import Nginx

sys.path.append(str(Path(__file__).resolve().parent.parent / "Tests/Endurance"))
FEW, MANY = 10_000, 1_000_000
PAGE = 1_000
PAGES = 50  # of each round
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Store:
    """A store in a database of its own, with so many assets made of one, and the node that serves it."""

    def __init__(self, services, folder, url, count):
        self.services, self.count = services, count
        self.name = f"assets_{count}"
        self.database = services.url.replace("/postgres", f"/{self.name}").replace(f"//{self.name}", "//postgres")
        subprocess.run(["createdb", "--maintenance-db", services.url, self.name], check=True)
        folder = folder / self.name
        folder.mkdir()
        options = list(services.options)
        options[1], options[3] = self.database, options[3].replace("/films", f"/{self.name}")
        self.server = product.Server(folder, *options)
        with self.server:
            self.await_node()
            self.token = self.add(url)
            while json.loads(self.server.get(f"/api/v1/assets/{self.token}"))["state"] != "complete":
                time.sleep(0.05)
        self.multiply()
        self.server.__enter__()
        self.await_node()
        # Each has a full page of older ones.
        self.tokens = self.sql(f"SELECT token FROM (SELECT token FROM asset ORDER BY token OFFSET {PAGE}) newer "
                               "ORDER BY random() LIMIT 2000").split()

    def await_node(self):
        for _ in range(600):
            try:
                return self.server.get("/readyz")
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("a node is not ready")

    def sql(self, text):
        done = subprocess.run(["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-c", text, self.database], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"psql: {done.stderr.strip()}")
        return done.stdout

    def columns(self, table, *but):
        rows = self.sql(f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}' ORDER BY ordinal_position")
        return [name for name in rows.split() if name not in but]

    def multiply(self):
        """Copies the rows of the asset, with all segments; the copies share its objects."""
        digits = " || ".join(f"substr('{ALPHABET}', (n >> {shift} & 31) + 1, 1)" for shift in (15, 10, 5, 0))
        names = ", ".join(self.columns("asset", "token", "name", "client_id"))
        self.sql(f"INSERT INTO asset (token, name, {names}) SELECT left(token, 22) || {digits}, 'Film ' || n, {names} "
                 f"FROM generate_series(0, {self.count - 1}) n, asset WHERE left(token, 22) || {digits} != token")
        for table in ("rendition", "source_playlist", "address"):
            names = self.columns(table, "id", "asset")
            self.sql(f"INSERT INTO {table} (asset, {', '.join(names)}) SELECT asset.token, {', '.join('own.' + name for name in names)} "
                     f"FROM {table} own, asset WHERE own.asset = '{self.token}' AND asset.token != '{self.token}'")
        names = self.columns("unit", "rendition")
        self.sql(f"INSERT INTO unit (rendition, {', '.join(names)}) SELECT other.id, {', '.join('unit.' + name for name in names)} "
                 f"FROM unit JOIN rendition own ON own.id = rendition AND own.asset = '{self.token}' "
                 f"JOIN rendition other ON other.name = own.name AND other.asset != '{self.token}'")
        self.sql("VACUUM ANALYZE")

    def add(self, url):
        body = json.dumps({"url": url}).encode()
        request = urllib.request.Request(f"{self.server.url}/api/v1/assets", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)["token"]

    def slowest(self, path, count=PAGES):
        """Milliseconds of the slowest of so many requests: 98 of 100 are faster. `TOKEN` in the path is a random asset."""
        connection, took = http.client.HTTPConnection("127.0.0.1", self.server.port), []
        for token in random.sample(self.tokens, count):
            began = time.perf_counter()
            connection.request("GET", path.replace("TOKEN", token))
            response = connection.getresponse()
            response.read()
            took.append((time.perf_counter() - began) * 1e3)
            if response.status != 200:
                raise RuntimeError(f"{path} of a store with {self.count:,} assets: {response.status}")
        connection.close()
        return sorted(took)[-2] if count > 1 else took[0]

    def begin(self, url):
        """Milliseconds from the acknowledgement of an asset until it is no longer in the queue; it is removed afterwards."""
        token = self.add(url)
        began = time.perf_counter()
        while json.loads(self.server.get(f"/api/v1/assets/{token}"))["state"] == "queued":
            time.sleep(0.0005)
        took = (time.perf_counter() - began) * 1e3
        request = urllib.request.Request(f"{self.server.url}/api/v1/assets/{token}", method="DELETE")
        urllib.request.urlopen(request).read()
        return took


QUESTIONS = [
    (f"a page of {PAGE:,} assets in short, the slowest but one of {PAGES}", f"/api/v1/assets?limit={PAGE}&view=summary&before=TOKEN", PAGES),
    (f"a page of 100 assets, the slowest but one of {PAGES}", "/api/v1/assets?limit=100&before=TOKEN", PAGES),
    (f"one asset, the slowest but one of {PAGES}", "/api/v1/assets/TOKEN", PAGES),
    (f"the first playlist, the slowest but one of {PAGES}", "/assets/TOKEN/master.m3u8", PAGES),
    ("a search in names", "/api/v1/search?q=film%20777", 1),
    ("/metrics", "/metrics", 1),
]


def rows(options):
    from services import Services
    found = [Row("catalog", f"{MANY:,} assets: {what}", "ms", "lower", f"with {FEW:,}") for what, _, _ in QUESTIONS]
    found.append(Row("catalog", f"{MANY:,} assets: an asset begins", "ms", "lower", f"with {FEW:,}"))
    folder = options.work / "catalog"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    services = Services(folder)
    stores = []
    try:
        with Nginx(assets.make(options.work, "tiny", assets.SMALL, 10, 1), options.work / "nginx-catalog", 1) as nginx:
            for count in (FEW, MANY):
                stores.append(Store(services, folder, f"{nginx.url}/index.m3u8", count))
            few, many = stores
            number = iter(range(1_000_000))

            def measured(store):
                values = [store.slowest(path, count) for _, path, count in QUESTIONS]
                return values + [store.begin(f"{nginx.url}/index.m3u8?{next(number)}")]
            yield from compare_all(options, found, lambda: measured(many), lambda: measured(few))
    finally:
        for store in stores:
            store.server.__exit__()
        services.stop()
        shutil.rmtree(folder, ignore_errors=True)
