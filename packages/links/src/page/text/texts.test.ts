import { describe, expect, it } from 'vitest'
import { TEXTS } from './texts.js'

function* textsOf(value: unknown, path = ''): Generator<[string, string]> {
  if (typeof value === 'string') yield [path, value]
  else
    for (const [key, inner] of Object.entries(value as object))
      yield* textsOf(inner, `${path}.${key}`)
}

describe('the texts', () => {
  it('name the same placeholders in every language', () => {
    const placeholders = (texts: unknown) =>
      [...textsOf(texts)].map(([path, text]) => [
        path,
        (text.match(/\{\w+\}/g) ?? []).toSorted().join(' '),
      ])
    expect(placeholders(TEXTS.en)).toEqual(placeholders(TEXTS['pt-BR']))
  })
})
