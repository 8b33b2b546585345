import { describe, expect, it } from 'vitest'
import { asciiSpelling } from '../value/spelling.js'
import { payerNameSchema, personOrCompanyNameSchema } from './request-fields.js'

const CHARACTERS = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code))

const isTaken = (name: string): boolean => payerNameSchema.safeParse(name).success

describe('the name of a payer', () => {
  it.each([
    'Nguyễn Văn An',
    'Mª José Souza',
    'José Mº Peña',
    'José Souza'.normalize('NFD'),
    'Nguyễn Văn An'.normalize('NFD'),
    'Kerexuẽ Benites',
    'Mbo’ehára G̃uasu',
    'Łukasz Żółć',
    'Sean O’Connor',
    'Maria D‘Ávila',
    'Maria D´Ávila',
    'Maria D`Ávila',
    'Leilani Kealoha Nuʻu',
    'Maryam Oʼzbek',
    'Maria‑José Silva',
    'ＭＡＲＩＡ ＳＯＵＺＡ',
    'Gal·la Placídia',
    'ʿAlī Saʾid',
    'Maria–José Silva',
    'a\u1ab0b a\ufe20b\ufe21',
    `J${'\u0301'.repeat(2)}o L`,
    `${'ễ'.repeat(50).normalize('NFD')} a`,
  ])('may be %j, also as a company’s', (name) => {
    expect(isTaken(name)).toBe(true)
    expect(payerNameSchema.parse(name)).toBe(name)
    expect(personOrCompanyNameSchema.safeParse(name).success).toBe(true)
  })

  it('may have every letter of the Latin script', () => {
    const letters = CHARACTERS.filter((one) => /\p{L}/u.test(one) && /\p{Script=Latin}/u.test(one))
    const refused = letters.filter((letter) => !isTaken(`${letter}${letter} ${letter}`))
    expect(refused).toEqual([])
  })

  it('may have each sign that is written as an apostrophe or a hyphen for banks', () => {
    const spelled = CHARACTERS.slice(0, 0x1_0000).filter((one) => /^['-]$/.test(asciiSpelling(one)))
    // Greek signs, signs of formulas, and signs of vertical lines: no keyboard for names has them.
    const signs = spelled.filter((one) => !'\u0374\u1fef⁻₋︱︲｀'.includes(one))
    expect(signs.length).toBeGreaterThan(25)
    for (const schema of [payerNameSchema, personOrCompanyNameSchema])
      expect(signs.filter((sign) => !schema.safeParse(`Ana${sign}B ${sign}C`).success)).toEqual([])
  })

  it.each([
    'Μαρία Σουζα',
    '東京 ストア',
    'Maria \u0301Souza',
    '\u0301Maria Souza',
    "Maria '\u0301Souza",
    'Maria Sou\u200bza',
    'Maria\u00a0Souza',
    'Maria S\u20dduza',
    'Maria Souza\ud83d\ude42',
  ])('is not %j', (name) => {
    expect(isTaken(name)).toBe(false)
    expect(personOrCompanyNameSchema.safeParse(name).success).toBe(false)
  })
})
