// What the panel's pages do better with a script; all of them work without it.

const FETCH_PAUSE_MS = 1000
const LISTEN_PAUSE_MS = 5000

/** Copy buttons: shown only here, where they work. */
function showCopyButtons(part) {
  for (const button of part.querySelectorAll('[data-copy]')) button.hidden = false
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  if (source === null) return
  try {
    await navigator.clipboard.writeText(source.textContent)
  } catch {
    // Pages without https have no clipboard: the text is selected for the reader to copy.
    getSelection().selectAllChildren(source)
    return
  }
  const label = button.firstChild
  const text = label.textContent
  label.textContent = button.dataset.copied
  setTimeout(() => (label.textContent = text), 2000)
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (button !== null) void copy(button)
})

/** A form that was sent once is not sent again by a second click. */
document.addEventListener('submit', (event) => {
  for (const button of event.target.querySelectorAll('button')) {
    button.setAttribute('aria-disabled', 'true')
  }
  if (event.target.dataset.sent === 'yes') event.preventDefault()
  event.target.dataset.sent = 'yes'
})

// A page that comes back from the history can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent
    for (const button of form.querySelectorAll('button')) button.removeAttribute('aria-disabled')
  }
})

/** Whether the reader is filling something in, which an update would undo. */
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

/** Where the focus is, in words that hold in the next version of the page. */
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

/** Puts the next version in place, with the focus and the opened details of this one. */
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
  showCopyButtons(live)
  if (path !== undefined) focusAt(live, path)
}

/** The page as it is by now. The header says that nobody has asked for it. */
function fetchPage() {
  return fetch(location.href, { headers: { Accept: 'text/html', 'X-Panel-Update': '1' } })
}

/** Follows what happens to the store while the page is seen. */
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
      // The server is away: the next event tries again.
    } finally {
      setTimeout(() => {
        isFetching = false
        void update()
      }, FETCH_PAUSE_MS)
    }
  }

  /** What the page shows is gone, or cannot be shown now: the reader decides when to look. */
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
    source = new EventSource('/events')
    source.addEventListener('version', ({ data }) => {
      latest = data
      void update()
    })
    source.addEventListener('signed-out', signedOut)
    source.addEventListener('error', ({ target }) => {
      // An answer that is no stream ends it for good: the database was away, or the session has ended.
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

showCopyButtons(document)
document.querySelector('[data-flash]')?.focus({ preventScroll: true })
document
  .querySelector('.site-nav [aria-current]')
  ?.scrollIntoView({ block: 'nearest', inline: 'center' })
const live = document.querySelector('#live[data-version]')
if (live !== null) followChanges(live)
