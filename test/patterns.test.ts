import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { CHECKER_VERSION, SAFE, type Judged, openChecker } from './long/pattern-checker.js'

const ROOT = path.join(import.meta.dirname, '..')

/**
 * The checker's verdict on each pattern, by a hash of both. All take a minute, so only patterns
 * without a recorded verdict are checked. A run adds new verdicts and removes obsolete ones. The
 * checker takes 58 MB, so only the long tests install it.
 */
const KEPT_FILE = path.join(import.meta.dirname, 'pattern-verdicts.json')

/** Exceptions that take more than linear time: none of them reads untrusted input. */
const BOUNDED: ReadonlyMap<string, string> = new Map([
  ['/\\/+$/', 'the address of the vault that a page itself gives to its library'],
  ['/(\\/v\\/\\d[^/]*)?\\/[^/]*([?#].*)?$/', 'the address of the script that a page itself loads'],
])

interface Pattern extends Judged {
  readonly place: string
}

interface PlacedNode {
  readonly node: ts.Node
  readonly place: string
}

/** Files of the product that read untrusted input: without tests, test helpers and build output. */
function productFiles(): string[] {
  const files = globSync('{packages,demo}/**/*.{ts,tsx,js,mjs}', {
    cwd: ROOT,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist|releases|test)$/.test(name),
  })
  return files.filter((file) => !/\.(?:test|fixture|conformance|d)\.tsx?$|\/testing\b/.test(file))
}

function parsed(file: string): ts.SourceFile {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
}

/** The nodes of a file that are patterns or create one. */
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

const verdicts = JSON.parse(readFileSync(KEPT_FILE, 'utf8')) as Partial<Record<string, string>>

function hashOf({ source, flags }: Judged): string {
  const text = `recheck ${CHECKER_VERSION} /${source}/${flags}`
  return createHash('sha256').update(text).digest('hex')
}

const nodes = productFiles().flatMap((file) => patternNodesOf(parsed(file)))
const patterns = nodes.flatMap(literalOf)
const made = nodes.filter(({ node }) => !ts.isRegularExpressionLiteral(node))

const checker = openChecker()

function verdictOn(pattern: Pattern): string {
  const hash = hashOf(pattern)
  if (verdicts[hash] === undefined && checker === undefined)
    return 'is not judged yet: npm ci --prefix test/long, then run this test again'
  return (verdicts[hash] ??= checker?.(pattern)) ?? 'unknown'
}

/** One per line, in the order of the hashes: branches that add verdicts rarely conflict. */
afterAll(() => {
  const hashes = new Set(patterns.map(hashOf))
  const current = Object.entries(verdicts).filter(([hash]) => hashes.has(hash))
  const sorted = Object.fromEntries(current.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const text = `${JSON.stringify(sorted, null, 2)}\n`
  if (text !== readFileSync(KEPT_FILE, 'utf8')) writeFileSync(KEPT_FILE, text)
})

describe('the patterns of the product', () => {
  it('are found', () => {
    const sources = patterns.map(({ source }) => source)
    expect(sources.length).toBeGreaterThan(150)
    // From a schema, a page's script and the masks of security codes.
    for (const known of ['^\\d{3,4}$', '\\D', 'ca?vv|cv[cn]'])
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
