import { readConfig } from '../packages/server/src/config/config.js'
import { runProgram } from '../packages/server/src/main.js'
import { describe, expect, it } from 'vitest'
import {
  PAGES,
  RUN_LANGUAGES,
  cofreCommand,
  commandsInText,
  commandsOf,
  snippetsOf,
} from './snippets.js'

/** Diagrams, and the files of other programs. */
const NO_CODE = ['text', 'csv', 'http', 'mermaid', 'nginx', 'caddyfile', 'ini', 'cron', 'yaml']
const MARKS = /^(?:from \S+|output: .+|not run: .+|(?:GET|POST) \S+|201)$/
const UNRUN_MAX = 42

// The SDKs' suites run the blocks of their pages.
const snippets = PAGES.filter((page) => !page.startsWith('sdks/')).flatMap((page) =>
  snippetsOf(page),
)
const unrun = snippets.filter(({ mark }) => mark.startsWith('not run: '))
const where = ({ page, line }: { page: string; line: number }): string => `${page}:${line}`

async function helpOf(words: readonly string[]): Promise<string> {
  let help = ''
  await runProgram([...words, '--help'], {
    clock: Date,
    config: (mode) => readConfig({}, mode),
    print: (text) => (help += text),
    warn: () => undefined,
    fail: () => undefined,
  })
  return help
}

/** Parts of a command line that the command does not have. */
async function unknownIn(line: string): Promise<string[]> {
  const { args } = cofreCommand(line) ?? { args: [] }
  const [group = '', ...rest] = args.filter((arg) => !arg.startsWith('-'))
  if (group === '') return []
  const help = await helpOf([group, ...rest])
  if (!help.startsWith(`Usage: cofre ${group}`)) return [line]
  return args.filter((arg) => arg.startsWith('--') && !`${help} --help`.includes(`${arg} `))
}

async function unknownAmong(lines: readonly string[]): Promise<string[]> {
  return (await Promise.all(lines.map((line) => unknownIn(line)))).flat()
}

describe('Every block of code', () => {
  it('is run, or compared, or has a reason why not', () => {
    const open = snippets.filter(({ mark, language }) =>
      mark === ''
        ? !RUN_LANGUAGES.includes(language) && !NO_CODE.includes(language)
        : !MARKS.test(mark),
    )
    expect(open.map(where)).toEqual([])
  })

  it('is run, except a few with a reason', () => {
    const list = unrun.filter(({ page }) => !page.startsWith('docs/pt-BR/'))
    console.log(list.map((snippet) => `${where(snippet)} ${snippet.mark}`).join('\n'))
    expect(list.length).toBeLessThanOrEqual(UNRUN_MAX)
  })
})

describe('The command', () => {
  it.each(PAGES.filter((page) => commandsInText(page).length > 0))(
    'has the commands that %s names',
    async (page) => {
      expect(await unknownAmong(commandsInText(page))).toEqual([])
    },
  )

  it('has the commands of blocks that are not run', async () => {
    const blocks = unrun.filter(({ language }) => language === 'sh')
    expect(await unknownAmong(blocks.flatMap(({ code }) => commandsOf(code)))).toEqual([])
  })
})
