import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CardFieldsEvents, CardFieldsOptions } from './fields.js'
import type { DirectTokenErrorCode, PaymentMethodOptions } from './index.js'
import { FONT_NAMES, STYLE_NAMES } from './style-variables.js'

const ERRORS: Record<DirectTokenErrorCode | 'callback_must_be_a_function', true> = {
  callback_must_be_a_function: true,
  creditcard_object_malformed: true,
  creditcard_invalid_object: true,
  creditcard_invalid_fields: true,
  credit_card_internal_error: true,
  session_create_error: true,
  session_creating_in_progress: true,
  session_network_error: true,
}
const OPTIONS: Record<keyof PaymentMethodOptions, true> = {
  baseUrl: true,
  sessionTimeout: true,
  store: true,
}

const FIELDS_OPTIONS: Record<Exclude<keyof CardFieldsOptions, 'paymentPage'>, true> = {
  store: true,
  baseUrl: true,
  language: true,
  colorScheme: true,
  style: true,
  title: true,
  element: true,
}
const EVENTS: Record<keyof CardFieldsEvents, true> = {
  ready: true,
  error: true,
  change: true,
  focus: true,
  blur: true,
  submit: true,
}

const read = (file: string): string =>
  readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')

/** First cells of the tables: a name in backticks at the start of a row. */
const rowsOf = (text: string): string[] =>
  [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
/** Code blocks without comments, which are in the page's language. */
const codeOf = (text: string): string[] =>
  [...text.matchAll(/^```(?:html|js|http)\n(.*?)^```/gms)].map(([, code = '']) =>
    code.replace(/(?<!:)\/\/.*$/gm, ''),
  )

describe.each(['browser-library.md', 'pt-BR/browser-library.md'])('%s', (file) => {
  it('explains every option and exactly the eight errors', () => {
    expect(rowsOf(read(file)).toSorted()).toEqual(
      [...Object.keys(OPTIONS), ...Object.keys(ERRORS)].toSorted(),
    )
  })
})

describe.each(['card-fields.md', 'pt-BR/card-fields.md'])('%s', (file) => {
  it('explains every option, event, style and exactly the eight errors', () => {
    const [options, events] = [Object.keys(FIELDS_OPTIONS), Object.keys(EVENTS)]
    expect(rowsOf(read(file)).toSorted()).toEqual(
      ['card', 'ready', ...options, ...events, ...STYLE_NAMES, ...Object.keys(ERRORS)].toSorted(),
    )
  })

  it('names every font', () => {
    const row = /^\| `fontFamily` \|.*$/m.exec(read(file))?.[0] ?? ''
    expect([...row.matchAll(/`(\w+)`/g)].slice(1).map(([, name]) => name)).toEqual(FONT_NAMES)
  })
})

it.each([
  ['browser-library.md', 5],
  ['card-fields.md', 3],
])('both languages of %s show the same code', (file, blocks) => {
  const english = codeOf(read(file))
  expect(english.length).toBeGreaterThan(blocks)
  expect(codeOf(read(`pt-BR/${file}`))).toEqual(english)
})
