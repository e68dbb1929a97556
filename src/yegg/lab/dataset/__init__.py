"""Datasets: games between bots as Parquet files, a row for each decision and one for each game."""
