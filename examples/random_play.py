"""Random play through each interface: PettingZoo, Gymnasium, OpenSpiel, the batch."""

import random

import gymnasium
import pyspiel

import yegg.envs.gymnasium
import yegg.envs.openspiel

turns = yegg.envs.aec("second-story", players=3)
turns.reset(seed=1)
for agent in turns.agent_iter():
    seen, reward, terminated, truncated, _ = turns.last()
    if terminated or truncated:
        print("PettingZoo in turn:", agent, reward)
    mask = seen["action_mask"]
    turns.step(None if terminated or truncated else turns.action_space(agent).sample(mask))

at_once = yegg.envs.parallel("secrets", players=4)
seen, _ = at_once.reset(seed=1)
while at_once.agents:
    spaces = {agent: at_once.action_space(agent) for agent in at_once.agents}
    actions = {agent: spaces[agent].sample(seen[agent]["action_mask"]) for agent in spaces}
    seen, rewards, *_ = at_once.step(actions)
print("PettingZoo at once:", rewards)

env = gymnasium.make("yegg/SecondStory-v3", bot="easy")
_, info = env.reset(seed=1)
over = False
while not over:
    _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
    over = terminated or truncated
print("Gymnasium:", reward)

state = pyspiel.load_game("yegg_second_story(players=3)").new_initial_state()
while not state.is_terminal():
    state.apply_action(random.choice(state.legal_actions()))
print("OpenSpiel:", state.returns())

batch = yegg.envs.batch("second-story", games=1024, players=3, seed=1)
for _ in range(1000):
    batch.step(batch.sampled)
print("Batch: a million decisions; seat 1 won", batch.rewards[:, 0].max() > 0)
