"""A file is replaced in one step, whoever else writes it meanwhile."""

from threading import Thread

from yegg.files import replacing, write_atomic


def test_two_threads_of_a_process_write_one_file_apart(tmp_path):
    """As two do that compile the same function: the later one replaces the whole other."""
    path = tmp_path / "code"
    with replacing(path) as part:
        part.write_bytes(b"mine")
        other = Thread(target=write_atomic, args=(path, b"another's"))
        other.start()
        other.join()
        assert path.read_bytes() == b"another's"
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]
