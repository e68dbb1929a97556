"""Draw the app's icons, which phones want as PNG, from `icon-app.svg`: part of `make pictures`."""

from pathlib import Path

from resvg_py import svg_to_bytes

from yegg.table.render import app_files

STATIC = Path(app_files.__file__).with_name("static")
DRAWING = (STATIC / "icon-app.svg").read_text()

for name, size in app_files.ICONS.items():
    drawn = bytes(svg_to_bytes(DRAWING, width=size, height=size))
    (STATIC / name).write_bytes(drawn)
