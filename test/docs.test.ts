import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import {
  AMOUNT_MIN,
  PAYMENT_TYPES,
  type PaymentType,
  REFUND_DAYS,
  errorCatalogue,
  formatAmount,
} from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { misusedWords, privateWords } from '../.ci/plain-words.mjs'
import { ROOT } from './packed-packages.js'

const read = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8')

const ELSEWHERE = ['**/node_modules', '**/dist', '.cofre', '**/test-results']
const pages = globSync('**/*.md', { cwd: ROOT, exclude: ELSEWHERE })
  .map((page) => page.replaceAll(path.sep, '/'))
  .toSorted()

const withoutCode = (text: string): string =>
  text.replaceAll(/^( *)```[\s\S]*?^\1```/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** The anchors of a page's headings, as code forges build them. */
function anchorsOf(page: string): Set<string> {
  const headings = read(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#{1,6} (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** The links of a page without a target. */
function brokenLinks(page: string): string[] {
  const links = withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)
  return [...links]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file)
      if (!existsSync(path.join(ROOT, target))) return true
      return anchor !== undefined && !anchorsOf(target).has(anchor)
    })
}

const codeBlocks = (page: string): string[] =>
  [...read(page).matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, code = '']) =>
    code.replaceAll(/(?:\/\/|#|<!--) .*/g, '').replaceAll(/\s+/g, ' '),
  )

/** The smallest amount and the refund time of a method, as pages show them. */
const limitsOf = (type: PaymentType): readonly string[] => [
  formatAmount(AMOUNT_MIN[type]),
  String(REFUND_DAYS[type]),
]

/**
 * Paths on a page of the architecture that don't exist below packages/ or the root, or beside the
 * previous path.
 */
function missingPaths(page: string): string[] {
  let beside = ''
  const paths = [...read(page).matchAll(/`([\w.-]+\/[\w./-]*|[\w-]+[.]ts)`/g)]
  return paths
    .map(([, name = '']) => name)
    .filter((name) => {
      const found = ['packages', '', beside]
        .map((folder) => path.join(folder, name))
        .find((candidate) => existsSync(path.join(ROOT, candidate)))
      if (found !== undefined) beside = found.endsWith(path.sep) ? found : path.dirname(found)
      return found === undefined
    })
}

/** Beginnings of the paths of pages whose English is not checked. */
const UNCHECKED = [
  // Portuguese, generated, or written by programs.
  'docs/pt-BR/',
  'docs/errors.md',
  'docs/specification.md',
  'docs/test-data.md',
  'bench/results/',
  'test/runs.md',
  // The wording of the releases.
  'CHANGELOG.md',
]

/**
 * The sentences of a page's prose, table cells and list items. Leaves out headings, which links
 * name, quotations and titles of tests (`vault/account > keeps an order`).
 */
const sentencesOf = (text: string): readonly string[] =>
  withoutCode(text)
    // Generated tables.
    .replaceAll(/<!-- (?:declines|rules) -->[\s\S]*?(?=\n#|$)/g, '')
    .replaceAll(/<!--[\s\S]*?-->|^(?:#|>).*$|"[^"\n]*"|“[^”]*”/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+[.]) )|[|]/)
    .flatMap((block) => block.replaceAll(/\s+/g, ' ').split(/(?<=[.!?:;]) /))
    .map((sentence) => sentence.replace(/^[\s*_([-]+/, '').trim())
    .filter((sentence) => !/^\S+\/\S+ > /.test(sentence))

/** Each misused word with its sentence. A question may begin with any word. */
const misusedIn = (text: string): readonly string[] =>
  sentencesOf(text).flatMap((sentence) => {
    const found = sentence.endsWith('?') ? misusedWords(sentence) : privateWords(sentence)
    return found.map((word) => `${word}: ${sentence}`)
  })

describe('The documentation', () => {
  it.each(pages.filter((page) => !UNCHECKED.some((path) => page.startsWith(path))))(
    'has plain English in %s (.ci/plain-words.mjs)',
    (page) => {
      expect(misusedIn(read(page))).toEqual([])
    },
  )

  it.each([
    ['A row.\nNobody reads it.', ['Nobody: Nobody reads it.']],
    ['- It runs. Where it fails, it stops.', ['Where: Where it fails, it stops.']],
    ['| file | tells |', ['tells: tells']],
    ['## Where it stands\n\nWhere does it run?\n\n> Nobody.\n\n`told` "said"', []],
    ['```sh\necho nobody\n```\n\n- ```sh\n  echo nobody\n  ```', []],
    ['[A page](nobody.md) stands for `x/y`. It is found: x/y > tells nobody', []],
  ])('has its English checked in prose alone: %j', (text, found) => {
    expect(misusedIn(text)).toEqual(found)
  })

  it.each(pages.filter((page) => /^(ARCHITECTURE|docs[/]architecture[/])/.test(page)))(
    'names no file in %s that does not exist',
    (page) => {
      expect(missingPaths(page)).toEqual([])
    },
  )

  it.each(pages)('has no link in %s that leads nowhere', (page) => {
    expect(brokenLinks(page)).toEqual([])
  })

  it('is in step with the error catalogue and the examples', () => {
    const script = path.join(ROOT, '.ci', 'docs.mjs')
    expect(() => execFileSync(process.execPath, [script, 'check'], { stdio: 'pipe' })).not.toThrow()
  })

  it.each(['docs/', 'docs/pt-BR/'])('names the versions that there are in %s', (folder) => {
    const versionOf = (file: string): string =>
      (JSON.parse(read(file)) as { version: string }).version
    const texts = 'packages/gateway/src/api/openapi/openapi-texts.json'
    const openApi = JSON.parse(read(texts)) as { info: { version: string } }
    const product = versionOf('packages/server/package.json')
    const [section = ''] =
      /^## (?:Versions|Versões)$[\s\S]*?(?=^## )/m.exec(read(`${folder}sdks.md`)) ?? []
    expect(section.match(/\d+\.\d+\.\d+/g)).toEqual([
      product,
      versionOf('packages/client/package.json'),
      openApi.info.version,
    ])
    expect(read(`${folder}notifications.md`)).toContain(`User-Agent: Cofre/${product}\n`)
  })

  it.each(['docs/errors.md', 'docs/pt-BR/errors.md'])('%s explains every error', (page) => {
    const rows = [...read(page).matchAll(/^\| (\d+) \| `(.+?)` \| (\d+) \|/gm)]
    const explained = rows.map(([, code, key, status]) => `${code} ${key} ${status}`)
    const errors = Object.entries(errorCatalogue).map(
      ([name, { code, status, key = name }]) => `${code} ${key} ${status}`,
    )
    expect(explained.toSorted()).toEqual(errors.toSorted())
  })

  it.each(['docs/payments.md', 'docs/pt-BR/payments.md'])(
    '%s has the smallest amount and the refund time of each method',
    (page) => {
      for (const type of PAYMENT_TYPES) {
        const row = read(page)
          .split('\n')
          .find((line) => line.startsWith('| ') && line.includes(`\`${type}\``))
        for (const limit of limitsOf(type)) expect(row).toContain(` ${limit} `)
      }
    },
  )

  it.each(['docs/specification.md', 'docs/pt-BR/specification.md'])(
    '%s has the smallest amounts',
    (page) => {
      const amounts = read(page).matchAll(
        /^.*(?:`charge\[\]\.amount` \||smallest|menor valor).*$/gm,
      )
      for (const [row] of amounts)
        for (const type of PAYMENT_TYPES) expect(row).toContain(formatAmount(AMOUNT_MIN[type]))
    },
  )

  it.each(pages.filter((page) => page.startsWith('docs/pt-BR/')))(
    '%s is also there in English, with the same code',
    (page) => {
      expect(codeBlocks(page)).toEqual(codeBlocks(page.replace('pt-BR/', '')))
    },
  )

  // Contributors' pages are only in English, like the code.
  it.each(pages.filter((page) => /^docs\/(?!pt-BR\/|architecture\/)/.test(page)))(
    '%s is also there in Portuguese, and each links to the other',
    (page) => {
      const translated = page.replace('docs/', 'docs/pt-BR/')
      expect(pages).toContain(translated)
      for (const [from, to] of [
        [page, translated],
        [translated, page],
      ] as const)
        expect(read(from)).toContain(`](${path.posix.relative(path.posix.dirname(from), to)})`)
    },
  )
})
