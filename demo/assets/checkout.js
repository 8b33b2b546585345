// @ts-check
// Turns the card typed into the page into a token, in the browser, and posts the form with the token in its place.
import { brandOf, directToken, openCardLibrary } from './card-token.js'
import { RULES, digitsOf, wrongCardInputs } from './field-rules.js'
import { fillTestData, useTestCard } from './test-data.js'
import { groupDigits, tidyExpiry, writeOut } from './written-form.js'

/** @typedef {import('./card-token.js').Card} Card */
/** @typedef {{ id: string, text: string }} Problem */

const form = /** @type {HTMLFormElement} */ (document.getElementById('checkout'))
const texts = JSON.parse(form.dataset.texts ?? '{}')
const payButton = /** @type {HTMLButtonElement} */ (form.querySelector('[type=submit]'))
const problemBox = byId('problems')
const progress = byId('progress')
const brandHint = byId('brand-hint')
const newCard = byId('new-card')
const installments = /** @type {HTMLSelectElement} */ (byId('installments'))
const singleOption = installments.innerHTML

let isBusy = false
let shownBrand = ''

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`the page has no #${id}`)
  return element
}

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (byId(id))

/** @returns {Card} */
function typedCard() {
  const [, month = '', year = ''] =
    /^\D*(\d{1,2})\D*(?:(\d+)\D*)?$/.exec(input('card-expiry').value) ?? []
  return {
    creditCard: digitsOf(input('card-number').value),
    cvv: digitsOf(input('card-cvv').value),
    expiration: {
      month: month.padStart(2, '0'),
      year: year.length === 2 ? `20${year}` : year,
    },
  }
}

// --- What is wrong

/** @returns {Problem[]} */
function wrongPayerFields() {
  const inputs = /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([
    ...form.querySelectorAll('.field input[name], .field select[name]'),
  ])
  return inputs
    .filter(({ name, value, validity }) => {
      const accepts = RULES[name]
      return !validity.valid || (accepts !== undefined && !accepts(value.trim()))
    })
    .map(({ id }) => ({ id, text: texts.errors[id] ?? '' }))
}

/** @param {readonly string[]} ids */
function problemsOf(ids) {
  return ids.map((id) => ({ id, text: texts.errors[id] ?? '' }))
}

/**
 * Shows all that is wrong, in place and above the form, and takes the reader there.
 * @param {readonly Problem[]} problems
 * @param {string} [errorCode]
 */
function showProblems(problems, errorCode) {
  for (const { id, text } of problems) if (id !== '') markWrong(id, text)
  const items = problems.map(({ id, text }) => {
    const item = document.createElement('li')
    const link = document.createElement('a')
    if (id !== '') link.href = `#${id}`
    link.textContent = text
    item.append(id === '' ? text : link)
    return item
  })
  problemBox.querySelector('ul')?.replaceChildren(...items)
  if (errorCode === undefined) delete problemBox.dataset.errorCode
  else problemBox.dataset.errorCode = errorCode
  problemBox.hidden = false
  problemBox.focus()
}

/**
 * @param {string} id
 * @param {string} text
 */
function markWrong(id, text) {
  byId(id).setAttribute('aria-invalid', 'true')
  const message = byId(`${id}-error`)
  message.textContent = text
  message.hidden = false
}

/** @param {Element} element */
function markRight(element) {
  element.removeAttribute('aria-invalid')
  const message = document.getElementById(`${element.id}-error`)
  if (message !== null) message.hidden = true
}

function clearProblems() {
  problemBox.hidden = true
  delete problemBox.dataset.errorCode
  form.querySelectorAll('[aria-invalid]').forEach(markRight)
}

// --- Paying

/** Whether a card is to pay; everything else is posted as it is. */
const paysByCard = () => form.querySelector('[name=method][value=card]:checked') !== null

/** The saved card that is chosen; undefined for a card typed into the page. */
function chosenSavedCard() {
  const chosen = /** @type {HTMLInputElement | null} */ (
    form.querySelector('[name=payment-code]:checked')
  )
  return chosen === null || chosen.value === 'new' ? undefined : chosen
}

