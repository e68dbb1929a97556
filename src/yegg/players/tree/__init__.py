"""The tree that a thinking player remembers: what each seat may know is a node."""
