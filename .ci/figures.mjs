// Measures the amount of code: files, lines and functions; then the reach of one change.
// Run: node .ci/figures.mjs [checkout] [--names]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { houseFigures, lineCount, sum, ts } from './house-figures.mjs'

const given = process.argv.slice(2).filter((argument) => argument !== '--names')
const root = resolve(given[0] ?? join(import.meta.dirname, '..'))
const tests =
  /[.](test|fixture|conformance)[.][a-z]+$|^packages\/sql\/test\/|^packages\/(sql|panel|gateway)\/src\/testing|\/releases\//
const tracked = execFileSync('git', ['ls-files', 'packages', 'demo', '.ci', 'bench'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /[.](ts|tsx|mjs|js|css|json)$/.test(file) && !tests.test(file))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const files = tracked.filter(({ path }) => !path.endsWith('.json'))

/** Median, 90th percentile and maximum. */
const spread = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return [0.5, 0.9, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0).join(' / ')
}

const functionKinds = new Set([
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.Constructor,
])

/** The lengths of a file's functions with a body. */
function functionLines({ path, text }) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line
  const lines = []
  const visit = (node) => {
    if (functionKinds.has(node.kind) && node.body !== undefined)
      lines.push(lineOf(node.end) - lineOf(node.getStart()) + 1)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

const owners = [
  ...new Set(
    files.map(({ path }) => /^(packages\/providers\/[^/]+|packages\/[^/]+|[^/]+)/.exec(path)[0]),
  ),
]
const rows = owners.map((owner) => {
  const own = files.filter(({ path }) => path.startsWith(`${owner}/`))
  return {
    package: owner,
    files: own.length,
    lines: sum(own.map(({ text }) => lineCount(text))),
  }
})
console.table(rows)
const scripts = files.filter(({ path }) => !path.endsWith('.css'))
console.log(`files ${files.length}, lines ${sum(rows.map(({ lines }) => lines))}`)
console.log(`file lines (median / p90 / max) ${spread(files.map(({ text }) => lineCount(text)))}`)
console.log(`function lines (median / p90 / max) ${spread(scripts.flatMap(functionLines))}`)

for (const [question, counted] of houseFigures(root, tracked)) {
  console.log(`${question} ${Array.isArray(counted) ? counted.length : counted}`)
  if (process.argv.includes('--names') && Array.isArray(counted))
    for (const name of counted) console.log(`    ${name}`)
}
