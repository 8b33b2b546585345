import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import recheckPackage from 'recheck/package.json' with { type: 'json' }
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'

// Recheck's JavaScript, which is the same on every machine; its Java and its binaries stay unused.
process.env.RECHECK_BACKEND = 'pure'
const { checkSync } = await import('recheck')

const ROOT = path.join(import.meta.dirname, '..')

/**
 * What the checker said of each pattern, by the hash of both: it takes a minute for all, so only
 * those are judged whose verdict is not kept. A run adds these to the file, and forgets the gone.
 */
const KEPT_FILE = path.join(import.meta.dirname, 'pattern-verdicts.json')

/**
 * Patterns that take more than linear time and may: none of them reads what a stranger has written.
 */
const BOUNDED: ReadonlyMap<string, string> = new Map([
  ['/\\/+$/', 'the address of the vault that a page itself gives to its library'],
  ['/(\\/v\\/\\d[^/]*)?\\/[^/]*([?#].*)?$/', 'the address of the script that a page itself loads'],
])

const SAFE = 'safe'

interface Pattern {
  readonly place: string
  readonly source: string
  readonly flags: string
}

interface PlacedNode {
  readonly node: ts.Node
  readonly place: string
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
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
}

/** The nodes of a file that are patterns, or make one. */
function patternNodesOf(file: ts.SourceFile): readonly PlacedNode[] {
  const found: PlacedNode[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) || isMade(node, file)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      found.push({ node, place: `${file.fileName}:${line + 1}` })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function literalOf({ node, place }: PlacedNode): Pattern[] {
  if (!ts.isRegularExpressionLiteral(node)) return []
  const end = node.text.lastIndexOf('/')
  return [{ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) }]
}

function isMade(node: ts.Node, file: ts.SourceFile): boolean {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    /(?:^|\.)RegExp$/.test(node.expression.getText(file))
  )
}

/** `safe`, or what the checker has against a pattern. */
function judge({ source, flags }: Omit<Pattern, 'place'>): string {
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
      return SAFE
    case 'vulnerable':
      return `${result.complexity.summary}: ${result.attack.pattern}`
    case 'unknown':
      return result.error.kind
  }
}

const verdicts = JSON.parse(readFileSync(KEPT_FILE, 'utf8')) as Partial<Record<string, string>>

function hashOf({ source, flags }: Omit<Pattern, 'place'>): string {
  const text = `recheck ${recheckPackage.version} /${source}/${flags}`
  return createHash('sha256').update(text).digest('hex')
}

const nodes = productFiles().flatMap((file) => patternNodesOf(parsed(file)))
const patterns = nodes.flatMap(literalOf)
const made = nodes.filter(({ node }) => !ts.isRegularExpressionLiteral(node))

/** Patterns of more than linear time that take the checker a while. */
const SLOW_TO_JUDGE = [
  { what: 'a parameter', source: '([?&])([^=&]*)=([^&]*)', flags: 'g' },
  { what: 'a charset', source: '^charset\\s*=\\s*"?([^"]*)"?$', flags: 'i' },
  { what: 'a token', source: '[\\w-]{10,}\\.[\\w-]*\\.[\\w-]+\\.[\\w-]+\\.[\\w-]+', flags: 'g' },
  {
    what: 'a security code’s name',
    source: 'secur\\w*[-_ ]?code|codigo[-_ ]?(?:de[-_ ]?)?segur',
    flags: 'i',
  },
  {
    what: 'a security code',
    source: '((?:secur\\w*[-_ ]?code)\\d?\\W{0,8})\\d{3,4}(?!\\d)',
    flags: 'gi',
  },
]

function verdictOn(pattern: Omit<Pattern, 'place'>): string {
  return (verdicts[hashOf(pattern)] ??= judge(pattern))
}

/** One a line, in the order of the hashes: two branches that add some seldom conflict. */
afterAll(() => {
  const hashes = new Set([...patterns, ...SLOW_TO_JUDGE].map(hashOf))
  const current = Object.entries(verdicts).filter(([hash]) => hashes.has(hash))
  const sorted = Object.fromEntries(current.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const text = `${JSON.stringify(sorted, null, 2)}\n`
  if (text !== readFileSync(KEPT_FILE, 'utf8')) writeFileSync(KEPT_FILE, text)
})

describe('the patterns of the product', () => {
  it('are found', () => {
    const sources = patterns.map(({ source }) => source)
    expect(sources.length).toBeGreaterThan(150)
    // Of a schema, of a page's script and of the request log.
    for (const known of ['^\\d{3,4}$', '\\D', 'cvv|cvc'])
      expect(sources.some((source) => source.includes(known))).toBe(true)
  })

  it('are literals, since one that is put together cannot be checked', () => {
    expect(made.map(({ place }) => place)).toEqual([])
  })

  it('take a time that grows no faster than the text', { timeout: 300_000 }, () => {
    const distinct = new Map(patterns.map((one) => [`/${one.source}/${one.flags}`, one]))
    const found = [...distinct].flatMap(([text, pattern]) => {
      const verdict = BOUNDED.has(text) ? SAFE : verdictOn(pattern)
      return verdict === SAFE ? [] : [`${pattern.place} ${text} ${verdict}`]
    })
    expect(found).toEqual([])
  })

  it('are excepted for a reason that still counts', () => {
    const texts = patterns.map(({ source, flags }) => `/${source}/${flags}`)
    expect([...BOUNDED.keys()].filter((text) => !texts.includes(text))).toEqual([])
  })
})

describe('the checker', () => {
  it.each(SLOW_TO_JUDGE)('objects to a pattern of more than linear time: $what', (pattern) => {
    expect(verdictOn(pattern)).toMatch(/polynomial|exponential/)
  })

  it('still objects when it is asked anew', () => {
    expect(judge({ source: '^(a+)+$', flags: '' })).toMatch(/polynomial|exponential/)
  })
})
