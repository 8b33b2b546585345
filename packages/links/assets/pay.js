// The form of a link. A card is typed into the vault's frame, which returns a token for it.
// Everything else works without this script.

const form = document.getElementById('pay')
const texts = JSON.parse(form.dataset.texts)
const problems = document.getElementById('problems')
const progress = document.getElementById('progress')
const button = form.querySelector('[type=submit]')
const library = document.getElementById('card-library')

/** Like the page's own fields; the colours follow the reader's scheme. */
const STYLE = { fontFamily: 'system', borderRadius: '8px', labelWeight: '600', spacing: '16px' }

let fields
let isBusy = false

function setBusy(text = '') {
  isBusy = text !== ''
  button.setAttribute('aria-disabled', String(isBusy))
  progress.textContent = text
}

/** Lists the problems above the form, and moves the focus there. */
function showProblems(items) {
  problems.querySelector('ul').replaceChildren(...items)
  problems.hidden = false
  problems.focus()
}

function problem(text, id) {
  const item = document.createElement('li')
  const line = id === undefined ? item : item.appendChild(document.createElement('a'))
  if (id !== undefined) line.href = `#${id}`
  line.textContent = text
  return item
}

/** The fields that a card requires and that are still empty. */
function emptyInputs() {
  const inputs = [...form.querySelectorAll('#payer [required]')]
  return inputs.filter((input) => input.offsetParent !== null && input.value.trim() === '')
}

function markMissing(input) {
  const error = document.getElementById(`${input.id}-error`)
  input.setAttribute('aria-invalid', 'true')
  error.textContent = input.dataset.missing
  error.hidden = false
  return problem(input.dataset.missing, input.id)
}

function markRight(input) {
  input.removeAttribute('aria-invalid')
  document.getElementById(`${input.id}-error`).hidden = true
}

// --- Paying by card

const paysByCard = () =>
  form.dataset.only === 'card' || form.querySelector('[data-kind=card]:checked') !== null

/** Opens the vault's frame, which stays open while the payer considers another method. */
function openFields() {
  const global = window[form.dataset.global]
  if (fields !== undefined || library === null || global?.CardFields === undefined) return
  const { store, language } = form.dataset
  const options = { store, language, paymentPage: true, style: STYLE }
  fields = new global.CardFields(document.getElementById('card-fields'), options)
  fields.on('submit', () => form.requestSubmit())
}

async function payByCard() {
  if (isBusy) return
  problems.hidden = true
  const missing = emptyInputs().map(markMissing)
  if (missing.length > 0) return showProblems(missing)
  openFields()
  if (fields === undefined) return showProblems([problem(texts.cardFrame)])
  setBusy(texts.encrypting)
  try {
    form.elements.token.value = await fields.getDirectToken()
  } catch (error) {
    setBusy()
    // The frame shows its problems beside its own fields.
    if (error.code === 'creditcard_invalid_fields') fields.focus()
    else showProblems([problem(texts.cardFrame)])
    return
  }
  await send()
}

/** Sends the form without leaving the page, so that the card survives an error in another field. */
async function send() {
  setBusy(texts.paying)
  const body = new URLSearchParams(new window.FormData(form))
  try {
    const response = await post(body)
    if (response.redirected) return location.assign(response.url)
    showAnswer(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch {
    showProblems([problem(texts.connection)])
  }
  setBusy()
}

const SECOND_MS = 1_000
const WAIT_MS_MAX = 60 * SECOND_MS

/** Sends the same form again while the service requests a retry: nothing was charged until then. */
async function post(body, leftMs = WAIT_MS_MAX) {
  const response = await fetch(form.action, { method: 'POST', body })
  const afterMs = Number(response.headers.get('Retry-After')) * SECOND_MS
  // Spreads the retries of a crowd.
  const waitMs = afterMs * (1 + Math.random())
  if (!(waitMs > 0 && waitMs <= leftMs)) return response
  setBusy(texts.waiting)
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  return await post(body, leftMs - waitMs)
}

/** Updates the page around the card's frame from the service's answer. */
function showAnswer(page) {
  // The link can no longer be paid.
  if (page.querySelector('[data-closed]') !== null) return location.reload()
  const answered = page.getElementById('pay')
  // The outcome is unknown: the form stays, since it pays only once.
  if (answered === null) return showProblems([problem(texts.unavailable)])
  form.elements.form.value = answered.elements.form.value
  for (const id of ['payer', 'installment-prices'])
    document.getElementById(id).replaceWith(page.getElementById(id))
  showProblems([...page.querySelectorAll('#problems li')])
}

// --- Typed values, for another try in this tab

const storageKey = `pay ${form.dataset.link}`
/** Longer numbers may be a card's, typed into a wrong field. */
const DIGITS_KEPT_MAX = 11

function remember() {
  const inputs = [...form.querySelectorAll('#payer [name]')]
  const isKept = ({ name, value }) =>
    name === 'document' || value.replace(/\D/g, '').length <= DIGITS_KEPT_MAX
  const values = inputs.filter(isKept).map(({ name, value }) => [name, value])
  try {
    window.sessionStorage.setItem(storageKey, JSON.stringify(values))
  } catch {
    // Without storage, the payer types the values again.
  }
}

function recall() {
  try {
    const values = JSON.parse(window.sessionStorage.getItem(storageKey) ?? '[]')
    for (const [name, value] of values) {
      const input = document.getElementById(name)
      if (input?.value === '') input.value = value
    }
  } catch {
    // Without storage, no value is restored.
  }
}

// --- The page

form.addEventListener('submit', (event) => {
  remember()
  if (paysByCard()) {
    event.preventDefault()
    void payByCard()
  } else if (isBusy) event.preventDefault()
  else setBusy(texts.paying)
})
form.addEventListener('input', ({ target }) => {
  if (target.hasAttribute('aria-invalid')) markRight(target)
})
form.addEventListener('change', () => {
  if (paysByCard()) openFields()
})
library?.addEventListener('load', () => {
  if (paysByCard()) openFields()
})
// A page from the browser's back/forward cache has a form that was already sent.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
recall()
if (paysByCard()) openFields()
