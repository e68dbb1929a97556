// The form of a new table: house rules that cannot go with the seats, or with one another, are greyed and say why.
const form = document.getElementById("open");
const fields = [...form.querySelectorAll("[name^=opt-]")];
const seats = [...form.querySelectorAll(".seatsel select")];

const players = (count) => `${count} ${count === "1" ? "player" : "players"}`;

// Values that go with other numbers of players only; a value that has just become impossible gives way.
function fitted(field, count) {
  const all = [...field.options];
  for (const one of all) one.disabled = one.dataset.players ? !one.dataset.players.split(" ").includes(`${count}`) : false;
  const [grey, fit] = [all.filter((one) => one.disabled), all.filter((one) => !one.disabled)];
  if (field.selectedOptions[0].disabled && fit.length) fit[0].selected = true;
  const numbers = [...new Set(grey.flatMap((one) => one.dataset.players.split(" ")))];
  return grey.length ? `What is grey is for ${numbers.map(players).join(" or ")}; change the seats above.` : "";
}

// A rule that does nothing unless another has a certain value.
function idle(field) {
  const { needs, value, why } = field.closest(".option").dataset;
  const other = needs && form.elements[`opt-${needs}`];
  field.disabled = Boolean(other && other.value !== value);
  return field.disabled ? `No matter now: ${why}.` : "";
}

function checked() {
  const count = seats.filter((seat) => seat.value).length;
  for (const field of fields) {
    const why = fitted(field, count) || idle(field);
    document.getElementById(field.getAttribute("aria-describedby")).textContent = why;
  }
}

form.addEventListener("change", checked);
checked();
