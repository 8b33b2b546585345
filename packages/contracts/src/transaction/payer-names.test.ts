import { describe, expect, it } from 'vitest'
import { payerNameSchema, personOrCompanyNameSchema } from './request-fields.js'

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
    `J${'\u0301'.repeat(2)}o L`,
    `${'ễ'.repeat(50).normalize('NFD')} a`,
  ])('may be %j, also as a company’s', (name) => {
    expect(isTaken(name)).toBe(true)
    expect(payerNameSchema.parse(name)).toBe(name)
    expect(personOrCompanyNameSchema.safeParse(name).success).toBe(true)
  })

  it('may have every letter of the Latin script', () => {
    const codes = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCodePoint(code))
    const letters = codes.filter((one) => /\p{L}/u.test(one) && /\p{Script=Latin}/u.test(one))
    const refused = letters.filter((letter) => !isTaken(`${letter}${letter} ${letter}`))
    expect(refused).toEqual([])
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
