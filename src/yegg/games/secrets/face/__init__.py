"""How the table draws Secrets in the browser."""
