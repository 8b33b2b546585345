import { errorCatalogue } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { explanationOf, explanations } from './explanation.js'

const entries = Object.entries(errorCatalogue)

describe('the explanations of errors', () => {
  it('cover the catalogue, name by name', () => {
    expect(Object.keys(explanations).toSorted()).toEqual(Object.keys(errorCatalogue).toSorted())
  })

  it.each(entries)('tell of %s in sentences, in both languages', (name) => {
    const { 'pt-BR': pt, en } = explanations[name as keyof typeof explanations]
    for (const text of [pt, en]) expect(text).toMatch(/^\S.{12,}\.$/s)
    expect(pt).not.toBe(en)
  })

  it('are found by code', () => {
    for (const [, { code }] of entries) {
      expect(explanationOf({ code, status: 400 }, 'en')).not.toContain('does not know the code')
    }
    expect(explanationOf({ code: 1, status: 400 }, 'en')).toContain('does not know the code')
  })
})
