// The result of the day: looked at again until the coach is done, and sent to friends.
import { copied } from "./copying.js";

const button = document.getElementById("copy-result");
if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    document.getElementById("copied").textContent = await copied(document.getElementById("result"), "text");
  });
}

if (document.querySelector("[data-waits]")) setTimeout(() => location.reload(), 3000);
