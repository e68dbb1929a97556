"""Play by mail: a game of Secrets is a folder of plain files, run by whoever collects the mails."""
