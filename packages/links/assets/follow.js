// Polls for a payment's change, ever more rarely, and reloads the page after one.

const SECOND_MS = 1_000
const FIRST_PAUSE_MS = 2 * SECOND_MS
const PAUSE_FACTOR = 1.2
const PAUSE_MAX_MS = 60 * SECOND_MS
/** Afterwards the payer polls with the button. */
const LOOKS_MS_MAX = 60 * 60 * SECOND_MS

const { look: address, state, forget } = document.getElementById('try').dataset
const startedMs = window.performance.now()

async function look() {
  try {
    const response = await fetch(address)
    if (response.ok && (await response.text()) !== state) location.reload()
  } catch {
    // The next request may get through.
  }
}

async function follow(pauseMs) {
  if (window.performance.now() - startedMs > LOOKS_MS_MAX) return
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  if (!document.hidden) await look()
  await follow(Math.min(pauseMs * PAUSE_FACTOR, PAUSE_MAX_MS))
}

function countDown() {
  for (const timer of document.querySelectorAll('[data-remaining-ms]')) {
    const leftMs = Number(timer.dataset.remainingMs) - (window.performance.now() - startedMs)
    timer.textContent = leftMs > 0 ? clockText(leftMs) : timer.dataset.ended
    timer.hidden = false
  }
}

/** `23:59:59`. */
function clockText(durationMs) {
  const seconds = Math.floor(durationMs / SECOND_MS)
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
}

if (address !== undefined) {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void look()
  })
  void follow(FIRST_PAUSE_MS)
  window.setInterval(countDown, SECOND_MS)
  countDown()
}
// The typed values are kept until the form has paid.
if (forget !== undefined)
  try {
    window.sessionStorage.removeItem(`pay ${forget}`)
  } catch {
    // A browser without storage has nothing to forget.
  }
document.querySelector('[data-print]')?.addEventListener('click', () => window.print())
