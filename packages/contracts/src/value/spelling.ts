// Unicode decomposes most letters with marks (NFKD), but not these. Each line has the letters with
// one ASCII spelling: the transliteration of passports, or the form without the mark that the
// letter's users write. ø is o here, as in Brazil's registers. Letters of phonetics and old
// manuscripts follow their names in Unicode 17. `spelling.test.ts` checks all letters of the script
// against the root collation of Unicode.
const LETTERS: Readonly<Record<string, string>> = {
  a: 'ɑⱥɐɒᴀᵄᶏᶐᶛẚꞻꬰꭤꞛꟁ',
  aa: 'ꜳ𐞀',
  ae: 'æᴁᴂᵆꬱ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƀƃɓʙᴃᴯᵬᶀꞗꞵ𐞄',
  c: 'ƈȼɕʗᴄᶝↄꜿꞓꞔ𝼏𝼝',
  con: 'ꝯ',
  d: 'đðɖɗƌꝺƍȡᴅᴆᵭᶁᶑẟꟈ𐞍𝼥',
  db: 'ȸ',
  dum: 'ꝱ',
  dz: 'ʣʤʥꭦ𐞇𐞈𐞉𐞊𝼒𝼙',
  e: 'əǝɛɇɘɚɜɝɞʚᴇᴈᵌᶒᶓᶔᶕᶟⱸⱻꬲꬳꬴꭠ𐞎𐞏',
  et: 'ꝫ',
  f: 'ƒꝼɸᵮᶂᶲⅎⱷꜰꞙꟻꬵ',
  fn: 'ʩ𐞐𝼀',
  g: 'ǥɠɣᵹɡɢʛᵷᶃᶢꝿꞡꟑꬶ𐞒𐞔𝼁𝼂',
  gh: 'ƣ',
  h: 'ħⱨɥɦɧʜʮʯʱᶣⱶꜧꞕꟶꭜ𐞖𐞗',
  hv: 'ƕ',
  i: 'ıɨɩɪᴉᵎᵻᵼᶖᶦᶧꞽꟷꟾ𝼚',
  ie: 'ꭡ',
  is: 'ꝭ',
  j: 'ȷɉɟʄʝᴊᶡᶨ𐞘',
  k: 'ĸƙⱪꞣʞᴋᶄꜭꜯꝁꝃꝅ𝼃𝼐',
  l: 'łŀƚɫⱡƛȴɬɭʟᴌᶅᶩᶪᶫꝇꝉꞁꞎꟛꬷꬸꬹꭝ𐞛𐞜𐞝𝼄𝼑𝼓𝼦',
  ll: 'ỻ',
  ls: 'ʪ𐞙',
  lum: 'ꝲ',
  lz: 'ɮʫ𐞚𐞞𐞟𝼅',
  m: 'ɯɰɱᴍᴟᵚᵯᶆᶬᶭꟺꟽꟿꬺ',
  mum: 'ꝳ',
  n: 'ŋƞɲꞥȵɳɴʭᴎᴻᵰᶇᶯᶰꞑꬻꬼ𝼇𝼔𝼧',
  num: 'ꝴ',
  o: 'øɔɵɤɷʘᴏᴐᴑᴒᴓᴖᴗᵔᵕᶗⱺꝋꝍꞷꬽꬾꬿ𐞑𐞤𐞵𝼛ꞝ',
  oe: 'œɶᴔꭀꭁꭂꭢ𐞣',
  oo: 'ꝏꭃꭄ',
  ou: 'ȣᴕᴽ',
  p: 'ƥᵽᴘᵱᶈꝑꝓꝕꟼ',
  q: 'ɋʠꜫꝗꝙꞯ',
  qp: 'ȹ',
  r: 'ɍɽꞧꞃɹɺɻɼɾɿʀʁʴʵʶᴙᴚᵲᵳᶉⱹꝛꭅꭆꭇꭉꭋꭌꭨ𐞦𐞧𐞩𐞪𝼈𝼕𝼖𝼨',
  rr: 'ꭈꭊ',
  rum: 'ꝝꝵꝶ',
  s: 'ȿꞩꞅƪʂʃʅʆᵴᶊᶋᶘᶳᶴẜẝꜱꟊꟍꟗꟙꭍ𐞺𝼋𝼌𝼞𝼩',
  ss: 'ß',
  t: 'ŧƭʈⱦꞇƫȶʇᴛᵵᶵ𝼉𝼍𝼪',
  tc: 'ʨ𐞫',
  th: 'þᵺꝥꝧ',
  thth: 'ꟓ',
  ts: 'ʦʧꭧ𐞬𐞭𐞮𝼗𝼜ƾ',
  tum: 'ꝷ',
  tz: 'ꜩ',
  u: 'ʉʊᴜᴝᴞᵙᵾᵿᶙᶸꞹꞿꭎꭏꭒꭟꞟ',
  ue: 'ᵫ',
  ui: 'ꭐꭑ',
  um: 'ꝸ',
  uo: 'ꭣ',
  us: 'ꝰ',
  v: 'ʋʌᴠᶌᶺỽⱱⱴꝟꝩ𐞰',
  vy: 'ꝡ',
  w: 'ⱳƿʍʬᴡꟃ꟏ꭩ',
  ww: 'ꟕ',
  x: 'ᶍꭓꭔꭕꭖꭗꭘꭙ',
  y: 'ƴɏȝʎʏỿꭚ𐞠𐞡𐞲𝼆',
  z: 'ƶȥʒⱬƹƺɀʐʑʓᴢᴣᵶᶎᶚᶼᶽꝣ𝼘',
  '!': 'ǃ𐞹𝼊',
  "'": 'ɂʔʕʖʡʢˤᴤᴥᵜꜣꜥꞌ𐞳𐞴𝼎',
  '.': 'ꞏ𐞂',
  2: 'ƨƻ',
  5: 'ƽ',
  6: 'ƅ',
  ':': '𐞁',
  '=': 'ǂ𐞸',
  '|': 'ǀ𐞶',
  '||': 'ǁ𐞷',
}

