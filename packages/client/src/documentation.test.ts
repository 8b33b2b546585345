import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DirectTokenErrorCode, PaymentMethodOptions } from './index.js'

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

const read = (file: string): string =>
  readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')

/** First cells of the tables: what is in backticks at the start of a row. */
const rowsOf = (text: string): string[] =>
  [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
/** Without comments, which are in the page's language. */
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

it('both languages show the same code', () => {
  const english = codeOf(read('browser-library.md'))
  expect(english.length).toBeGreaterThan(5)
  expect(codeOf(read('pt-BR/browser-library.md'))).toEqual(english)
})
