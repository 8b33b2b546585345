// Messages between a shop's page and the frame with the card fields, after the page has sent one
// MessagePort to the frame. Checked by hand: both ends are browsers.
import { DIRECT_TOKEN_FORM } from './direct-token.js'

/** Raised when older scripts on shops' pages become incompatible with the frame. */
const PROTOCOL = 1

/** The only message from window to window: it transfers the port. */
export const FIELDS_GREETING = { type: 'cofre-fields', protocol: PROTOCOL } as const

/** The frame's inputs, in order. */
export const FORM_FIELDS = ['number', 'expiry', 'cvv'] as const
export type FormField = (typeof FORM_FIELDS)[number]

const FIELD_STATES = ['empty', 'incomplete', 'invalid', 'valid'] as const
export type FieldState = (typeof FIELD_STATES)[number]

/** Reasons why a frame returns no direct token: the library's errors that can occur in a frame. */
const FAILURE_CODES = [
  'creditcard_invalid_fields',
  'credit_card_internal_error',
  'session_create_error',
  'session_creating_in_progress',
  'session_network_error',
] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

/** The parts of a card, by the names of the library. */
const CARD_PARTS = ['number', 'cvv', 'month', 'year'] as const

/** The page's messages, by type. */
export interface PageMessages {
  /** Style properties that the page sets; the frame applies those it knows. */
  init: { readonly style: Readonly<Record<string, string>> }
  /** Focuses a field; without one, the first that is incomplete or wrong. */
  focus: { readonly field: FormField | null }
  tokenize: { readonly id: number }
}

/** The frame's messages, by type. They contain no digit of the card except those named here. */
export interface FrameMessages {
  ready: object
  /** The height of the frame's content, in CSS pixels. */
  resize: { readonly height: number }
  change: {
    readonly number: FieldState
    readonly expiry: FieldState
    readonly cvv: FieldState
    /** All three are valid. */
    readonly complete: boolean
    readonly brand: string | null
    /** The first six digits, for stores that may see them. */
    readonly bin: string | null
  }
  focus: { readonly field: FormField }
  blur: { readonly field: FormField }
  /** The shopper pressed Enter. */
  submit: object
  tokenized: {
    readonly id: number
    readonly directToken: string
    readonly brand: string | null
    readonly bin: string | null
    /** Empty for a security code alone. */
    readonly lastFour: string
  }
  failed: {
    readonly id: number
    readonly code: FailureCode
    readonly fields: readonly (typeof CARD_PARTS)[number][]
  }
}

type MessageOf<Messages> = {
  [Type in keyof Messages]: { readonly type: Type } & Messages[Type]
}[keyof Messages]
export type PageMessage = MessageOf<PageMessages>
export type FrameMessage = MessageOf<FrameMessages>

type Check = (value: unknown) => boolean
type Shapes<Messages> = {
  readonly [Type in keyof Messages]: Readonly<Record<keyof Messages[Type], Check>>
}

const HEIGHT_MAX = 2000
const oneOf =
  (known: readonly unknown[]): Check =>
  (value) =>
    known.includes(value)
const text =
  (form: RegExp): Check =>
  (value) =>
    typeof value === 'string' && form.test(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const isId: Check = (value) => Number.isSafeInteger(value)
const isField = oneOf(FORM_FIELDS)
const isState = oneOf(FIELD_STATES)
const isBrand = orNull(text(/^[a-z]{1,20}$/))
const isBin = orNull(text(/^\d{6}$/))

const PAGE_SHAPES: Shapes<PageMessages> = {
  init: {
    style: (value) => Object(value) === value && Object.values(value as object).every(text(/^/)),
  },
  focus: { field: orNull(isField) },
  tokenize: { id: isId },
}

const FRAME_SHAPES: Shapes<FrameMessages> = {
  ready: {},
  resize: {
    height: (value) => typeof value === 'number' && value >= 0 && value <= HEIGHT_MAX,
  },
  change: {
    number: isState,
    expiry: isState,
    cvv: isState,
    complete: oneOf([true, false]),
    brand: isBrand,
    bin: isBin,
  },
  focus: { field: isField },
  blur: { field: isField },
  submit: {},
  tokenized: {
    id: isId,
    directToken: text(DIRECT_TOKEN_FORM),
    brand: isBrand,
    bin: isBin,
    lastFour: text(/^(\d{4})?$/),
  },
  failed: {
    id: isId,
    code: oneOf(FAILURE_CODES),
    fields: (value) => Array.isArray(value) && value.every(oneOf(CARD_PARTS)),
  },
}

/** The message with only the properties of its type; undefined for any other value. */
function read(shapes: Readonly<Record<string, Readonly<Record<string, Check>>>>, value: unknown) {
  if (Object(value) !== value) return undefined
  const { type, ...given } = value as Record<string, unknown>
  // Own entries only: properties of a polluted Object.prototype are neither types nor values.
  const shape = Object.entries(shapes).find(([known]) => known === type)?.[1]
  const own = new Map(Object.entries(given))
  const checks = Object.entries(shape ?? {})
  return shape && checks.every(([name, check]) => check(own.get(name)))
    ? { type, ...Object.fromEntries(checks.map(([name]) => [name, own.get(name)])) }
    : undefined
}

/** The page's message; undefined if the frame does not know it. */
export function readPageMessage(value: unknown): PageMessage | undefined {
  return read(PAGE_SHAPES, value) as PageMessage | undefined
}

/** The frame's message; undefined if the page does not know it. */
export function readFrameMessage(value: unknown): FrameMessage | undefined {
  return read(FRAME_SHAPES, value) as FrameMessage | undefined
}

/** True for the message from window to window that transfers the port. */
export function isFieldsGreeting(value: unknown): boolean {
  const { type, protocol } = Object(value) as Partial<typeof FIELDS_GREETING>
  return type === FIELDS_GREETING.type && protocol === FIELDS_GREETING.protocol
}
