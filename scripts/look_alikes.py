"""Write src/yegg/text/look_alikes.tsv: Unicode's table of confusables, as far as names go.

    npm pack unhomoglyph && tar xzf unhomoglyph-*.tgz
    python scripts/look_alikes.py package/data.json

That package holds the table, version 13.0, as one JSON object.  Left out are sources that no name
can hold, and those that are decomposed before the table is asked.
"""

import json
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from yegg.text.names import TABLE, why_no_name

HEAD = """\
# Letters that look alike, from confusables.txt 13.0 of UTS #39, Unicode Security Mechanisms;
# modified: only what a name may hold, and first what all on a line look like
# (scripts/look_alikes.py).
# Copyright (c) 1991-2020 Unicode, Inc.  All rights reserved.
# Distributed under the Terms of Use in https://www.unicode.org/copyright.html
# Permission is hereby granted, free of charge, to any person obtaining a copy of the Unicode data
# files and any associated documentation (the "Data Files") or Unicode software and any associated
# documentation (the "Software") to deal in the Data Files or Software without restriction,
# including without limitation the rights to use, copy, modify, merge, publish, distribute, and/or
# sell copies of the Data Files or Software, and to permit persons to whom the Data Files or
# Software are furnished to do so, provided that either (a) this copyright and permission notice
# appear with all copies of the Data Files or Software, or (b) this copyright and permission notice
# appear in associated Documentation.
# THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
# IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR
# PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS.  IN NO EVENT SHALL THE COPYRIGHT HOLDER OR
# HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL
# DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
# ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE
# USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.
# Except as contained in this notice, the name of a copyright holder shall not be used in
# advertising or otherwise to promote the sale, use or other dealings in these Data Files or
# Software without prior written authorization of the copyright holder.
"""


def main() -> None:
    """Group the sources by what they look like."""
    table = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    alike = defaultdict(list)
    for source, target in table.items():
        fits = len(source) == 1 and not why_no_name(f"a{source}")
        if fits and unicodedata.normalize("NFD", source) == source:
            alike[target].append(source)
    lines = (f"{target}\t{''.join(sorted(sources))}\n" for target, sources in sorted(alike.items()))
    TABLE.write_text(HEAD + "".join(lines), "utf-8")


if __name__ == "__main__":
    main()
