"""What every game and every bot promises, as tests: ``pytest --pyargs yegg.contract``.

They run over all games that are found; those of other packages too.
"""
