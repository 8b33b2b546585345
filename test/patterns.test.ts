import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

// Recheck's JavaScript, which is the same on every machine; its Java and its binaries stay unused.
process.env.RECHECK_BACKEND = 'pure'
const { checkSync } = await import('recheck')

const ROOT = path.join(import.meta.dirname, '..')

/**
 * Patterns that take more than linear time and may: none of them reads what a stranger has written.
 */
const BOUNDED: ReadonlyMap<string, string> = new Map([
  ['/\\/+$/', 'the address of the vault that a page itself gives to its library'],
  ['/(\\/v\\/\\d[^/]*)?\\/[^/]*([?#].*)?$/', 'the address of the script that a page itself loads'],
])

interface Pattern {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** What runs where strangers ask: without tests, what only tests use, and what was built. */
function productFiles(): string[] {
  const files = globSync('{packages,demo}/**/*.{ts,tsx,js,mjs}', {
    cwd: ROOT,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist|releases|test)$/.test(name),
  })
  return files.filter(
    (file) => !/\.(?:test|fixture|conformance|d)\.tsx?$|\/testing[^/]*\.ts$/.test(file),
  )
}

function parsed(file: string): ts.SourceFile {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

function nodesOf(file: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  return `${file.fileName}:${line + 1}`
}

function literalOf(node: ts.Node): Pattern[] {
  if (!ts.isRegularExpressionLiteral(node)) return []
  const end = node.text.lastIndexOf('/')
  return [
    { place: placeOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) },
  ]
}

function isMade(node: ts.Node): boolean {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    /(?:^|\.)RegExp$/.test(node.expression.getText())
  )
}

/** What the checker has against a pattern. */
function objectionTo({ source, flags }: Omit<Pattern, 'place'>): string | undefined {
  // Without a limit of time, and with the same dice each time: a busy machine judges as an idle
  // one.
  const result = checkSync(source, flags, {
    timeout: null,
    randomSeed: 1,
    incubationTimeout: null,
    attackTimeout: null,
  })
  switch (result.status) {
    case 'safe':
      return undefined
    case 'vulnerable':
      return `${result.complexity.summary}: ${result.attack.pattern}`
    case 'unknown':
      return result.error.kind
  }
}

const nodes = productFiles().flatMap((file) => nodesOf(parsed(file)))
const patterns = nodes.flatMap(literalOf)

describe('the patterns of the product', () => {
  it('are found', () => {
    const sources = patterns.map(({ source }) => source)
    expect(sources.length).toBeGreaterThan(150)
    // Of a schema, of a page's script and of the request log.
    for (const known of ['^\\d{3,4}$', '\\D', 'cvv|cvc'])
      expect(sources.some((source) => source.includes(known))).toBe(true)
  })

  it('are literals, since one that is put together cannot be checked', () => {
    expect(nodes.filter(isMade).map(placeOf)).toEqual([])
  })

  it('take a time that grows no faster than the text', { timeout: 300_000 }, () => {
    const distinct = new Map(patterns.map((one) => [`/${one.source}/${one.flags}`, one]))
    const found = [...distinct].flatMap(([text, pattern]) => {
      const objection = BOUNDED.has(text) ? undefined : objectionTo(pattern)
      return objection === undefined ? [] : [`${pattern.place} ${text} ${objection}`]
    })
    expect(found).toEqual([])
  })

  it('are excepted for a reason that still counts', () => {
    const texts = patterns.map(({ source, flags }) => `/${source}/${flags}`)
    expect([...BOUNDED.keys()].filter((text) => !texts.includes(text))).toEqual([])
  })
})

describe('the checker', () => {
  it.each([
    ['a token', '[\\w-]{10,}\\.[\\w-]*\\.[\\w-]+\\.[\\w-]+\\.[\\w-]+', 'g'],
    ['a security code’s name', 'secur\\w*[-_ ]?code|codigo[-_ ]?(?:de[-_ ]?)?segur', 'i'],
    ['a security code', '((?:secur\\w*[-_ ]?code)\\d?\\W{0,8})\\d{3,4}(?!\\d)', 'gi'],
    ['a parameter', '([?&])([^=&]*)=([^&]*)', 'g'],
    ['a charset', '^charset\\s*=\\s*"?([^"]*)"?$', 'i'],
    ['nested repetition', '^(a+)+$', ''],
  ])('objects to a pattern of more than linear time: %s', (_, source, flags) => {
    expect(objectionTo({ source, flags })).toMatch(/polynomial|exponential/)
  })
})
