// Turns the card typed into the page into a token, in the browser, and posts the form with the
// token in its place.
import { brandOf, directToken, wrongFields } from './card-token.js'
import { digitsOf, isRight, tidyWhenLeft, tidyWhileTyping } from './typing.js'

const byId = (id) => document.getElementById(id)
const form = byId('checkout')
const texts = JSON.parse(form.dataset.texts)
const payButton = form.querySelector('[type=submit]')
const problemBox = byId('problems')
const brandHint = byId('brand-hint')
const installments = byId('installments')
const singleOption = installments.innerHTML

let isBusy = false
let shownBrand = ''

function typedCard() {
  const [, month = '', year = ''] =
    /^\D*(\d{1,2})\D*(?:(\d+)\D*)?$/.exec(byId('card-expiry').value) ?? []
  return {
    creditCard: digitsOf(byId('card-number').value),
    cvv: digitsOf(byId('card-cvv').value),
    expiration: { month, year },
  }
}

// --- What is wrong

function wrongPayerInputs() {
  const inputs = form.querySelectorAll('.field :is(input, select)[name]')
  return [...inputs].filter((input) => !isRight(input)).map(({ id }) => id)
}

function wrongCardInputs(card) {
  const wrong = wrongFields(card)
  const isWrong = (...fields) => fields.some((field) => wrong.includes(field))
  return [
    isWrong('number') && 'card-number',
    isWrong('month', 'year') && 'card-expiry',
    isWrong('cvv') && 'card-cvv',
  ].filter(Boolean)
}

/** Shows what is wrong, in place and above the form, and moves the focus there. */
function showProblems(items, errorCode = '') {
  problemBox.querySelector('ul').replaceChildren(...items)
  problemBox.dataset.errorCode = errorCode
  problemBox.hidden = false
  problemBox.focus()
}

function markWrong(id) {
  byId(id).setAttribute('aria-invalid', 'true')
  const message = byId(`${id}-error`)
  message.textContent = texts.errors[id] ?? ''
  message.hidden = false
  const link = Object.assign(document.createElement('a'), { href: `#${id}` })
  link.textContent = message.textContent
  const item = document.createElement('li')
  item.append(link)
  return item
}

function markRight(input) {
  input.removeAttribute('aria-invalid')
  byId(`${input.id}-error`).hidden = true
}

function clearProblems() {
  problemBox.hidden = true
  form.querySelectorAll('[aria-invalid]').forEach(markRight)
}

// --- Paying

/** The saved card that is chosen; undefined for a card that is typed into the page. */
function chosenSavedCard() {
  const chosen = form.querySelector('[name=payment-code]:checked')
  return chosen === null || chosen.value === 'new' ? undefined : chosen
}

function setBusy(text = '') {
  isBusy = text !== ''
  payButton.disabled = isBusy
  form.setAttribute('aria-busy', String(isBusy))
  byId('progress').textContent = text
}

async function pay(event) {
  event.preventDefault()
  if (isBusy) return
  clearProblems()
  const paysByCard = form.querySelector('[name=method][value=card]:checked') !== null
  const isNewCard = paysByCard && chosenSavedCard() === undefined
  const card = typedCard()
  const wrong = [...wrongPayerInputs(), ...(isNewCard ? wrongCardInputs(card) : [])]
  if (wrong.length > 0) {
    showProblems(wrong.map(markWrong))
    return
  }
  if (isNewCard && !(await fillToken(card))) return
  setBusy(texts.paying)
  form.submit()
}

/** Whether the token is in the form, which may then be posted. */
async function fillToken(card) {
  setBusy(texts.encrypting)
  try {
    byId('token').value = await directToken(card)
    byId('card-brand').value = shownBrand
    byId('card-last-four').value = card.creditCard.slice(-4)
    return true
  } catch ({ code }) {
    setBusy()
    const item = document.createElement('li')
    item.textContent = texts.libraryErrors[code] ?? texts.libraryErrors.credit_card_internal_error
    showProblems([item], code)
    return false
  }
}

// --- The card's brand and its installments

function showBrand() {
  const saved = chosenSavedCard()
  byId('new-card').hidden = saved !== undefined
  const typed = brandOf(byId('card-number').value)
  brandHint.textContent = texts.brands[typed] ?? ''
  brandHint.hidden = brandHint.textContent === ''
  const brand = saved?.dataset.brand ?? typed
  if (brand === shownBrand) return
  shownBrand = brand
  void showInstallments(brand)
}

async function showInstallments(brand) {
  const options = brand in texts.brands ? await fetchInstallments(brand) : []
  if (brand !== shownBrand) return
  const chosen = installments.value
  const offered = options.map(({ quantity, label }) => new window.Option(label, String(quantity)))
  if (offered.length === 0) installments.innerHTML = singleOption
  else installments.replaceChildren(...offered)
  if (offered.some(({ value }) => value === chosen)) installments.value = chosen
}

async function fetchInstallments(brand) {
  try {
    const response = await fetch(`/checkout/installments?brand=${encodeURIComponent(brand)}`)
    return response.ok ? (await response.json()).options : []
  } catch {
    // One payment is always possible.
    return []
  }
}

// --- Shortcuts of the demonstration

/** Types a value for the reader. */
function type(id, value) {
  const newCard = form.querySelector('[name=payment-code][value=new]')
  if (id === 'card-number' && newCard !== null) newCard.checked = true
  const input = byId(id)
  // There is no address when nothing is shipped.
  if (input === null) return
  input.value = value
  input.dispatchEvent(new window.Event('input', { bubbles: true }))
}

// --- The page

form.noValidate = true
byId('card-library').addEventListener('load', showBrand)
form.addEventListener('submit', (event) => void pay(event))
form.addEventListener('change', tidyWhenLeft)
form.addEventListener('input', (event) => {
  const { target } = event
  if (target.hasAttribute('aria-invalid')) markRight(target)
  tidyWhileTyping(event)
  if (target.id === 'card-number' || target.name === 'payment-code') showBrand()
})
form.addEventListener('click', ({ target }) => {
  const { fillTestData, fillTestCard } = target.closest('button')?.dataset ?? {}
  if (fillTestCard !== undefined) form.querySelector('[name=method][value=card]').checked = true
  const values = JSON.parse(fillTestData ?? fillTestCard ?? '{}')
  for (const [id, value] of Object.entries(values)) type(id, value)
  if (fillTestData !== undefined) clearProblems()
})
// A page that comes back from the browser's memory is not paying any more.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) setBusy()
})
if (!problemBox.hidden) problemBox.focus()
for (const button of form.querySelectorAll('button')) button.disabled = false
showBrand()
