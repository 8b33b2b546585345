/** A position in a text, from 1; columns count UTF-16 units. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

const TOKEN =
  /[\t\n\r ]*(?:(?<text>"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?<other>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|(?<sign>[{}[\],:]))/y
const BLANKS = /[\t\n\r ]*/y

/** Tokens that may follow. */
type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end'

/**
 * Position where a text stops being JSON; undefined for valid JSON. V8 reports it only for some
 * texts, and quotes the text beside it. Reads each character once.
 */
export function brokenJsonAt(text: string): TextPosition | undefined {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)
    if (token === null) break
    const next = stepOf(token.groups ?? {}, expected, open)
    if (next === undefined) break
    expected = next
    at = TOKEN.lastIndex
    if (expected === 'comma-or-end' && open.length === 0) break
  }
  BLANKS.lastIndex = at
  BLANKS.test(text)
  const end = BLANKS.lastIndex
  const isWhole = expected === 'comma-or-end' && open.length === 0 && end === text.length
  return isWhole ? undefined : positionOf(text, end)
}

/** The tokens that may follow a token; undefined if it is not allowed here. Updates `open`. */
function stepOf(
  { text, other, sign }: Partial<Record<string, string>>,
  expected: Expected,
  open: string[],
): Expected | undefined {
  const isValue = expected === 'value' || expected === 'value-or-end'
  if (text !== undefined && expected.startsWith('name')) return 'colon'
  if (text !== undefined || other !== undefined) return isValue ? 'comma-or-end' : undefined
  switch (sign) {
    case '{':
    case '[':
      if (!isValue) return undefined
      open.push(sign)
      return sign === '{' ? 'name-or-end' : 'value-or-end'
    case ':':
      return expected === 'colon' ? 'value' : undefined
    case ',':
      if (expected !== 'comma-or-end') return undefined
      return open.at(-1) === '{' ? 'name' : 'value'
    case undefined:
      return undefined
    default: {
      const isOpen = open.at(-1) === (sign === '}' ? '{' : '[')
      if (!isOpen || !expected.endsWith('-or-end')) return undefined
      open.pop()
      return 'comma-or-end'
    }
  }
}

function positionOf(text: string, at: number): TextPosition {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { line, column: at - before.lastIndexOf('\n') }
}
