import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ServiceKeyError, parseServiceKeys } from './service-key.js'

const KEY = randomBytes(32).toString('base64url')

describe('parseServiceKeys', () => {
  it('reads keys, the first one current', () => {
    const keys = parseServiceKeys(`new:${KEY}, old:${randomBytes(32).toString('base64url')}`)
    expect(keys.current.id).toBe('new')
    expect([...keys.all.keys()]).toEqual(['new', 'old'])
  })

  it('shows no key when it is printed', () => {
    const keys = parseServiceKeys(`a:${KEY}`)
    expect(inspect(keys, { depth: 8 }) + JSON.stringify(keys.current)).not.toContain(
      KEY.slice(0, 8),
    )
  })

  it.each([
    '',
    KEY,
    `:${KEY}`,
    `with space:${KEY}`,
    `a:${KEY.slice(1)}`,
    `a:${KEY}=`,
    `a:${KEY},`,
    `a:${KEY},a:${KEY}`,
  ])('refuses %j, and shows no key', (text) => {
    expect(() => parseServiceKeys(text)).toThrow(ServiceKeyError)
    expect(() => parseServiceKeys(text)).not.toThrow(new RegExp(KEY.slice(1, 9)))
  })
})
