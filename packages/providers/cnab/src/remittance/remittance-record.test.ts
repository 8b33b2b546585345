import { describe, expect, it } from 'vitest'
import { letters } from './remittance-record.js'

const written = (text: string): string => letters(1, 40, text)[2].trimEnd()

/** Letters and numbers, except those of the largest scripts and pure marks. */
const SEEN = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((one) => /[\p{L}\p{N}]/u.test(one) && !/[\p{Script=Han}\p{Script=Hangul}]/u.test(one))
  .filter((one) => /[^\p{M}\s]/u.test(one.normalize('NFKD')))

describe('the letters of a remittance', () => {
  it.each([
    ['Bjørn Łoś', 'BJORN LOS'],
    ['Rua Œuvre', 'RUA OEUVRE'],
    ['Straße, Æbeltoft, Þór', 'STRASSE, AEBELTOFT, THOR'],
    ['Nguyễn', 'NGUYEN'],
    ['José'.normalize('NFD'), 'JOSE'],
    ['Sean O’Connor', "SEAN O'CONNOR"],
    ['7½', '7 1/2'],
    ['7 ½', '7 1/2'],
    ['½', '1/2'],
    ['7½8', '7 1/2 8'],
    ['12¾ fundos', '12 3/4 FUNDOS'],
    ['7²', '7 2'],
    ['n° 3', 'NO 3'],
    ['７５', '75'],
    ['nº 3, 1ª loja', 'NO 3, 1A LOJA'],
    ['Rua A•B – 2º', 'RUA A B - 2O'],
    ['Rua\tA\r\nB\u00a0C', 'RUA A B C'],
    ['Zo\u200be', 'ZOE'],
    ['Мария', '?????'],
    ['山田 3', '?? 3'],
  ])('are %s as %s', (text, spelled) => {
    expect(written(text)).toBe(spelled)
  })

  it('are never left out, whatever their script', () => {
    expect(SEEN.filter((one) => !/^[\x21-\x60\x7b-\x7e]/.test(written(one)))).toEqual([])
  })
})
