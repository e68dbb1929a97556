// The button that prints a page made for paper.
const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
