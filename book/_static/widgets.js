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
    const outputs = [];
    const inputs = data.controls.map((control, place) => {
      const id = `${name}-${place}`;
      if (control.ends.length)
        return make("input", {type: "range", id, min: 0, max: control.values.length - 1, value: control.start});
      const options = control.values.map((text, value) => make("option", {value}, text));
      options[control.start].selected = true;
      return make("select", {id}, ...options);
    });

    function show() {
      let state = 0;
      data.controls.forEach((control, place) => {
        state = state * control.values.length + Number(inputs[place].value);
        const value = control.values[inputs[place].value];
        if (outputs[place]) inputs[place].ariaValueText = outputs[place].value = value;
      });
      const [file, sentence] = data.states[state];
      image.src = new URL(`${data.folder}/${file}`, pictures);
      image.alt = said.textContent = sentence;
    }

    function step(text, by, input) {
      const move = () => { input.value = Number(input.value) + by; show(); };
      return make("button", {type: "button", onclick: move}, text);
    }

    const rows = data.controls.map((control, place) => {
      const input = inputs[place], row = make("div", {className: "widget-row"});
      input.addEventListener("input", show);
      row.append(make("label", {htmlFor: input.id}, control.label), input);
      if (!control.ends.length) return row;
      outputs[place] = make("output", {htmlFor: input.id});
      const [low, high] = control.ends.map(text => make("span", {}, text));
      low.prepend("← ");
      high.append(" →");
      row.append(outputs[place], make("div", {className: "widget-ends"}, low, high));
      if (control.buttons) {
        const buttons = [step("← previous", -1, input), step("next →", 1, input)];
        row.append(make("div", {className: "widget-steps"}, ...buttons));
      }
      return row;
    });
    show();
    return make("div", {className: "widget"}, ...rows, image, said, make("small", {}, data.note));
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("script.widget-states").forEach((block, place) => {
      block.after(widget(JSON.parse(block.textContent), `widget-${place}`));
    });
  });
})();
