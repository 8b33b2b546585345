import { describe, expect, it } from 'vitest'
import { KeyRingError, generateKeyRing, parseKeyRing } from './key-ring.js'
import { SealError, sealedBy } from './sealed-value.js'

const KEY_A = Buffer.alloc(32, 1).toString('base64url')
const KEY_B = Buffer.alloc(32, 2).toString('base64url')
const CONTEXT = { purpose: 'data-key', recordId: 'a' } as const
const DATA_KEY = Buffer.alloc(32, 3)

describe('A key ring', () => {
  it('is generated ready to be parsed, and never the same twice', () => {
    expect(parseKeyRing(generateKeyRing()).keys.size).toBe(1)
    expect(generateKeyRing()).not.toBe(generateKeyRing())
  })

  it('wraps with its first key', async () => {
    const ring = parseKeyRing(`new:${KEY_A},old:${KEY_B}`)
    expect(await ring.keyIds()).toEqual(['new', 'old'])
    expect(sealedBy(await ring.wrap(DATA_KEY, CONTEXT))).toBe('new')
  })

  it('unwraps with any of its keys, and no others', async () => {
    const wrapped = await parseKeyRing(`old:${KEY_B}`).wrap(DATA_KEY, CONTEXT)
    const ring = parseKeyRing(`new:${KEY_A}, old:${KEY_B}\n`)
    expect(await ring.unwrap(wrapped, CONTEXT)).toEqual(DATA_KEY)
    await expect(parseKeyRing(`new:${KEY_A}`).unwrap(wrapped, CONTEXT)).rejects.toThrow(SealError)
  })

  it('prints no key', () => {
    const ring = parseKeyRing(`a:${KEY_A}`)
    expect(JSON.stringify([ring.current, ...ring.keys])).not.toContain(KEY_A)
  })

  it.each([
    ['nothing', ''],
    ['a key without id', KEY_A],
    ['an empty id', `:${KEY_A}`],
    ['an id with a dot', `a.b:${KEY_A}`],
    ['an id too long', `${'a'.repeat(33)}:${KEY_A}`],
    ['an id without key', 'a:'],
    ['a key too short', `a:${KEY_A.slice(0, -1)}`],
    ['a key too long', `a:${KEY_A}AAAA`],
    ['a key with padding', `a:${KEY_A}=`],
    ['a key in plain base64', `a:${Buffer.alloc(32, 255).toString('base64')}`],
    ['a key with stray bits', `a:${KEY_A.slice(0, -1)}F`],
    ['two keys with one id', `a:${KEY_A},a:${KEY_B}`],
    ['a trailing comma', `a:${KEY_A},`],
  ])('refuses %s, without quoting a key', (_, text) => {
    const parse = () => parseKeyRing(text)
    expect(parse).toThrow(KeyRingError)
    expect(parse).not.toThrow(KEY_A.slice(0, 8))
  })
})