/** @param {string | undefined} text */
function setBusy(text) {
  isBusy = text !== undefined
  payButton.disabled = isBusy
  form.setAttribute('aria-busy', String(isBusy))
  progress.textContent = text ?? ''
}

/** @param {SubmitEvent} event */
async function pay(event) {
  event.preventDefault()
  if (isBusy) return
  clearProblems()
  const isNew = paysByCard() && chosenSavedCard() === undefined
  const card = typedCard()
  const problems = [...wrongPayerFields(), ...problemsOf(isNew ? wrongCardInputs(card) : [])]
  if (problems.length > 0) {
    showProblems(problems)
    return
  }
  if (isNew && !(await fillToken(card))) return
  setBusy(texts.paying)
  form.submit()
}

/**
 * @param {Card} card
 * @returns {Promise<boolean>} whether the form may be posted
 */
async function fillToken(card) {
  setBusy(texts.encrypting)
  const answer = await directToken(card)
  if ('error' in answer) {
    setBusy(undefined)
    const text = texts.libraryErrors[answer.error] ?? texts.libraryErrors.credit_card_internal_error
    showProblems([{ id: '', text }], answer.error)
    return false
  }
  input('token').value = answer.token
  input('card-brand').value = shownBrand
  input('card-last-four').value = card.creditCard.slice(-4)
  return true
}

// --- While typing

function showBrand() {
  const saved = chosenSavedCard()
  newCard.hidden = saved !== undefined
  const typed = brandOf(digitsOf(input('card-number').value))
  brandHint.textContent = texts.brands[typed] ?? ''
  brandHint.hidden = brandHint.textContent === ''
  const brand = saved?.dataset.brand ?? typed
  if (brand === shownBrand) return
  shownBrand = brand
  void showInstallments(brand)
}

/** @param {string} brand */
async function showInstallments(brand) {
  const options = brand in texts.brands ? await fetchInstallments(brand) : []
  if (brand !== shownBrand) return
  const chosen = installments.value
  if (options.length === 0) installments.innerHTML = singleOption
  else {
    installments.replaceChildren(
      ...options.map(({ quantity, label }) => new window.Option(label, String(quantity))),
    )
  }
  if (options.some(({ quantity }) => String(quantity) === chosen)) installments.value = chosen
}

/**
 * @param {string} brand
 * @returns {Promise<{ quantity: number, label: string }[]>}
 */
async function fetchInstallments(brand) {
  try {
    const response = await fetch(`/checkout/installments?brand=${encodeURIComponent(brand)}`)
    return response.ok ? (await response.json()).options : []
  } catch {
    // One payment is always possible.
    return []
  }
}

// --- The page

form.noValidate = true
openCardLibrary(form.dataset, showBrand)
form.addEventListener('submit', (event) => void pay(event))
form.addEventListener('input', (event) => {
  const element = /** @type {HTMLInputElement} */ (event.target)
  if (element.hasAttribute('aria-invalid')) markRight(element)
  if (element.id === 'card-number') groupDigits(element)
  if (element.id === 'card-expiry') tidyExpiry(element, event)
  if (element.id === 'card-number' || element.name === 'payment-code') showBrand()
})
form.addEventListener('change', (event) => {
  writeOut(/** @type {HTMLInputElement} */ (event.target))
})
form.addEventListener('click', (event) => {
  const button = event.target instanceof window.Element ? event.target.closest('button') : null
  const { fillTestData: fillsAll, testCard, testCvv } = button?.dataset ?? {}
  if (fillsAll !== undefined) {
    fillTestData()
    clearProblems()
  }
  if (testCard !== undefined) useTestCard(testCard, testCvv ?? '')
})
// A page that comes back from the browser's memory is not paying any more.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) setBusy(undefined)
})
if (!problemBox.hidden) problemBox.focus()
for (const button of form.querySelectorAll('button')) button.disabled = false
showBrand()
