import { FORM_FIELDS, type FormField } from '@cofre/contracts/field-messages'
import { type TypedCard, isRefusedBrand, statesOf } from './typed-card.js'
import {
  type TypedText,
  cvvDigits,
  formatTyped,
  formattedExpiry,
  groupedNumber,
} from './typed-text.js'

/** Listener for the shopper's actions in the form. */
export interface CardFormListener {
  changed(): void
  entered(field: FormField): void
  left(field: FormField): void
  submitted(): void
}

/** The form in the frame's page. */
export interface CardForm {
  /** The inputs of the page, in order: those of a card, or the CVV alone. */
  readonly fields: readonly FormField[]
  typed(): TypedCard
  focus(field: FormField | null): void
  /** Shows an error beside each of these inputs and focuses the first. */
  showErrors(fields: readonly FormField[]): void
}

const FORMATS: Readonly<Record<FormField, (text: string, hasRecovered: boolean) => string>> = {
  number: groupedNumber,
  expiry: formattedExpiry,
  cvv: cvvDigits,
}

/** @throws TypeError when the page is not the vault's */
function elementOf<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new TypeError('no ' + id)
}

/** Formats typed text immediately, and text from a browser or password manager on `change`. */
function format(input: HTMLInputElement, field: FormField, event?: Event): void {
  const { inputType = '', isComposing = false } = (event ?? {}) as Partial<InputEvent>
  const isTyped = /^(insertText|insertFromPaste|insertFromDrop|insertComposition|delete)/.test(
    inputType,
  )
  if (event && (!isTyped || isComposing)) return
  const { value: text, selectionEnd } = input
  // Without an event, the text is complete and has no caret to keep.
  const typed: TypedText = { text, caret: (event && selectionEnd) ?? text.length }
  const formatted = formatTyped(typed, FORMATS[field], inputType)
  if (formatted.text === text) return
  input.value = formatted.text
  if (event) input.setSelectionRange(formatted.caret, formatted.caret)
}

type Input = readonly [field: FormField, input: HTMLInputElement]

function typedIn(inputs: readonly Input[]): TypedCard {
  const textIn = (wanted: FormField): string =>
    inputs.find(([field]) => field === wanted)?.[1].value ?? ''
  return { number: textIn('number'), expiry: textIn('expiry'), cvv: textIn('cvv') }
}

/** Key of the error for an input; undefined if the input is valid. */
function problemOf(field: FormField, card: TypedCard): string | undefined {
  const state = statesOf(card)[field]
  if (state === 'valid') return undefined
  if (state === 'empty') return 'empty'
  return field === 'number' && isRefusedBrand(card.number) ? 'refused' : 'wrong'
}

/** The frame's page holds the texts, in the shopper's language. */
function showProblem([field, input]: Input, problem: string | undefined): void {
  const error = elementOf(field + '-error', HTMLElement)
  input.setAttribute('aria-invalid', String(problem !== undefined))
  error.textContent = (problem && error.dataset[problem]) ?? ''
}

function listenTo(entry: Input, inputs: readonly Input[], listener: CardFormListener): void {
  const [field, input] = entry
  const changed = (): void => {
    const card = typedIn(inputs)
    // All inputs: the number decides which code is valid.
    for (const each of inputs)
      if (problemOf(each[0], card) === undefined) showProblem(each, undefined)
    listener.changed()
  }
  input.addEventListener('input', (event) => {
    format(input, field, event)
    changed()
  })
  // Some browsers report a filled form by `change` only.
  input.addEventListener('change', () => {
    format(input, field)
    changed()
  })
  input.addEventListener('focus', () => {
    listener.entered(field)
  })
  input.addEventListener('blur', () => {
    const problem = problemOf(field, typedIn(inputs))
    // An empty input is not an error yet: the shopper may come back to it.
    if (problem !== undefined && problem !== 'empty') showProblem(entry, problem)
    listener.left(field)
  })
}

/** A page can take the focus, and return it, within this time. */
const BACK_WITHIN_MS = 1000

/**
 * Focuses an input, and again if the page took the focus just before. A frame in its own process
 * learns of the lost focus after the request, and would lose the cursor.
 */
function keepFocus(): (input: HTMLInputElement) => void {
  let intended: HTMLInputElement | undefined
  let intendedAt = 0
  addEventListener('focus', () => {
    const isLost = document.activeElement === document.body
    if (isLost && performance.now() - intendedAt < BACK_WITHIN_MS) intended?.focus()
  })
  return (input) => {
    intended = input
    intendedAt = performance.now()
    input.focus()
  }
}

export function takeOverForm(listener: CardFormListener): CardForm {
  const form = elementOf('card', HTMLFormElement)
  const fields = FORM_FIELDS.filter((field) => document.getElementById(field))
  const inputs = fields.map((field) => [field, elementOf(field, HTMLInputElement)] as const)
  for (const entry of inputs) listenTo(entry, inputs, listener)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    listener.submitted()
  })
  const typed = (): TypedCard => typedIn(inputs)
  const focusIntended = keepFocus()
  return {
    fields,
    typed,
    showErrors(wrong) {
      for (const entry of inputs) {
        const [field] = entry
        // The vault may refuse a card that passes the checks here.
        const problem = problemOf(field, typed()) ?? 'wrong'
        showProblem(entry, wrong.includes(field) ? problem : undefined)
      }
      inputs.find(([field]) => wrong.includes(field))?.[1].focus()
    },
    focus(wanted) {
      const states = statesOf(typed())
      const first = inputs.find(([field]) => states[field] !== 'valid') ?? inputs[0]
      const chosen = inputs.find(([field]) => field === wanted) ?? first
      if (chosen) focusIntended(chosen[1])
    },
  }
}
