// The result of the day, to send to friends.
import { copied } from "./copying.js";

const button = document.getElementById("copy-result");
if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    document.getElementById("copied").textContent = await copied(document.getElementById("result"), "text");
  });
}
