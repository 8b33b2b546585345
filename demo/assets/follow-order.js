// Follows an order while its page is open: shows changes and counts down.

const SECOND_MS = 1_000

/** The end of each countdown, by the browser's monotonic clock, in milliseconds. */
const deadlines = new WeakMap()

const region = () => document.getElementById('followed-order')

async function follow() {
  if (!document.hidden) await look().catch(() => undefined)
  window.setTimeout(() => void follow(), Number(region().dataset.pollMs))
}

/** One poll. Rejects if the shop is unreachable; the next poll may succeed. */
async function look() {
  const response = await fetch(region().dataset.path)
  if (!response.ok) return
  const page = new window.DOMParser().parseFromString(await response.text(), 'text/html')
  const [shown, next] = [region(), page.getElementById('followed-order')]
  if (next === null || next.dataset.version === shown.dataset.version) return
  const hadFocus = shown.contains(document.activeElement)
  shown.replaceWith(next)
  document.title = page.title
  if (hadFocus) next.focus({ preventScroll: true })
  if (next.dataset.news !== shown.dataset.news)
    document.getElementById('order-news').textContent = next.dataset.news
  countDown()
}

function countDown() {
  for (const timer of document.querySelectorAll('[data-remaining-ms]')) {
    const nowMs = window.performance.now()
    const deadline = deadlines.get(timer) ?? nowMs + Number(timer.dataset.remainingMs)
    deadlines.set(timer, deadline)
    timer.textContent = deadline > nowMs ? clockText(deadline - nowMs) : timer.dataset.ended
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

window.setInterval(countDown, SECOND_MS)
countDown()
void follow()
