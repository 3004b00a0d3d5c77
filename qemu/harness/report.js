// Pointing at a plot tells its numbers there. Dragging over one looks closer, at
// all of them; a double click, or Escape, shows everything again.
"use strict";
(() => {
  const TICKS = 5, LEAST = 0.002;
  let from = 0, to = 1;  // Of the run, what is shown.
  let dragged = null;  // The plot that a part is being chosen of.

  const clock = seconds => {
    const two = number => String(Math.floor(number)).padStart(2, "0");
    const days = Math.floor(seconds / 86400);
    return (days ? days + " d " : "") + two(seconds / 3600 % 24) + ":"
      + two(seconds / 60 % 60) + ":" + two(seconds % 60);
  };
  const add = (name, parent) =>
    parent.appendChild(document.createElement(name));
  const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, " ");

  class Plot {
    constructor(box) {
      this.seconds = Number(box.dataset.seconds);
      this.points = box.dataset.points.split(";").map(
        point => point.split(",").map(Number));
      this.svg = box.querySelector("svg");
      this.size = this.svg.getAttribute("viewBox").split(" ").map(Number);
      this.times = box.querySelector(".times");
      this.ticks = this.times.innerHTML;
      this.scenes = [...box.querySelectorAll(".scenes span")].map(
        one => [one, parseFloat(one.style.left), parseFloat(one.style.width)]);
      this.look = add("div", box);
      this.look.className = "look";
      this.band = add("i", this.look);
      this.words = add("b", this.look);
      this.hide();
      this.listen();
    }

    listen() {
      this.look.onpointermove = event => dragged || this.point(event);
      this.look.onpointerleave = () => dragged || this.hide();
      this.look.onpointerdown = event => {
        this.began = this.at(event);
        dragged = this;
      };
      this.look.ondblclick = () => show(0, 1);
    }

    at(event) {  // The share of what is shown that lies left of it.
      const box = this.look.getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    }

    point(event) {
      const at = this.at(event), began = this.began ?? at;
      this.band.style.left = 100 * Math.min(at, began) + "%";
      this.band.style.width = `max(1px, ${100 * Math.abs(at - began)}%)`;
      this.words.textContent = this.say(from + at * (to - from));
      this.words.style.left = at < 0.5 ? 100 * at + "%" : "auto";
      this.words.style.right = at < 0.5 ? "auto" : 100 * (1 - at) + "%";
      this.band.hidden = this.words.hidden = false;
    }

    say(share) {
      const last = this.points.length - 1;
      const at = Math.min(last, Math.floor(share * this.points.length));
      const [low, median, high] = this.points[at].map(grouped);
      return clock(share * this.seconds) + "  " + (low === high ? low
        : `${low} to ${high}, median ${median}`);
    }

    release(at) {
      const [first, last] = [this.began, at].sort((a, b) => a - b);
      const wide = to - from;
      this.began = dragged = null;
      this.hide();
      if ((last - first) * wide > LEAST)
        show(from + first * wide, from + last * wide);
    }

    hide() {
      this.band.hidden = this.words.hidden = true;
    }

    show() {
      const wide = to - from, [, , width, height] = this.size;
      this.svg.setAttribute("viewBox",
                            `${from * width} 0 ${wide * width} ${height}`);
      for (const [one, left, size] of this.scenes) {
        one.style.left = (left - 100 * from) / wide + "%";
        one.style.width = size / wide + "%";
      }
      this.times.innerHTML = this.ticks;
      if (wide === 1)
        return;
      this.times.textContent = "";
      for (let tick = 0; tick < TICKS; tick++) {
        const label = add("span", this.times);
        label.style.left = 100 * tick / TICKS + "%";
        label.textContent = clock((from + wide * tick / TICKS) * this.seconds);
      }
    }
  }

  const plots = [...document.querySelectorAll(".plot[data-points]")].map(
    box => new Plot(box));
  const show = (first, last) => {
    [from, to] = [first, last];
    plots.forEach(plot => plot.show());
  };
  document.addEventListener("pointermove",
                            event => dragged && dragged.point(event));
  document.addEventListener("pointerup", event =>
    dragged && dragged.release(dragged.at(event)));
  document.addEventListener("keydown",
                            event => event.key === "Escape" && show(0, 1));
})();
