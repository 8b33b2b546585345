// The fenced blocks of every page, and what holds each of them: it is run, or it is compared with a
// file that is, or the comment before it says why not.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './packed-packages.js'

export interface Snippet {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly code: string
  /** What the comment before it says. */
  readonly mark: string
}

/** Those that the tests of the examples run or read. */
export const RUN_LANGUAGES: readonly string[] = ['sh', 'js', 'html', 'python', 'json']

const ELSEWHERE = ['**/node_modules', '**/dist', '**/.*', '**/test-results']
const BLOCK = /(?:^ *<!-- (.+) -->\n\n)?^( *)```(\w*)\n([\s\S]*?)^\2```$/gm

/** Every page of the repository, from its root. */
export const PAGES: readonly string[] = globSync('**/*.md', { cwd: ROOT, exclude: ELSEWHERE })
  .map((page) => page.replaceAll(path.sep, '/'))
  .toSorted()

export function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8')
  return [...text.matchAll(BLOCK)].map(
    ({ index, 1: mark = '', 2: indent = '', 3: language = '', 4: code = '' }) => ({
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      mark,
    }),
  )
}

/** Whether nothing but running it holds a block. */
export const isRun = ({ mark }: Snippet): boolean => mark === ''

/**
 * The programs of a page in a language: a block that imports nothing goes on with the one before
 * it.
 */
export function programsOf(page: string, language: string): string[] {
  const programs: string[] = []
  for (const snippet of snippetsOf(page)) {
    if (snippet.language !== language || !isRun(snippet)) continue
    const isWhole = /^(?:import|from|<\?php)\b/m.test(snippet.code)
    if (isWhole || programs.length === 0) programs.push(snippet.code)
    else programs.push(`${programs.pop() ?? ''}\n${snippet.code}`)
  }
  return programs
}

/** The commands of a block of sh, one a line as a person types them, without what they say. */
export function commandsOf(code: string): string[] {
  return code
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s+)# .*$/, '').trim())
    .filter((line) => line !== '')
}

export interface CofreCommand {
  readonly environ: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

/** A command of `cofre`, with the variables before it; undefined for another one. */
export function cofreCommand(line: string): CofreCommand | undefined {
  const [, variables = '', rest] =
    /^((?:COFRE_\w+=\S+ )*)(?:cofre|node packages\/server\/dist\/cofre\.js) +(.*)$/.exec(line) ?? []
  if (rest === undefined) return undefined
  const environ = Object.fromEntries(
    [...variables.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
  return { environ, args: rest.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replaceAll('"', '')) ?? [] }
}

/** The commands of `cofre` in the sentences of a page. */
export function commandsInText(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  return [...text.matchAll(/`(cofre [^`]+)`/g)].map(([, line = '']) => line.replaceAll(/\s+/g, ' '))
}
