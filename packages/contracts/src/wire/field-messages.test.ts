import { afterEach, describe, expect, it } from 'vitest'
import {
  FIELDS_GREETING,
  type FrameMessage,
  type PageMessage,
  isFieldsGreeting,
  readFrameMessage,
  readPageMessage,
} from './field-messages.js'

const PAN = '4111111111111111'
const TOKEN = `${'h'.repeat(20)}..${'i'.repeat(16)}.${'c'.repeat(256)}.${'t'.repeat(22)}`

const ofPage: readonly PageMessage[] = [
  { type: 'init', style: { colorText: '#000' } },
  { type: 'init', style: {} },
  { type: 'focus', field: 'cvv' },
  { type: 'focus', field: null },
  { type: 'tokenize', id: 1 },
]
const change = {
  type: 'change',
  number: 'valid',
  expiry: 'empty',
  cvv: 'incomplete',
  complete: false,
  brand: 'visa',
  bin: '411111',
} as const
const tokenized = {
  type: 'tokenized',
  id: 1,
  directToken: TOKEN,
  brand: 'visa',
  bin: null,
  lastFour: '1111',
} as const
const failed = {
  type: 'failed',
  id: 2,
  code: 'creditcard_invalid_fields',
  fields: ['month', 'cvv'],
} as const
const ofFrame: readonly FrameMessage[] = [
  { type: 'ready' },
  { type: 'resize', height: 312.5 },
  change,
  { ...change, brand: null, bin: null },
  { type: 'focus', field: 'number' },
  { type: 'blur', field: 'expiry' },
  { type: 'submit' },
  tokenized,
  { ...tokenized, brand: null, lastFour: '' },
  failed,
]

const strangers: readonly unknown[] = [
  undefined,
  null,
  'ready',
  7,
  [],
  {},
  { type: undefined },
  { type: 'unknown' },
  { type: 'toString' },
  { type: '__proto__' },
  { type: ['ready'] },
]

it.each(ofPage)('a page’s $type is read as it is', (message) => {
  expect(readPageMessage(message)).toEqual(message)
  expect(readFrameMessage({ ...message, type: `${message.type}!` })).toBeUndefined()
})

it.each(ofFrame)('a frame’s $type is read as it is', (message) => {
  expect(readFrameMessage(message)).toEqual(message)
})

it.each(strangers)('%j is no message of either', (value) => {
  expect(readPageMessage(value)).toBeUndefined()
  expect(readFrameMessage(value)).toBeUndefined()
})

it.each([
  { type: 'init' },
  { type: 'init', style: null },
  { type: 'init', style: { colorText: 7 } },
  { type: 'init', style: { colorText: {} } },
  { type: 'focus' },
  { type: 'focus', field: 'holder' },
  { type: 'tokenize' },
  { type: 'tokenize', id: '1' },
  { type: 'tokenize', id: 1.5 },
])('a frame does not read %j', (value) => {
  expect(readPageMessage(value)).toBeUndefined()
})

it.each([
  { type: 'resize' },
  { type: 'resize', height: '300px' },
  { type: 'resize', height: -1 },
  { type: 'resize', height: Infinity },
  { type: 'resize', height: NaN },
  { type: 'resize', height: 2001 },
  { ...change, number: PAN },
  { ...change, brand: PAN },
  { ...change, bin: PAN },
  { ...change, bin: '4111111' },
  { ...change, bin: 411111 },
  { ...change, complete: 1 },
  { type: 'focus', field: PAN },
  { ...tokenized, directToken: PAN },
  { ...tokenized, lastFour: PAN },
  { ...tokenized, lastFour: '11111' },
  { ...failed, code: PAN },
  { ...failed, code: 'callback_must_be_a_function' },
  { ...failed, fields: [PAN] },
  { ...failed, fields: 'month' },
])('a page does not read %j', (value) => {
  expect(readFrameMessage(value)).toBeUndefined()
})

it('what a type does not have never passes along with it', () => {
  expect(readFrameMessage({ type: 'ready', number: PAN })).toEqual({ type: 'ready' })
  expect(readFrameMessage({ ...change, digits: PAN })).toEqual(change)
  expect(readPageMessage({ type: 'tokenize', id: 1, store: 'other' })).toEqual({
    type: 'tokenize',
    id: 1,
  })
})

describe('a polluted Object.prototype', () => {
  afterEach(() => {
    for (const name of ['type', 'field', 'style', 'evil'])
      Reflect.deleteProperty(Object.prototype, name)
  })

  it('adds neither messages nor properties', () => {
    for (const [name, value] of Object.entries({
      type: 'submit',
      field: 'cvv',
      style: {},
      evil: {},
    }))
      Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
    expect(readPageMessage({ type: 'evil' })).toBeUndefined()
    expect(readPageMessage({ type: 'focus' })).toBeUndefined()
    expect(readPageMessage({ type: 'init' })).toBeUndefined()
  })
})

it.each([
  [FIELDS_GREETING, true],
  [{ type: 'cofre-fields', protocol: 1, more: true }, true],
  [{ type: 'cofre-fields', protocol: 2 }, false],
  [{ type: 'cofre-fields' }, false],
  [{ protocol: 1 }, false],
  ['cofre-fields', false],
  [null, false],
  [undefined, false],
])('that %j is the greeting: %s', (value, isIt) => {
  expect(isFieldsGreeting(value)).toBe(isIt)
})
