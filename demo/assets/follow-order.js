// @ts-check
// Follows an order while its page is open: shows what changed, counts down, copies codes.

const REGION = '#followed-order'
const COPIED_MS = 2_500
const SECOND_MS = 1_000

/** @type {WeakMap<Element, number>} When a countdown ends, by the browser's steady clock, in milliseconds. */
const deadlines = new WeakMap()

const region = () => /** @type {HTMLElement | null} */ (document.querySelector(REGION))

// --- News

async function follow() {
  const shown = region()
  if (shown === null) return
  if (!document.hidden) await look(shown)
  const { pollMs } = region()?.dataset ?? {}
  window.setTimeout(() => void follow(), Number(pollMs))
}

/** @param {HTMLElement} shown */
async function look(shown) {
  const { path = '', version } = shown.dataset
  try {
    const response = await fetch(`${path}/version`)
    if (response.ok && (await response.text()) !== version) await renew(shown, path)
  } catch {
    // The shop cannot be reached; the next look may find it.
  }
}

/**
 * @param {HTMLElement} shown
 * @param {string} path
 */
async function renew(shown, path) {
  const response = await fetch(path)
  if (!response.ok) return
  const page = new window.DOMParser().parseFromString(await response.text(), 'text/html')
  const next = /** @type {HTMLElement | null} */ (page.querySelector(REGION))
  if (next === null) return
  const hadFocus = shown.contains(document.activeElement)
  const changed = next.dataset.news !== shown.dataset.news
  shown.replaceWith(next)
  document.title = page.title
  if (hadFocus) next.focus({ preventScroll: true })
  const news = document.getElementById('order-news')
  if (changed && news !== null) news.textContent = next.dataset.news ?? ''
  countDown()
}

// --- Countdown

function countDown() {
  for (const element of document.querySelectorAll('[data-remaining-ms]')) {
    const timer = /** @type {HTMLElement} */ (element)
    const deadline =
      deadlines.get(timer) ?? window.performance.now() + Number(timer.dataset.remainingMs)
    deadlines.set(timer, deadline)
    const leftMs = deadline - window.performance.now()
    timer.textContent = leftMs > 0 ? clockText(leftMs) : (timer.dataset.ended ?? '')
    timer.hidden = false
  }
}

/** @param {number} durationMs */
function clockText(durationMs) {
  const seconds = Math.floor(durationMs / SECOND_MS)
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
}

// --- Copying

/** @param {HTMLElement} button */
async function copy(button) {
  const { copy: text = '', copied = '', field = '' } = button.dataset
  try {
    await window.navigator.clipboard.writeText(text)
  } catch {
    // Not allowed here: the text is selected, to be copied by hand.
    const shown = document.getElementById(field)
    if (shown instanceof window.HTMLTextAreaElement) shown.select()
    return
  }
  const message = document.getElementById(`${field}-copied`)
  if (message === null) return
  message.textContent = copied
  window.setTimeout(() => {
    message.textContent = ''
  }, COPIED_MS)
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof window.Element ? event.target.closest('[data-copy]') : null
  if (button instanceof window.HTMLElement) void copy(button)
})
document.addEventListener('visibilitychange', () => {
  const shown = region()
  if (!document.hidden && shown !== null) void look(shown)
})
window.setInterval(countDown, SECOND_MS)
countDown()
void follow()
