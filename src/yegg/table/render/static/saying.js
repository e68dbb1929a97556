// What the page says to one person: why something was refused, or what was done.  The line lies over the bar, so that
// nothing moves under a finger; a press there takes it away.  It stays until that person acts, or until there was time to read it: what others do
// does not take it away.
const LEAST = 8; // seconds
const READ = 12; // letters a second
const LINK = /\bhttps?:/;

const line = document.getElementById("said");
let alarm;

line?.addEventListener("click", () => getSelection().isCollapsed && say(""));

export function say(text, good = false) {
  if (!line) return;
  clearTimeout(alarm);
  line.className = `said${good ? " good" : ""}`;
  line.textContent = text;
  // A link is to be copied by hand.
  if (text && !LINK.test(text)) alarm = setTimeout(() => say(""), 1000 * Math.max(LEAST, text.length / READ));
}

// What came with the page.
if (line?.textContent.trim()) say(line.textContent);
