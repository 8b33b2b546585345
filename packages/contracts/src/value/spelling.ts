// Unicode takes most letters with marks apart (NFKD); these it does not. Each line has the letters
// that one spelling in ASCII stands for, as names are transliterated in passports, or as users of
// the letter write it without: ø is o here, as in Brazil's registers. `spelling.test.ts` holds them
// against the root collation of Unicode.
const LETTERS: Readonly<Record<string, string>> = {
  a: 'ɑⱥ',
  ae: 'æ',
  b: 'ƀƃɓ',
  c: 'ƈȼ',
  d: 'đðɖɗƌꝺ',
  e: 'əǝɛɇ',
  f: 'ƒꝼ',
  g: 'ǥɠɣᵹ',
  h: 'ħⱨ',
  i: 'ıɨɩ',
  j: 'ȷɉ',
  k: 'ĸƙⱪꞣ',
  l: 'łŀƚɫⱡ',
  n: 'ŋƞɲꞥ',
  o: 'øɔɵ',
  oe: 'œ',
  p: 'ƥᵽ',
  q: 'ɋ',
  r: 'ɍɽꞧꞃ',
  s: 'ȿꞩꞅ',
  ss: 'ß',
  t: 'ŧƭʈⱦꞇ',
  th: 'þ',
  u: 'ʉʊ',
  v: 'ʋ',
  w: 'ⱳ',
  y: 'ƴɏ',
  z: 'ƶȥʒⱬ',
}

/** What keyboards, phones and office programs write for `'`, `"` and `-`. */
const SIGNS: Readonly<Record<string, string>> = {
  "'": '‘’‚‛´`ʹʻʼʽˈꞌ′',
  '"': '“”„‟«»″',
  '-': '‐‑‒–—―−',
  '/': '⁄',
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...spelledOut(LETTERS),
  ...spelledOut(LETTERS).map(([letter, plain]) => [upper(letter), upper(plain)] as const),
  ...spelledOut(SIGNS),
])

function spelledOut(table: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(table).flatMap(([plain, characters]) =>
    Array.from(characters, (character) => [character, plain] as const),
  )
}

/** A letter's capital; of ß the capital that is one letter. */
function upper(letter: string): string {
  return letter === 'ß' ? 'ẞ' : letter.toUpperCase()
}

/**
 * The text with its Latin letters and their signs in ASCII: `Łoś` is `Los`, `Mª D’Ávila` is
 * `Ma D'Avila`. What has no spelling there stays.
 */
export function asciiSpelling(text: string): string {
  return withPlain(withPlain(text).normalize('NFKD').replaceAll(/\p{M}/gu, ''))
}

/**
 * The text for whom reads Latin-1 at most: what that has stays, in one character for a letter and
 * its accent; other letters are as {@link asciiSpelling} writes them.
 */
export function latin1Spelling(text: string): string {
  return text.normalize('NFC').replaceAll(/[^\u0000-\u00ff]\p{M}*/gu, asciiSpelling)
}

function withPlain(text: string): string {
  return text.replaceAll(/[^\u0000-\u007f]/gu, (character) => PLAIN.get(character) ?? character)
}
