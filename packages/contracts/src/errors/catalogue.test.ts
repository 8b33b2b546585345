import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ErrorName, errorCatalogue } from './catalogue.js'

const SPECIFICATION = new URL('../../../../docs/specification.md', import.meta.url)

/** Code and key of every error in section 7; `#` stands for `[0-9]`. 20698 has no key there. */
const specErrors = [
  ...readFileSync(SPECIFICATION, 'utf8').matchAll(/^\| (\d{5,6}) \| `([^`]+)` \|$/gm),
].map(([, code, key = '']) => [Number(code), key.replaceAll('[0-9]', '#')] as const)

const entries = Object.entries(errorCatalogue).map(([name, definition]) => ({
  name,
  key: name,
  ...definition,
}))

const isOurs = (code: number): boolean => code >= 90_000 && code < 100_000

function statusOf(code: number): number {
  switch (code) {
    case 30101:
    case 20601:
    case 20699:
      return 500
    case 20607:
      return 409
    case 20610:
    case 20614:
      return 404
    case 20698:
      return 400
  }
  if (code < 10100) return 401
  if (code < 10300 || code === 10401) return 406
  if (code < 10400) return 415
  return (code >= 20600 && code < 20700) || (code >= 210600 && code < 210700) ? 422 : 400
}

describe('errorCatalogue', () => {
  it('has the 184 codes of the spec and the one without a key', () => {
    expect(new Set(specErrors.map(([code]) => code)).size).toBe(184)
    const codes = new Set(entries.map(({ code }) => code).filter((code) => !isOurs(code)))
    expect([...codes].toSorted((a, b) => a - b)).toEqual(
      [...specErrors.map(([code]) => code), 20698].toSorted((a, b) => a - b),
    )
  })

  it.each(specErrors)('describes %s as %s', (code, key) => {
    const keys = entries.filter((entry) => entry.code === code).map((entry) => entry.key)
    expect(new Set(keys)).toEqual(new Set([key]))
  })

  it('has one name for each code, save for the two causes of a refused reference', () => {
    const namesByCode = Map.groupBy(entries, ({ code }) => code)
    const aliases = [...namesByCode.values()].filter((names) => names.length > 1)
    expect(aliases.map((names) => names.map(({ name }) => name))).toEqual([
      ['transaction_reference_invalid', 'transaction_reference_used'],
    ])
  })

  it('has an HTTP status of the refusals for every name', () => {
    const wrong = entries
      .filter(({ code, name }) => !isOurs(code) && name !== 'transaction_reference_used')
      .filter(({ code, status }) => status !== statusOf(code))
    expect(wrong).toEqual([])
    for (const { status } of entries) expect(status >= 400 && status < 600).toBe(true)
  })

  it.each<[ErrorName, number]>([
    ['transaction_reference_used', 409],
    ['route_not_found', 404],
    ['method_not_allowed', 405],
    ['body_too_large', 413],
    ['too_many_requests', 429],
    ['service_unavailable', 503],
  ])('answers %s with %s', (name, status) => {
    expect(errorCatalogue[name].status).toBe(status)
  })
})
