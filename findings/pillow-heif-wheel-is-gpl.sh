#!/usr/bin/env bash
# pip-licenses calls pillow-heif 1.8.1 BSD-3-Clause, which its source is. Its wheel for Linux is
# under the GPL, version 2, as it holds the encoder x265; only a file inside the wheel says so.
# pi-heif, the package without that encoder, has ended with 1.4.0.
# It matters where a check of licences reads the metadata of packages: it passes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check pillow-heif==1.8.1 pip-licenses==5.5.5
cd "$folder"
told=$(venv/bin/pip-licenses --packages pillow-heif --format csv --no-version | tail -1)
echo "pip-licenses: $told (expected \"pillow_heif\",\"BSD-3-Clause\")"
venv/bin/python - "$told" <<'PROGRAM'
import sys
from importlib.metadata import distribution

package = distribution("pillow-heif")
print("pillow-heif", package.version)
names = [str(path) for path in package.files or ()]
encoder = [name for name in names if "libx265" in name]
bundled = next(path for path in package.files or () if path.name == "LICENSES_bundled.txt")
wheel = [line for line in bundled.read_text().splitlines() if "binary wheels: GPLv2" in line]
ended = "discontinued, `1.4.0` is its final release" in (package.metadata.get_payload() or "")
print("files of the encoder x265:", len(encoder), "(expected 1)")
print("the file of bundled licences:", wheel[0] if wheel else "no GPL", "(expected GPLv2)")
print("pi-heif has ended with 1.4.0:", ended, "(expected True)")
sys.exit(len(encoder) != 1 or not wheel or not ended or "BSD-3-Clause" not in sys.argv[1])
PROGRAM
