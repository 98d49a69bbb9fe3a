"use strict";
const states = JSON.parse(document.getElementById("states").textContent);
const last = states.length - 1;
const all = [...document.querySelectorAll("[data-e]")];
const of = (element) => element.dataset.e.split(" ").map(Number);
let now = 0;
function mark(number, scrolls) {
  for (const element of all) {
    const is = of(element).includes(number);
    element.classList.toggle("on", is);
    if (is && scrolls && !element.classList.contains("edge") && !element.classList.contains("word")) {
      const room = element.closest(".scroll");
      if (room && room.scrollHeight > room.clientHeight) {
        const at = element.getBoundingClientRect(), box = room.getBoundingClientRect();
        if (at.top < box.top + 30 || at.bottom > box.bottom) room.scrollTop += at.top - box.top - box.height / 2;
      }
    }
  }
}
function text(parent, tag, said) {
  const element = document.createElement(tag);
  element.textContent = said;
  parent.append(element);
}
function show(number) {
  now = Math.max(0, Math.min(last, number));
  mark(now, true);
  document.getElementById("now").textContent = now === 0 ? "before the first event" : `after event ${now} of ${last}`;
  const state = document.getElementById("state");
  const before = states[Math.max(0, now - 1)].memory;
  state.replaceChildren();
  for (const [name, value] of Object.entries(states[now].memory)) text(state, before[name] === value ? "span" : "b", `${name} = ${value} `);
  for (const [thread, waiting] of Object.entries(states[now].buffers)) text(state, "span", `buffer of ${thread}: [${waiting.join(", ")}]`);
}
if (last > 0) {
  document.querySelector(".step").hidden = false;
  document.getElementById("back").onclick = () => show(now - 1);
  document.getElementById("on").onclick = () => show(now + 1);
  document.addEventListener("keydown", (key) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key.key];
    if (by && !key.ctrlKey && !key.metaKey && !key.altKey) {
      key.preventDefault();
      show(now + by);
    }
  });
  for (const element of all) {
    element.addEventListener("mouseenter", () => mark(of(element)[0], false));
    element.addEventListener("mouseleave", () => mark(now, false));
    element.addEventListener("click", () => show(of(element)[0]));
  }
  show(0);
}
