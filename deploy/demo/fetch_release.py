"""fetch_release.py NAME VERSION FOLDER: unpack the source distribution of a release into FOLDER.

`pip download` would run the release's own setup script; this only downloads, from the index that pip is
set up for, and checks the hash that the index gives.
"""
import hashlib
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import urllib.request


def index_url():
    configured = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"],
                                capture_output=True, text=True).stdout.strip()
    if os.environ.get("PIP_INDEX_URL") or configured:
        return os.environ.get("PIP_INDEX_URL") or configured
    from pip._internal.models.index import PyPI
    return PyPI.simple_url


def release_link(name, version):
    page_url = index_url().rstrip("/") + "/" + re.sub(r"[-_.]+", "-", name).lower() + "/"
    with urllib.request.urlopen(page_url, timeout=60) as answer:
        page = answer.read().decode()
    wanted = re.compile(re.sub(r"[-_.]+", "[-_.]+", name) + "-" + re.escape(version) + r"\.tar\.gz", re.I)
    for link, text in re.findall(r'<a[^>]*href="([^"]+)"[^>]*>\s*([^<]+?)\s*</a>', page):
        if wanted.fullmatch(text):
            return urllib.parse.urljoin(page_url, html.unescape(link))
    sys.exit(f"no source distribution of {name} {version}")


def main():
    name, version, folder = sys.argv[1:]
    link, _, fragment = release_link(name, version).partition("#")
    with urllib.request.urlopen(link, timeout=300) as answer:
        data = answer.read()
    if fragment.startswith("sha256=") and hashlib.sha256(data).hexdigest() != fragment[len("sha256="):]:
        sys.exit(f"the download of {name} {version} is damaged: its hash is not the index's")
    target = pathlib.Path(folder)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        archive = pathlib.Path(scratch) / "release.tar.gz"
        archive.write_bytes(data)
        with tarfile.open(archive) as tar:
            tar.extractall(scratch, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(scratch)
        top = [p for p in pathlib.Path(scratch).iterdir() if p.is_dir()]
        shutil.move(str(top[0]), str(target))


main()
