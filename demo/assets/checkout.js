// Encrypts the card into a token, in the browser, and posts the form with the token instead.
import { hostedCard } from './hosted-card.js'
import { ownCard } from './own-card.js'
import { focusSecurityCode, securityCodeToken, showSecurityCode } from './saved-card-code.js'
import { isRight, tidyWhileTyping } from './typing.js'

const byId = (id) => document.getElementById(id)
const form = byId('checkout')
const texts = JSON.parse(form.dataset.texts)
const payButton = form.querySelector('[type=submit]')
const problemBox = byId('problems')
// The fields show the brand themselves.
const brandHint = byId('brand-hint')
const installments = byId('installments')
const singleOption = installments.innerHTML
const card = form.dataset.cardInput === 'hosted' ? hostedCard : ownCard

let isBusy = false
let shownBrand = ''

// --- What is wrong

function wrongPayerInputs() {
  const inputs = form.querySelectorAll('.field :is(input, select)[name]')
  // A customer can't correct a field that the chosen method hides.
  const isShown = ({ offsetParent }) => offsetParent !== null
  return [...inputs].filter((input) => isShown(input) && !isRight(input)).map(({ id }) => id)
}

/** Shows the problems, above the form and beside the fields, and moves the focus there. */
function showProblems(items, errorCode = '') {
  problemBox.querySelector('ul').replaceChildren(...items)
  problemBox.dataset.errorCode = errorCode
  problemBox.hidden = false
  problemBox.focus()
}

function markWrong(id) {
  const text = texts.errors[id] ?? ''
  const message = byId(`${id}-error`)
  // The card fields show their errors themselves.
  if (message !== null) {
    byId(id).setAttribute('aria-invalid', 'true')
    message.textContent = text
    message.hidden = false
  }
  const link = Object.assign(document.createElement('a'), { href: `#${id}` })
  link.textContent = text
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

/** The chosen saved card; undefined for a new card. */
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
  const wrongPayer = wrongPayerInputs()
  const wrongCard = isNewCard ? card.wrongInputs() : []
  if (wrongPayer.length + wrongCard.length > 0) {
    showProblems([...wrongPayer, ...wrongCard].map(markWrong))
    if (wrongPayer.length === 0) void card.showWrong?.()
    return
  }
  if (isNewCard && !(await fillToken())) return
  if (paysByCard && !isNewCard && !(await fillSecurityCode())) return
  setBusy(texts.paying)
  form.submit()
}

/** Puts the token into the form; returns false after it showed why there is none. */
async function fillToken() {
  setBusy(texts.encrypting)
  try {
    await card.ready()
    // A script that loads late has neither detected the brand nor validated the card.
    openCard()
    const wrong = card.wrongInputs()
    if (wrong.length > 0) {
      setBusy()
      showProblems(wrong.map(markWrong))
      return false
    }
    const { token, lastFour } = await card.token()
    byId('token').value = token
    byId('card-brand').value = shownBrand
    byId('card-last-four').value = lastFour
    return true
  } catch ({ code }) {
    return showLibraryError(code, () => card.focus?.())
  }
}

/** The same for the security code of a saved card. */
async function fillSecurityCode() {
  setBusy(texts.encrypting)
  try {
    byId('security-code-token').value = await securityCodeToken()
    return true
  } catch ({ code }) {
    return showLibraryError(code, focusSecurityCode)
  }
}

function showLibraryError(code, focus) {
  setBusy()
  const item = document.createElement('li')
  item.textContent = texts.libraryErrors[code] ?? texts.libraryErrors.credit_card_internal_error
  showProblems([item], code)
  // The card fields have marked the wrong ones.
  if (code === 'creditcard_invalid_fields') focus()
  return false
}

// --- The card's brand and its installments

function showBrand() {
  const saved = chosenSavedCard()
  byId('new-card').hidden = saved !== undefined
  showSecurityCode(saved !== undefined)
  const typed = card.brand()
  if (brandHint !== null) {
    brandHint.textContent = texts.brands[typed] ?? ''
    brandHint.hidden = brandHint.textContent === ''
  }
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

/** Types a value on behalf of the reader. */
function type(id, value) {
  const newCard = form.querySelector('[name=payment-code][value=new]')
  if (id === 'card-number' && newCard !== null) newCard.checked = true
  const input = byId(id)
  if (input === null) return
  input.value = value
  input.dispatchEvent(new window.Event('input', { bubbles: true }))
}

/** Switches between the two card inputs. The shop keeps the form's fields, except the card. */
function switchCardInput(wanted) {
  byId('card-input').value = wanted
  form.submit()
}

// --- The page

/** Opens the card input; does nothing until the payment service's script has loaded. */
function openCard() {
  card.open?.(showBrand)
  showBrand()
}

form.noValidate = true
byId('card-library').addEventListener('load', openCard)
// At `load`, the script has loaded or failed, perhaps before this file ran.
window.addEventListener('load', () => card.missed?.())
form.addEventListener('submit', (event) => void pay(event))
form.addEventListener('input', (event) => {
  const { target } = event
  if (target.hasAttribute('aria-invalid')) markRight(target)
  tidyWhileTyping(event)
  if (target.id === 'card-number' || target.name === 'payment-code') showBrand()
})
form.addEventListener('click', (event) => {
  const { target } = event
  if (target.closest('a')?.hash === '#card-fields') {
    event.preventDefault()
    card.focus()
  }
  const { cardInput, fillTestData } = target.closest('button')?.dataset ?? {}
  if (cardInput !== undefined) switchCardInput(cardInput)
  if (fillTestData === undefined) return
  for (const [id, value] of Object.entries(JSON.parse(fillTestData))) type(id, value)
  clearProblems()
})
// A page that the browser restores from its memory is no longer paying.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) setBusy()
})
if (!problemBox.hidden) problemBox.focus()
for (const button of form.querySelectorAll('button')) button.disabled = false
openCard()
