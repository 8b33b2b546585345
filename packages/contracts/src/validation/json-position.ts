/** A place in a text, from 1; columns count UTF-16 units. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

const TOKEN =
  /[\t\n\r ]*(?:(?<text>"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?<other>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|(?<sign>[{}[\],:]))/y
const BLANKS = /[\t\n\r ]*/y

/** What may come next. */
type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end'

/**
 * Where a text stops being JSON; undefined for one that is JSON. V8 says it for some texts alone,
 * and beside it what stands there. Reads each character once.
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

/** What may follow a token; undefined where it may not stand here. Keeps what is open. */
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
