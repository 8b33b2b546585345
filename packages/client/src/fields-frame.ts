// The frame's program: all code that sees the card's digits before encryption.
import type { FrameMessage, PageMessage } from '@cofre/contracts/field-messages'
import { FORM_FIELDS } from '@cofre/contracts/field-messages'
import { takeOverForm } from './card-form.js'
import { digitsOf } from './digits.js'
import { type CardField, DirectTokenError } from './errors.js'
import { listenToPage } from './page-channel.js'
import { PaymentMethod } from './payment-method.js'
import { createSecurityCodeToken } from './security-code.js'
import { vaultOfScript } from './script-url.js'
import { sessionPoolAt } from './session-pool.js'
import { styleVariables } from './style-variables.js'
import { cardOf, isRefusedBrand, shownOf, statesOf } from './typed-card.js'

const LAST_DIGITS = 4

const { origins = '', showsBin } = document.documentElement.dataset
const maySeeBin = showsBin === 'true'
const store = new URLSearchParams(location.search).get('store') ?? ''
const baseUrl = vaultOfScript()
const paymentMethod = new PaymentMethod({ baseUrl, store })
const brand = document.getElementById('brand')
/** The last change reported to the page. */
let reportedChange = ''

const form = takeOverForm({
  changed,
  entered(field) {
    channel.send({ type: 'focus', field })
  },
  left(field) {
    channel.send({ type: 'blur', field })
  },
  submitted() {
    channel.send({ type: 'submit' })
  },
})
/** True if the page asks only for the security code of a saved card. */
const isCodeAlone = !form.fields.includes('number')
const channel = listenToPage(origins.split(' ').filter(Boolean), receive)

// When the page was left, the browser may have cut the request for a session, which then never
// ends.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || paymentMethod.isReady()) return
  const sessions = sessionPoolAt(baseUrl)
  sessions.dropWaiting()
  sessions.prepare()
})

new ResizeObserver(sendHeight).observe(document.body)

function sendHeight(): void {
  const { height } = document.body.getBoundingClientRect()
  channel.send({ type: 'resize', height: Math.ceil(height) })
}

function changed(): void {
  const card = form.typed()
  const states = statesOf(card)
  const complete = form.fields.every((field) => states[field] === 'valid')
  const shown = shownOf(card.number, maySeeBin)
  if (brand && brand.dataset.brand !== (shown.brand ?? '')) {
    brand.dataset.brand = shown.brand ?? ''
    brand.textContent = nameOf(shown.brand ?? '')
  }
  const change = { ...states, complete, ...shown }
  // Not for each key: the page must not learn the number of digits.
  if (JSON.stringify(change) === reportedChange) return
  reportedChange = JSON.stringify(change)
  channel.send({ type: 'change', ...change })
}

/** A brand's name with a capital letter. */
function nameOf(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

function receive(message: PageMessage): void {
  switch (message.type) {
    case 'init':
      setStyle(message.style)
      channel.send({ type: 'ready' })
      sendHeight()
      // The browser may have kept or filled in some text already.
      reportedChange = ''
      if (Object.values(form.typed()).some(Boolean)) changed()
      return
    case 'focus':
      form.focus(message.field)
      return
    case 'tokenize':
      void tokenize(message.id).then((answer) => {
        channel.send(answer)
      })
      return
  }
}

function setStyle(style: Readonly<Record<string, string>>): void {
  const { variables, refused } = styleVariables(style)
  const { style: root } = document.documentElement
  // A strict policy allows the object model, but not the attribute.
  for (const [variable, value] of variables) root.setProperty(variable, value)
  for (const name of refused) console.warn('CardFields: style.' + name + ' is not allowed')
}

async function tokenize(id: number): Promise<FrameMessage> {
  const card = form.typed()
  try {
    if (isRefusedBrand(card.number))
      throw new DirectTokenError('creditcard_invalid_fields', ['number'])
    const directToken = await (isCodeAlone
      ? createSecurityCodeToken(paymentMethod, card.cvv)
      : paymentMethod.createDirectToken(cardOf(card)))
    form.showErrors([])
    const lastFour = digitsOf(card.number).slice(-LAST_DIGITS)
    return { type: 'tokenized', id, directToken, ...shownOf(card.number, maySeeBin), lastFour }
  } catch (error) {
    const { code, fields } =
      error instanceof DirectTokenError ? error : new DirectTokenError('credit_card_internal_error')
    if (code === 'creditcard_invalid_fields') showWrong(fields)
    return {
      type: 'failed',
      id,
      // The frame's form always builds a complete object, so the other two codes can't occur.
      code:
        code === 'creditcard_object_malformed' || code === 'creditcard_invalid_object'
          ? 'credit_card_internal_error'
          : code,
      fields,
    }
  }
}

/**
 * Shows these parts as wrong. Without parts, only the vault found an error, most likely because the
 * computer's clock is wrong.
 */
function showWrong(parts: readonly CardField[]): void {
  const wrong = parts.length === 0 ? ([isCodeAlone ? 'cvv' : 'month'] as const) : parts
  form.showErrors(
    FORM_FIELDS.filter((field) =>
      field === 'expiry'
        ? wrong.some((part) => part === 'month' || part === 'year')
        : wrong.includes(field),
    ),
  )
}
