"""What the nodes of a store share: a database and a bucket."""
import json
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
# scripts/install-packages puts moto, and boto3 with it, into an environment of its own where Python has none.
sys.path += map(str, (TESTS / "S3/venv/lib").glob("python3*/site-packages"))

import boto3  # noqa: E402


class Services:
    """A PostgreSQL server and an S3 server, moto or swift, in a folder."""

    def __init__(self, folder, engine="moto"):
        # The user nobody, as whom root runs PostgreSQL, must be able to enter it.
        folder.chmod(0o755)
        self.database, self.objects = folder / "postgres", folder / "s3"
        self.objects.mkdir()
        subprocess.run([TESTS / "Postgres/server", "start", self.database], check=True)
        self.port = (self.database / "port").read_text().strip()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self.bucket = subprocess.Popen([TESTS / "S3/server", engine, self.objects])
        facts = self.objects / "server.json"
        while not facts.exists():
            if self.bucket.poll() is not None:
                sys.exit("the S3 server of the tests has ended")
            time.sleep(0.05)
        self.s3 = json.loads(facts.read_text())
        self.credentials = folder / "credentials"
        self.credentials.write_text(
            f"[default]\naws_access_key_id = {self.s3['access_key']}\naws_secret_access_key = {self.s3['secret_key']}\n")
        self.credentials.chmod(0o600)
        self.client = boto3.client(
            "s3", endpoint_url=self.s3["endpoint"], aws_access_key_id=self.s3["access_key"],
            aws_secret_access_key=self.s3["secret_key"], region_name="us-east-1")

    @property
    def options(self):
        return ["--catalog", self.url, "--media", f"s3://{self.s3['bucket']}/films", "--s3-endpoint", self.s3["endpoint"],
                "--s3-credentials", str(self.credentials)]

    def rows(self, sql):
        done = subprocess.run(["psql", "-qXAt", "-c", sql, self.url], check=True, capture_output=True, text=True)
        return done.stdout.split()

    def named(self):
        """The objects of all stored units."""
        return set(self.rows("SELECT object FROM unit WHERE state = 1 AND object IS NOT NULL"))

    def listed(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.s3["bucket"], Prefix="films/")
        return {item["Key"].rsplit(".", 1)[1] for page in pages for item in page.get("Contents", [])}

    def stop(self):
        self.bucket.kill()
        subprocess.run([TESTS / "Postgres/server", "stop", self.database])
