// `npm run docs` writes what is generated in docs/: the errors pages, and the code blocks that stand after a line
// `<!-- from <file> -->`. `npm run docs check` says what is not as it would write it.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { errorsPage } from './docs/errors-page.mjs'
import { ROOT } from './run-tool.mjs'

const DOCS = path.join(ROOT, 'docs')
const INCLUDE = /(<!-- from (\S+) -->\n\n```\w+\n)(?:(?!```).*\n)*```/g

function included(page, text) {
  return text.replace(INCLUDE, (_block, before, source) => {
    const code = readFileSync(path.join(path.dirname(page), source), 'utf8').trimEnd()
    return `${before}${code}\n\`\`\``
  })
}

function pages() {
  const names = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.md')).map((name) => path.join(DOCS, name))
}

const generated = new Map([
  [path.join(DOCS, 'errors.md'), errorsPage('en')],
  [path.join(DOCS, 'pt-BR', 'errors.md'), errorsPage('pt-BR')],
])
for (const page of pages()) {
  if (!generated.has(page)) generated.set(page, included(page, readFileSync(page, 'utf8')))
}

function isStale([page, text]) {
  try {
    return readFileSync(page, 'utf8') !== text
  } catch {
    return true
  }
}

const stale = [...generated].filter(isStale)
if (process.argv[2] === 'check') {
  for (const [page] of stale) console.error(`${path.relative(ROOT, page)} is stale: npm run docs`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const [page, text] of stale) writeFileSync(page, text)
}
