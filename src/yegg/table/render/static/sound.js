// Six sounds, made by the browser itself; loaded when somebody switches sounds on, and never before.
// Everything that sounds is also to be seen.
const LOUDEST = 0.5;
const AFTER = 0.09; // seconds between sounds of one kind
const MOST = 4; // of one kind at once

let context;
let loudness;
let on = false;

const kept = (name, usual) => localStorage.getItem(`yegg-${name}`) ?? usual;

// A tone that fades, by its pitch in hertz; `until`: the pitch at its end.
function tone(at, pitch, seconds, { until = pitch, shape = "sine", level = 1 } = {}) {
  const [voice, gain] = [context.createOscillator(), context.createGain()];
  voice.type = shape;
  voice.frequency.setValueAtTime(pitch, at);
  voice.frequency.exponentialRampToValueAtTime(until, at + seconds);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(level, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  voice.connect(gain).connect(loudness);
  voice.start(at);
  voice.stop(at + seconds + 0.02);
}

// A short noise, as of paper or wood, by the pitch of its middle.
function noise(at, pitch, seconds, level) {
  const length = Math.ceil(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const wave = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) wave[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 2;
  const [source, filter, gain] = [context.createBufferSource(), context.createBiquadFilter(), context.createGain()];
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  gain.gain.value = level;
  source.connect(filter).connect(gain).connect(loudness);
  source.start(at);
}

export const SOUNDS = {
  die: (at) => [0, 0.07, 0.12].forEach((later, i) => noise(at + later, 1900 - 250 * i, 0.05, 0.9 - 0.2 * i)),
  card: (at) => noise(at, 3800, 0.11, 0.5),
  chip: (at) => tone(at, 2300, 0.06, { until: 1700, shape: "triangle", level: 0.35 }),
  turn: (at) => [523, 784].forEach((pitch, i) => tone(at + 0.13 * i, pitch, 0.35, { level: 0.4 })),
  win: (at) => [523, 659, 784, 1047].forEach((pitch, i) => tone(at + 0.14 * i, pitch, 0.6, { level: 0.4 })),
  refusal: (at) => tone(at, 196, 0.22, { until: 147, shape: "triangle", level: 0.5 }),
};

// Makes a sound so many times; what is not heard now, because the browser waits for a press, is not heard later.
export function sound(kind, times = 1) {
  if (!on || context.state !== "running") return;
  loudness.gain.value = (LOUDEST * Number(kept("volume", "50"))) / 100;
  for (let i = 0; i < Math.min(times, MOST); i++) SOUNDS[kind](context.currentTime + AFTER * i);
  document.dispatchEvent(new CustomEvent("sounded", { detail: kind }));
}

function heard({ detail }) {
  if (detail.fresh.includes("roll")) sound("die", 2);
  else if (detail.came) sound("card");
  if (detail.flown) sound("chip", detail.flown);
}

export function begin() {
  if (!context) {
    context = new AudioContext();
    loudness = context.createGain();
    loudness.connect(context.destination);
    document.addEventListener("moved", heard);
    for (const kind of ["turn", "win", "refusal"]) document.addEventListener(`yegg-${kind}`, () => sound(kind));
    for (const press of ["pointerdown", "keydown"]) addEventListener(press, () => on && context.resume(), { capture: true });
  }
  on = true;
  context.resume();
}

export function end() {
  on = false;
  context?.suspend();
}
