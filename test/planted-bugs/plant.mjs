// Plants bugs from bugs.json in the tree, and removes them: see README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BUGS = JSON.parse(readFileSync(path.join(import.meta.dirname, 'bugs.json'), 'utf8'))
const USAGE = 'node test/planted-bugs/plant.mjs [--check | <id>... [--remove]]'

const timesIn = (text, part) => text.split(part).length - 1

/** The file's text with the bug planted or removed; or the obstacle. */
function changed({ file, find, replace }, isRemoval) {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  const [from, to] = isRemoval ? [replace, find] : [find, replace]
  const names = isRemoval ? ['replace', 'find'] : ['find', 'replace']
  const [times, others] = [timesIn(text, from), timesIn(text, to)]
  if (times !== 1) return { obstacle: `its \`${names[0]}\` occurs ${times} times in ${file}` }
  // A planted text must differ from the existing text, so that it can be removed.
  if (others !== 0) return { obstacle: `its \`${names[1]}\` is in ${file} already` }
  // A function, because the replacement may contain `$`.
  return { text: text.replace(from, () => to) }
}

function refuse(lines) {
  for (const line of lines) console.error(line)
  process.exitCode = 1
}

/** The obstacles of the given bugs, each with the bug's id. */
function obstaclesOf(bugs, isRemoval) {
  return bugs.flatMap((bug) => {
    const { obstacle } = changed(bug, isRemoval)
    return obstacle === undefined ? [] : [`${bug.id}: ${obstacle}`]
  })
}

function list() {
  for (const { id, kind, engine, promise } of BUGS)
    console.log(`${id}  ${kind}${engine ? ` (${engine})` : ''}  ${promise}`)
}

function check() {
  const obstacles = obstaclesOf(BUGS, false)
  if (obstacles.length > 0) refuse(obstacles)
  console.log(`${BUGS.length - obstacles.length} of ${BUGS.length} can be planted`)
}

/** Changes all of them, or none. */
function change(bugs, isRemoval) {
  const obstacles = obstaclesOf(bugs, isRemoval)
  if (obstacles.length > 0) return refuse(obstacles)
  for (const bug of bugs) {
    writeFileSync(path.join(ROOT, bug.file), changed(bug, isRemoval).text)
    console.log(`${isRemoval ? 'removed' : 'planted'} ${bug.id}: ${bug.promise}`)
  }
}

const words = process.argv.slice(2)
const names = words.filter((word) => word !== '--remove')
const chosen = BUGS.filter(({ id }) => names.includes(id))

if (words.length === 0) list()
else if (words.join() === '--check') check()
else if (names.length > 0 && chosen.length === names.length)
  change(chosen, words.includes('--remove'))
else refuse([USAGE])