/** Signs that keyboards, phones, office programs and transliterations produce, and ° for º. */
const SIGNS: Readonly<Record<string, string>> = {
  "'": '‘’‚‛´`ʹʻʼʽʾʿˈˊˋ′',
  '"': '“”„‟«»″',
  '-': '‐‑‒–—―−',
  '.': '·‧',
  o: '°',
  '/': '⁄',
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ...spelledOut(LETTERS),
  ...spelledOut(LETTERS)
    .map(([letter, plain]) => [upper(letter), upper(plain), letter] as const)
    .flatMap(([capital, plain, letter]) => (capital === letter ? [] : [[capital, plain] as const])),
  ...spelledOut(SIGNS),
])

function spelledOut(table: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(table).flatMap(([plain, characters]) =>
    Array.from(characters, (character) => [character, plain] as const),
  )
}

/** A letter's capital; for ß the one-letter capital. */
function upper(letter: string): string {
  return letter === 'ß' ? 'ẞ' : letter.toUpperCase()
}

/** Half of house 7 is `7 1/2`, not `71/2`, and 7² is not 72. */
const BETWEEN_NUMBERS = /(?<=\p{N})(?=\p{No})|(?<=\p{No})(?=\p{Nd})/gu
/** The same, except for numbers that Latin-1 has. */
const BETWEEN_WIDER_NUMBERS =
  /(?<=\p{N})(?=(?![\0-\xff])\p{No})|(?<=(?![\0-\xff])\p{No})(?=\p{Nd})/gu

/**
 * The text with its Latin letters and their signs in ASCII: `Łoś` is `Los`, `Mª D’Ávila` is
 * `Ma D'Avila`, `7½` is `7 1/2`. Characters without an ASCII spelling stay.
 */
export function asciiSpelling(text: string): string {
  const apart = text.replaceAll(BETWEEN_NUMBERS, ' ')
  return withPlain(withPlain(apart).normalize('NFKD').replaceAll(/\p{M}/gu, ''))
}

/**
 * The text for readers of Latin-1. Its characters stay, with a letter and its accent as one
 * character; other letters are spelled by {@link asciiSpelling}.
 */
export function latin1Spelling(text: string): string {
  const apart = text.replaceAll(BETWEEN_WIDER_NUMBERS, ' ')
  return apart.normalize('NFC').replaceAll(/[\u{100}-\u{10ffff}]\p{M}*/gu, asciiSpelling)
}

function withPlain(text: string): string {
  return text.replaceAll(/[\P{ASCII}`]/gu, (character) => PLAIN.get(character) ?? character)
}
