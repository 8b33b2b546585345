import { Secret } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { createPasswords, isStrongPassword } from './password.js'

const CHEAP = { log2N: 4, r: 8, p: 1 }
const PASSWORD = new Secret('correct horse 9')

describe('a password', () => {
  it.each([
    ['correct horse 9', true],
    ['çãõéíúàêôñ12', true],
    ['twelve chars', false],
    ['123456789012', false],
    ['eleven char1', true],
    ['short1', false],
    [`${'a'.repeat(127)}1`, true],
    [`${'a'.repeat(128)}1`, false],
    ['ANA1@shop.example', false],
    ['', false],
  ])('%j is strong enough: %s', (text, isStrong) => {
    expect(isStrongPassword(new Secret(text), 'ana1@shop.example')).toBe(isStrong)
  })

  it('is known by its hash alone, whichever way its letters are composed', async () => {
    const passwords = createPasswords(CHEAP)
    const hash = await passwords.hash(new Secret('coração forte 1'.normalize('NFD')))

    expect(hash).toMatch(/^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await passwords.matches(new Secret('coração forte 1'), hash)).toBe(true)
    expect(await passwords.matches(new Secret('coracao forte 1'), hash)).toBe(false)
  })

  it('is checked at the cost it was hashed with', async () => {
    const hash = await createPasswords(CHEAP).hash(PASSWORD)

    expect(await createPasswords({ log2N: 5, r: 4, p: 2 }).matches(PASSWORD, hash)).toBe(true)
  })

  it('never matches without a hash', async () => {
    expect(await createPasswords(CHEAP).matches(PASSWORD, undefined)).toBe(false)
  })

  it('takes 32 MiB and three rounds to guess, unless a test lowers the cost', async () => {
    expect(await createPasswords().hash(PASSWORD)).toMatch(/^scrypt\$15\$8\$3\$/)
  })
})

describe('places for those who try a password', () => {
  it('are twelve, and two for each address, and free again once they are left', () => {
    const { enter } = createPasswords(CHEAP)
    const own = [enter('one'), enter('one')]

    expect(own).not.toContain(undefined)
    expect(enter('one')).toBeUndefined()
    const others = Array.from({ length: 10 }, (_, i) => enter(`other ${String(i)}`))
    expect(others).not.toContain(undefined)
    expect(enter('last')).toBeUndefined()
    own[0]?.leave()
    own[0]?.leave()
    expect(enter('one')).toBeDefined()
    expect(enter('one')).toBeUndefined()
  })
})
