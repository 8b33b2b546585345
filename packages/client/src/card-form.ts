import { FORM_FIELDS, type FormField } from '@cofre/contracts/field-messages'
import { type TypedCard, isRefusedBrand, statesOf } from './typed-card.js'
import {
  type TypedText,
  cvvDigits,
  formatTyped,
  formattedExpiry,
  groupedNumber,
} from './typed-text.js'

/** Who is to know what the shopper does. */
export interface CardFormListener {
  changed(): void
  entered(field: FormField): void
  left(field: FormField): void
  submitted(): void
}

/** The form as it stands in the page of the frame. */
export interface CardForm {
  typed(): TypedCard
  focus(field: FormField | null): void
  /** Says beside each of these inputs what is wrong with it, and puts the cursor into the first. */
  showErrors(fields: readonly FormField[]): void
}

const FORMATS: Readonly<Record<FormField, (text: string, isMended: boolean) => string>> = {
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

/** Formats what a person types at once; what a browser or a password manager fills in, later. */
function format(input: HTMLInputElement, field: FormField, event?: Event): void {
  const { inputType = '', isComposing = false } = (event ?? {}) as Partial<InputEvent>
  const isTyped = /^(insertText|insertFromPaste|insertFromDrop|insertComposition|delete)/.test(
    inputType,
  )
  if (event && (!isTyped || isComposing)) return
  const { value: text, selectionEnd } = input
  // Without an event all of it is there: nobody types any more.
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

/** What to say of an input; undefined when it is right. */
function problemOf(field: FormField, card: TypedCard): string | undefined {
  const state = statesOf(card)[field]
  if (state === 'valid') return undefined
  if (state === 'empty') return 'empty'
  return field === 'number' && isRefusedBrand(card.number) ? 'refused' : 'wrong'
}

/** The page in the frame has the words, in the shopper's language. */
function showProblem([field, input]: Input, problem: string | undefined): void {
  const error = elementOf(field + '-error', HTMLElement)
  input.setAttribute('aria-invalid', String(problem !== undefined))
  error.textContent = (problem && error.dataset[problem]) ?? ''
}

function listenTo(entry: Input, inputs: readonly Input[], listener: CardFormListener): void {
  const [field, input] = entry
  const changed = (): void => {
    const card = typedIn(inputs)
    // All of them: which code is right depends on the number.
    for (const each of inputs)
      if (problemOf(each[0], card) === undefined) showProblem(each, undefined)
    listener.changed()
  }
  input.addEventListener('input', (event) => {
    format(input, field, event)
    changed()
  })
  // Browsers that fill a form in may say so by `change` alone.
  input.addEventListener('change', () => {
    format(input, field)
    changed()
  })
  input.addEventListener('focus', () => {
    listener.entered(field)
  })
  input.addEventListener('blur', () => {
    const problem = problemOf(field, typedIn(inputs))
    // Who passes an input by has not finished yet.
    if (problem !== undefined && problem !== 'empty') showProblem(entry, problem)
    listener.left(field)
  })
}

/** A page takes the focus, and gives it back, within so long. */
const BACK_WITHIN_MS = 1000

/**
 * Puts the cursor into an input, and again if the page had taken it just before: in a process of
 * its own the frame hears of that later than of the wish, and loses the cursor after all.
 */
function keepFocus(): (input: HTMLInputElement) => void {
  let wished: HTMLInputElement | undefined
  let wishedAt = 0
  addEventListener('focus', () => {
    const isLost = document.activeElement === document.body
    if (isLost && performance.now() - wishedAt < BACK_WITHIN_MS) wished?.focus()
  })
  return (input) => {
    wished = input
    wishedAt = performance.now()
    input.focus()
  }
}

/** Takes over the form of the page. */
export function takeOverForm(listener: CardFormListener): CardForm {
  const form = elementOf('card', HTMLFormElement)
  const inputs = FORM_FIELDS.map((field) => [field, elementOf(field, HTMLInputElement)] as const)
  for (const entry of inputs) listenTo(entry, inputs, listener)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    listener.submitted()
  })
  const typed = (): TypedCard => typedIn(inputs)
  const focusWished = keepFocus()
  return {
    typed,
    showErrors(fields) {
      for (const entry of inputs) {
        const [field] = entry
        // The vault may refuse what looks right here.
        const problem = problemOf(field, typed()) ?? 'wrong'
        showProblem(entry, fields.includes(field) ? problem : undefined)
      }
      inputs.find(([field]) => fields.includes(field))?.[1].focus()
    },
    focus(wanted) {
      const states = statesOf(typed())
      const first = inputs.find(([field]) => states[field] !== 'valid') ?? inputs[0]
      const chosen = inputs.find(([field]) => field === wanted) ?? first
      if (chosen) focusWished(chosen[1])
    },
  }
}
