"""Two local nodes of Ray with a core each; prints their address, and ends when its input does."""

import sys

from ray.cluster_utils import Cluster

if __name__ == "__main__":
    node = {"num_cpus": 1, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    cluster.add_node(**node)
    cluster.wait_for_nodes()
    sys.stdout.write(f"{cluster.address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    cluster.shutdown()
