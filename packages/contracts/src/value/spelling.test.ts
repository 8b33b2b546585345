import { describe, expect, it } from 'vitest'
import { asciiSpelling, latin1Spelling } from './spelling.js'

/** Every letter of the Latin script. */
const LATIN = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter(
  (character) => /^\p{L}$/u.test(character) && /^\p{Script=Latin}$/u.test(character),
)
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

describe('asciiSpelling', () => {
  it.each([
    ['Nguyễn Văn An', 'Nguyen Van An'],
    ['José'.normalize('NFD'), 'Jose'],
    ['Kerexuẽ G̃uasu', 'Kerexue Guasu'],
    ['Mª José, 1º andar', 'Ma Jose, 1o andar'],
    ['Sean O’Connor, D‘Ávila, D´Ávila, Nuʻu', "Sean O'Connor, D'Avila, D'Avila, Nu'u"],
    ['Bjørn Łoś', 'Bjorn Los'],
    ['ŁUKASZ ØSTERGÅRD', 'LUKASZ OSTERGARD'],
    ['Großer GROẞER Ǿ ǽ', 'Grosser GROSSER O ae'],
    ['Rua Œuvre', 'Rua OEuvre'],
    ['Đặng Þór Æsir Ħal Ŋ', 'Dang THor AEsir Hal N'],
    ['Maria‑José – Ana', 'Maria-Jose - Ana'],
    ['Gal·la, ʿAlī Saʾid, O`Neil', "Gal.la, 'Ali Sa'id, O'Neil"],
    ['ＡＢＣ', 'ABC'],
    ['7½, 7 ½, 7²', '7 1/2, 7 1/2, 7 2'],
    ['n° 3', 'no 3'],
    ['Мария 東京', 'Мария 東京'],
  ])('writes %s as %s', (text, plain) => {
    expect(asciiSpelling(text)).toBe(plain)
  })

  const { compare } = new Intl.Collator('und', { sensitivity: 'base' })
  const ALPHABET = Array.from('abcdefghijklmnopqrstuvwxyz')
  const PAIRS = ['aa', 'ae', 'ao', 'au', 'av', 'ay', 'dz', 'oe', 'oo', 'ss', 'ts', 'tz', 'vy']
  /** The letters that the root collation of Unicode equates with a letter; often none in ASCII. */
  const byCollation = (letter: string): string | undefined =>
    [...ALPHABET, ...PAIRS].find((plain) => compare(letter, plain) === 0)

  it('agrees with the collation of Unicode wherever both know a letter', () => {
    const known = LATIN.filter((letter) => isAscii(asciiSpelling(letter)))
    expect(known.length).toBeGreaterThan(800)
    const wrong = known.filter((letter) => {
      const expected = byCollation(letter)
      return expected !== undefined && compare(asciiSpelling(letter), expected) !== 0
    })
    expect(wrong).toEqual([])
  })

  it('knows every letter of the script, and leaves none out', () => {
    expect(LATIN.length).toBeGreaterThan(1_400)
    expect(LATIN.filter((letter) => !/^[\x21-\x7e]+$/.test(asciiSpelling(letter)))).toEqual([])
  })

  it('writes capitals as capitals', () => {
    const capitals = LATIN.filter((letter) => /\p{Lu}/u.test(letter))
    const small = capitals.filter((letter) => /[a-z]/.test(asciiSpelling(letter)))
    expect(small).toEqual([])
  })
})

describe('latin1Spelling', () => {
  it.each([
    ['São João Ñandú Ø', 'São João Ñandú Ø'],
    ['João'.normalize('NFD'), 'João'],
    ['Nguyễn', 'Nguyen'],
    ['G̃uasu', 'Guasu'],
    ['Łoś O’Connor', "Los O'Connor"],
    ['7½, 7², n° 3', '7½, 7², n° 3'],
    ['7⅓, 7 ⅓, 7⁴, ⅔5, ½⅓', '7 1/3, 7 1/3, 7 4, 2/3 5, ½ 1/3'],
    ['東京 🙂', '東京 🙂'],
  ])('writes %s as %s', (text, plain) => {
    expect(latin1Spelling(text)).toBe(plain)
  })
})
