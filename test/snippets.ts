// The fenced blocks of every page. Each is run, or compared with a file that is run, or has a
// comment with the reason why not.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './packed-packages.js'

export interface Snippet {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly code: string
  /** Text of the comment before it. */
  readonly mark: string
}

/** Languages that the tests of the examples run or read. */
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

/** True if a block must be run, because no comment exempts it. */
export const isRun = ({ mark }: Snippet): boolean => mark === ''

/** A page's programs in a language: a block without imports continues the previous one. */
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

/** The commands of an sh block, one per line as a person types them, without their comments. */
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

/** A `cofre` command, with the variables before it; undefined for any other command. */
export function cofreCommand(line: string): CofreCommand | undefined {
  const [, variables = '', rest] =
    /^((?:COFRE_\w+=\S+ )*)(?:cofre|node packages\/server\/dist\/cofre\.js) +(.*)$/.exec(line) ?? []
  if (rest === undefined) return undefined
  const environ = Object.fromEntries(
    [...variables.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
  return { environ, args: rest.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replaceAll('"', '')) ?? [] }
}

/** The `cofre` commands in a page's sentences. */
export function commandsInText(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  return [...text.matchAll(/`(cofre [^`]+)`/g)].map(([, line = '']) => line.replaceAll(/\s+/g, ' '))
}
