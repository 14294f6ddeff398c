// What the guest has just sent, shown at once: the page itself comes back from the server a moment later, and on a
// busy machine that moment is longer than a guest should wait for a sign. The echo goes when the real message is there.
(() => {
  window.deskStart = START;
  if (window.deskEcho) return;
  window.deskEcho = true;

  const PATIENCE = 2000; // milliseconds
  const STATE = "data-test-script-state";
  const messages = () => document.querySelectorAll('[aria-label="Chat message from user"]').length;

  const part = (name, text) => {
    const made = document.createElement("div");
    made.className = name;
    made.textContent = text;
    made.dir = "auto";
    return made;
  };

  // Gone with the guest's own message; and when a drawing has ended without one, because then the page says why. A
  // drawing of the turn before may still end after the sending, so the echo waits a little for the next to begin.
  const untilDrawn = (echo) => {
    const app = document.querySelector('[data-testid="stApp"]');
    const before = messages();
    let drawing = false;
    let ended = 0;
    const watch = new MutationObserver((changes) => {
      const running = app.dataset.testScriptState !== "notRunning";
      // A drawing may begin and end between two looks: then only the changes tell of it.
      drawing = drawing || running || changes.some((change) => change.attributeName === STATE);
      clearTimeout(ended);
      if (messages() > before) gone();
      else if (drawing && !running) ended = setTimeout(gone, PATIENCE);
    });
    const gone = () => {
      clearTimeout(ended);
      watch.disconnect();
      echo.remove();
    };
    watch.observe(app, { attributes: true, childList: true, subtree: true });
  };

  const show = (text) => {
    const chat = document.querySelector(".st-key-chat");
    if (!chat || document.querySelector(".desk-echo")) return;
    const echo = part("desk-echo", "");
    echo.setAttribute("aria-hidden", "true"); // a screen reader hears the real message
    if (text) echo.append(part("desk-echo-said desk-text", text));
    const steps = document.createElement("ul");
    steps.className = "desk-steps";
    steps.append(Object.assign(document.createElement("li"), { textContent: window.deskStart }));
    echo.append(steps);
    untilDrawn(echo);
    chat.append(echo);
    echo.scrollIntoView({ block: "nearest" });
  };

  const sent = (field) => {
    if (field && !field.disabled && field.value.trim()) show(field.value.trim());
  };

  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.('[data-testid="stChatInputTextArea"]');
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) sent(field);
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.('[data-testid="stChatInputSubmitButton"]'))
      sent(document.querySelector('[data-testid="stChatInputTextArea"]'));
    else if (event.target.closest?.(".st-key-suggestions button")) show("");
  }, true);
})();
