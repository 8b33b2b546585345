// `npm run docs` writes the generated parts of docs/: the tables of errors after
// `<!-- errors <code> … -->`, the table of reasons after `<!-- declines -->`, the table of rules
// with its date after `<!-- rules -->`, and the code blocks after `<!-- from <file> -->`.
// `npm run docs check` lists the stale pages.
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
/** A table of the errors whose codes begin with one of these digits; the page contains its head. */
const ERRORS = /(<!-- errors ([\d ]+) -->\n\n.*\n\|[-|]+\n)(?:\|.*\n)*/g
/** A table of the reasons of declines; the page contains its head. */
const DECLINES = /(<!-- declines -->\n\n.*\n\|[-|]+\n)(?:\|.*\n)*/g

/** A line with a date and a table of the rules in force; the page contains its head. */
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
