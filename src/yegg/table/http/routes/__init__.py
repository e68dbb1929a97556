"""The addresses of the server, a module for each thing one can do there."""
