// A widget of the book: native inputs choose one of the states that were drawn when it was built.
(() => {
  const pictures = new URL("widgets/", document.currentScript.src);

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function widget(data, name) {
    const image = make("img", {width: data.width});
    const said = make("p", {role: "status", ariaLive: "polite"});
    const inputs = [], outputs = [];

    function show() {
      let state = 0;  // the last control moves fastest
      data.controls.forEach(({values}, place) => {
        const chosen = Number(inputs[place].value);
        state = state * values.length + chosen;
        outputs[place].value = values[chosen];
        if (!outputs[place].hidden) inputs[place].ariaValueText = values[chosen];
      });
      const [file, sentence] = data.states[state];
      image.src = new URL(`${data.folder}/${file}`, pictures);
      image.alt = said.textContent = sentence;
    }

    function row({label, values, start, ends, buttons}, place) {
      const id = `${name}-${place}`;
      const menu = values.map((text, value) => make("option", {value, selected: value === start}, text));
      const input = inputs[place] = ends.length
        ? make("input", {type: "range", id, max: values.length - 1, value: start, oninput: show})
        : make("select", {id, oninput: show}, ...menu);
      const output = outputs[place] = make("output", {htmlFor: id, ariaLive: "off", hidden: !ends.length});
      const made = make("div", {className: "widget-row"}, make("label", {htmlFor: id}, label), input, output);
      if (ends.length) {
        const [low, high] = [`← ${ends[0]}`, `${ends[1]} →`].map(text => make("span", {}, text));
        made.append(make("div", {className: "widget-ends"}, low, high));
      }
      if (buttons) {
        const steps = [["← previous", -1], ["next →", 1]].map(([text, by]) => {
          const onclick = () => { input.value = Number(input.value) + by; show(); };
          return make("button", {type: "button", onclick}, text);
        });
        made.append(make("div", {className: "widget-steps"}, ...steps));
      }
      return made;
    }

    const rows = data.controls.map(row);
    show();
    return make("div", {className: "widget"}, ...rows, image, said, make("small", {}, data.note));
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("script.widget-states").forEach((block, place) => {
      block.after(widget(JSON.parse(block.textContent), `widget-${place}`));
    });
  });
})();
