// Improvements of the panel's pages; all of them work without a script.

const FETCH_PAUSE_MS = 1000
const LISTEN_PAUSE_MS = 5000

/** A second click doesn't send a form again. */
document.addEventListener('submit', (event) => {
  for (const button of event.target.querySelectorAll('button')) {
    button.setAttribute('aria-disabled', 'true')
  }
  if (event.target.dataset.sent === 'yes') event.preventDefault()
  event.target.dataset.sent = 'yes'
})

// A page restored from the history can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent
    for (const button of form.querySelectorAll('button')) button.removeAttribute('aria-disabled')
  }
})

/** True while the reader fills in a field that an update would reset. */
function isBeingEdited(part) {
  return [...part.querySelectorAll('input, select')].some((field) => {
    if (field instanceof HTMLSelectElement) {
      return (
        [...field.options].some((option) => option.selected !== option.defaultSelected) &&
        [...field.options].some((option) => option.defaultSelected)
      )
    }
    if (field.type === 'radio' || field.type === 'checkbox')
      return field.checked !== field.defaultChecked
    return field.value !== field.defaultValue
  })
}

/** The position of the focus, as a path that is valid in the next version of the page. */
function focusPath(part) {
  const focused = document.activeElement
  if (!part.contains(focused)) return undefined
  const path = []
  for (let node = focused; node !== part; node = node.parentElement) {
    path.unshift([...node.parentElement.children].indexOf(node))
  }
  return path
}

function focusAt(part, path) {
  const element = path.reduce((node, index) => node?.children[index], part)
  element?.focus({ preventScroll: true })
}

/** Replaces the page with its next version; keeps the focus and the opened details. */
function replacePart(live, next) {
  const opened = [...live.querySelectorAll('details[open][data-keep]')].map(
    (details) => details.dataset.keep,
  )
  const path = focusPath(live)
  live.replaceChildren(...next.childNodes)
  live.dataset.version = next.dataset.version
  for (const details of live.querySelectorAll('details[data-keep]')) {
    if (opened.includes(details.dataset.keep)) details.open = true
  }
  if (path !== undefined) focusAt(live, path)
}

/** The current page. The header marks the request as automatic. */
function fetchPage() {
  return fetch(location.href, { headers: { Accept: 'text/html', 'X-Panel-Update': '1' } })
}

/** Follows the store's changes while the page is visible. */
function followChanges(live) {
  const note = document.querySelector('[data-live-note]')
  let source
  let isFetching = false
  let latest = live.dataset.version

  async function update() {
    if (isFetching || latest === live.dataset.version) return
    if (isBeingEdited(live)) {
      note.querySelector('[data-stale]').hidden = false
      return
    }
    isFetching = true
    try {
      const response = await fetchPage()
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      const next = page.getElementById('live')
      if (response.redirected) signedOut()
      else if (next?.dataset.version === undefined) isStale()
      else if (!isBeingEdited(live)) replacePart(live, next)
    } catch {
      // The server is unreachable: the next event tries again.
    } finally {
      setTimeout(() => {
        isFetching = false
        void update()
      }, FETCH_PAUSE_MS)
    }
  }

  /** The page's subject is gone or unavailable: the reader decides when to reload. */
  function isStale() {
    latest = live.dataset.version
    note.querySelector('[data-stale]').hidden = false
  }

  function signedOut() {
    latest = live.dataset.version
    source?.close()
    note.querySelector('[data-signed-out]').hidden = false
  }

  function listen() {
    source = new EventSource(live.dataset.events)
    source.addEventListener('version', ({ data }) => {
      latest = data
      void update()
    })
    source.addEventListener('signed-out', signedOut)
    source.addEventListener('error', ({ target }) => {
      // A response that is not a stream closes the source for good, as when the database was away
      // or the session has ended.
      if (target.readyState === EventSource.CLOSED)
        setTimeout(() => listenAgain(target), LISTEN_PAUSE_MS)
    })
  }

  async function listenAgain(lost) {
    if (document.hidden || lost !== source) return
    const response = await fetchPage().catch(() => undefined)
    if (response?.redirected) signedOut()
    else listen()
  }

  document.addEventListener('visibilitychange', () => {
    source?.close()
    if (!document.hidden) listen()
  })
  if (!document.hidden) listen()
}

document.querySelector('[data-flash]')?.focus({ preventScroll: true })
document
  .querySelector('.site-nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' })
const live = document.querySelector('#live[data-version]')
if (live !== null) followChanges(live)
