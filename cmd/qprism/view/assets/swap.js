// How a view takes the place of another one.

const patience = 3000 // milliseconds

let turn = 0

/** swap shows parts: at once, or where the body is dim, when their answers are there. */
export async function swap(main, parts) {
  const mine = ++turn,
    until = Date.now() + patience
  if (main.classList.contains("dim")) {
    main.setAttribute("aria-busy", "true")
    while (parts.some(isBusy) && Date.now() < until) await new Promise(done => setTimeout(done, 50))
    if (mine !== turn) return // another view was asked for since
    main.removeAttribute("aria-busy")
    main.classList.remove("dim")
  }
  main.replaceChildren(...parts)
}

const isBusy = part => part.matches("[aria-busy]") || part.querySelector("[aria-busy]")
