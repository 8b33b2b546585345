// `npm run docs` writes what is generated in docs/: the tables of errors after a line `<!-- errors
// <code> … -->`, that of reasons after `<!-- declines -->`, that of rules with its day after
// `<!-- rules -->`, and the code blocks after a line `<!-- from <file> -->`. `npm run docs check`
// says what is not as it would write it.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DECLINE_REASONS, errorCatalogue } from '@cofre/contracts'
import { explainDecline, shopperTextOf } from '@cofre/contracts/declines'
import { explain } from '@cofre/contracts/errors'
import { COMPARED_ON, RULES_IN_FORCE } from '../packages/server/dist/doctor/rules-in-force.js'
import { ROOT } from './run-tool.mjs'

const DOCS = path.join(ROOT, 'docs')
const INCLUDE = /(<!-- from (\S+) -->\n\n```\w+\n)(?:(?!```).*\n)*```/g
/** A table whose head the page has, of the errors whose codes begin with one of these digits. */
const ERRORS = /(<!-- errors ([\d ]+) -->\n\n.*\n\|[-|]+\n)(?:\|.*\n)*/g
/** A table whose head the page has, of the reasons of declines. */
const DECLINES = /(<!-- declines -->\n\n.*\n\|[-|]+\n)(?:\|.*\n)*/g

/** A line with a day and a table whose head the page has, of the rules in force. */
const RULES = /(<!-- rules -->\n\n.*?)\d{4}-\d\d-\d\d(.*\n\n.*\n\|[-|]+\n)(?:\|.*\n)*/g

function ruleRows(language) {
  return RULES_IN_FORCE.map(({ rule, since = '–', source, here, test }) => {
    const cells = [rule[language], since, source, here[language], `\`${test.file}\`: ${test.title}`]
    return `| ${cells.join(' | ')} |\n`
  }).join('')
}

function declineRows(language) {
  return DECLINE_REASONS.map((reason) => {
    const { meaning, advice } = explainDecline(reason, language)
    return `| \`${reason}\` | ${meaning} | ${advice} | ${shopperTextOf(reason, language)} |\n`
  }).join('')
}

function errorRows(beginnings, language) {
  return Object.entries(errorCatalogue)
    .filter(([, { code }]) => beginnings.some((beginning) => String(code).startsWith(beginning)))
    .toSorted(([, one], [, other]) => one.code - other.code)
    .map(([name, { code, status, key = name }]) => {
      const { meaning, advice } = explain(name, language)
      return `| ${code} | \`${key}\` | ${status} | ${meaning} | ${advice} |\n`
    })
    .join('')
}

function generated(page, text) {
  const language = page.includes('pt-BR') ? 'pt-BR' : 'en'
  return text
    .replace(ERRORS, (_, head, codes) => head + errorRows(codes.split(' '), language))
    .replace(DECLINES, (_, head) => head + declineRows(language))
    .replace(RULES, (_, before, after) => before + COMPARED_ON + after + ruleRows(language))
    .replace(INCLUDE, (_, head, source) => {
      const code = readFileSync(path.join(path.dirname(page), source), 'utf8').trimEnd()
      return `${head}${code}\n\`\`\``
    })
}

const isCheck = process.argv[2] === 'check'
for (const name of readdirSync(DOCS, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.md')) continue
  const page = path.join(DOCS, name)
  const before = readFileSync(page, 'utf8')
  const after = generated(page, before)
  if (after === before) continue
  if (isCheck) {
    console.error(`docs/${name} is stale: npm run docs`)
    process.exitCode = 1
  } else writeFileSync(page, after)
}
