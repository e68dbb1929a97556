"""How Sphinx makes the reference of `import yegg`: `make reference`."""

import yegg

project = "yegg"
author = "the authors of yegg"
release = yegg.__version__
extensions = ["sphinx.ext.autodoc"]
default_role = "code"  # `name` in a docstring
autoclass_content = "both"  # what __init__ says, too
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
html_theme = "furo"
html_title = "yegg"
html_show_sourcelink = False
