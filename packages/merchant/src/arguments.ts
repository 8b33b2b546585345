// Checks and writes arguments. A caller without types, or with an unset variable, learns which one
// is wrong: `TypeError: code must be a string, not undefined`. No message contains a value, because
// it may be a secret.
import type { CreateOptions } from './request.js'

/** @throws TypeError for anything but a string of at least one character */
export function requireText(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') refuse(name, 'a string', value)
}

/** A code of the service: digits, which a queue or a database may have turned into a number. */
export function requireCode(name: string, value: unknown): asserts value is string | number {
  if (!Number.isSafeInteger(value)) requireText(name, value)
}

/** @throws TypeError for anything but an object, such as a list or a string */
export function requireObject(name: string, value: unknown): asserts value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(name, 'an object', value)
}

/** @throws TypeError for anything but a number from 0 */
export function requireNumber(name: string, value: unknown): asserts value is number {
  // Compared with another value, a limit would limit nothing.
  if (typeof value !== 'number' || !(value >= 0)) refuse(name, 'a number from 0', value)
}

/** @throws TypeError if it cannot be sent as an amount in reais, such as `NaN` */
export function requireAmount(name: string, value: unknown): void {
  const { sent }: { sent?: unknown } = JSON.parse(JSON.stringify({ sent: value })) as object
  const amount = typeof sent === 'object' ? Number.NaN : Number(sent)
  if (amount > 0 && Number.isFinite(amount)) return
  // Infinity is null in JSON, which is not an amount either.
  if (typeof value === 'number') {
    const given = Number.isFinite(value) ? '0 or less' : String(value)
    throw new TypeError(`${name} must be a number above 0, not ${given}`)
  }
  refuse(name, 'a number above 0', value)
}

/** @throws TypeError for an invalid date, such as `new Date('soon')` */
export function requireDate(name: string, value: unknown): asserts value is Date {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) refuse(name, 'a valid Date', value)
}

/** @throws TypeError for anything but a valid date or the text of a time */
export function requireTime(name: string, value: unknown): void {
  if (typeof value === 'string') requireText(name, value)
  else requireDate(name, value)
}

/** @throws TypeError for a text that no header can carry; the value may be a secret */
export function requireHeaderText(name: string, value: unknown): asserts value is string {
  requireText(name, value)
  if (!/^[\x20-\x7e]+$/.test(value))
    throw new TypeError(`${name} must be printable ASCII: has it a line break?`)
}

/** @throws TypeError for anything but one of these */
export function requireChoice(name: string, allowed: readonly string[], value: unknown): void {
  if (typeof value === 'string' && allowed.includes(value)) return
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(allowed)
  const given = typeof value === 'string' && value !== '' ? 'another string' : kindOf(value)
  throw new TypeError(`${name} must be ${list}, not ${given}`)
}

/** @throws TypeError for an unknown member: a misspelt option would have no effect */
export function requireKnown(name: string, known: Readonly<Record<string, true>>, value: object) {
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(known, key))
  if (unknown === undefined) return
  throw new TypeError(`${name}.${unknown} is not known. Known are ${Object.keys(known).join(', ')}`)
}

const KEY_PLACE = { idempotencyKey: 'options' } as const
/** The right place of names that are often put beside an order. */
export const ORDER_PLACES = { ...KEY_PLACE, reference: 'order.transaction' } as const

/**
 * @throws TypeError for a misplaced name: another key would be drawn, and a retry would pay again
 */
export function refuseMisplaced(
  name: string,
  value: object,
  places: Readonly<Record<string, string>> = KEY_PLACE,
): void {
  const [found] = Object.entries(places).filter(([key]) => Object.hasOwn(value, key))
  if (found !== undefined)
    throw new TypeError(`${name}.${found[0]} is not known. It belongs into ${found[1]}`)
}

/** The members of a request by name: its own, those of its class, and hidden ones. */
export function membersOf<Request extends object>(
  name: string,
  known: Readonly<Record<keyof Request & string, true>>,
  request: Request,
): Request {
  requireKnown(name, known, request)
  const members = Object.keys(known).filter((key) => key in request)
  return Object.fromEntries(members.map((key) => [key, Reflect.get(request, key)])) as Request
}

const KEY_NAME = /^idempotency[-_]?key$/i

/**
 * A body as it is sent.
 * @throws TypeError for a value that JSON lacks, which would become null or disappear; for an
 * idempotency key
 */
export function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body, sendable)
  } catch (cause) {
    if (cause instanceof WrongMemberError) throw cause
    const why = cause instanceof Error ? cause.message : 'it has no form'
    throw new TypeError(`the body cannot be sent as JSON: ${why}`, { cause })
  }
}

class WrongMemberError extends TypeError {
  override readonly name = 'TypeError'
}

/** Called for each member before it is written: a date is already text, and null if invalid. */
function sendable(this: unknown, key: string, value: unknown): unknown {
  if (KEY_NAME.test(key))
    throw new WrongMemberError(
      `the body's ${key} is not known. It belongs into options.idempotencyKey`,
    )
  const given: unknown = Reflect.get(Object(this), key)
  const isNoDate = given instanceof Date && value === null
  if (isNoDate || (typeof value === 'number' && !Number.isFinite(value)))
    throw new WrongMemberError(`the body's ${key} cannot be sent: it is ${kindOf(given)}`)
  return value
}

const CREATE_OPTIONS: Readonly<Record<keyof CreateOptions, true>> = { idempotencyKey: true }

/** The caller's key, or a drawn one. */
export function keyOf(options: CreateOptions | undefined, drawn: () => string): string {
  if (options === undefined) return drawn()
  requireObject('options', options)
  // A caller may pass on a whole error that has a key.
  if (!Object.hasOwn(options, 'idempotencyKey')) requireKnown('options', CREATE_OPTIONS, options)
  const idempotencyKey = Object.hasOwn(options, 'idempotencyKey') ? options.idempotencyKey : drawn()
  requireHeaderText('options.idempotencyKey', idempotencyKey)
  return idempotencyKey
}

/**
 * A query as it is sent, without absent values.
 * @throws TypeError for anything but an object, and for an invalid date
 */
export function queryText(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of givenOf('query', query))
    parameters.set(name, value instanceof Date ? value.toISOString() : String(value))
  return parameters.toString()
}

/**
 * The members that have a value.
 * @throws TypeError for anything but an object, for null, and for an invalid date
 */
export function givenOf(name: string, value: object): readonly (readonly [string, unknown])[] {
  requireObject(name, value)
  const given = Object.entries(value).filter(([, member]) => member !== undefined)
  for (const [key, member] of given) {
    if (member === null) refuse(`${name}.${key}`, 'given a value', member)
    if (member instanceof Date) requireDate(`${name}.${key}`, member)
  }
  return given
}

export function refuse(name: string, expected: string, value: unknown): never {
  throw new TypeError(`${name} must be ${expected}, not ${kindOf(value)}`)
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : 'a date'
  const kinds: Readonly<Record<string, string>> = { object: 'an object' }
  return kinds[typeof value] ?? `a ${typeof value}`
}
