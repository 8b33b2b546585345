// What a thread did with its time, by subject and by function, out of a profile of V8.
import path from 'node:path'

/** What a function is about, by where it stands; the first that fits. */
const SUBJECTS = [
  [/\/sql\/dist\/sqlite\//, 'SQL statements'],
  [/\/node_modules\/kysely\/|\/sql\/dist\//, 'building of queries'],
  [/\/node_modules\/zod\/|\/contracts\/dist\/validation\//, 'checks of fields'],
  [/node:internal\/(crypto|webcrypto)|node:crypto|\/node_modules\/jose\//, 'crypto'],
  [/\/observability\/|pino|sonic-boom|prom-client|opentelemetry/, 'logs and metrics'],
  [
    /node:(_http|net|internal\/stream)|\/node_modules\/@?hono|\/server\/dist\/http\//,
    'HTTP and sockets',
  ],
  [/\/packages\/gateway\/dist\//, 'gateway'],
  [/\/packages\/vault\/dist\//, 'vault'],
  [/\/packages\//, 'the rest of Cofre'],
]
/** Of which all is its own that it has others do: it writes to sockets, too. */
const POSTGRES = /\/node_modules\/pg|\/sql\/dist\/postgres\//
const BY_NAME = {
  '(idle)': 'idle',
  '(garbage collector)': 'garbage',
  '(program)': 'native code that no function called',
}
const OTHERS = 'Node'
/** Below it a subject is not reported. */
const SHARE_MIN = 0.01
const FUNCTIONS = 10
/** The recorder holds the thread up while it begins, for a large part of a short profile. */
const RECORDER = 'node:inspector'

/** Like `SQL statements 24 %, commits 20 %, …`, the largest first. */
export function describeShares(profile) {
  return sharesOf(profile, subjectOf)
    .filter(([, share]) => share >= SHARE_MIN)
    .map(([subject, share]) => `${subject} ${Math.round(share * 100)} %`)
    .join(', ')
}

/** Like `run (@cofre/sql) 28.6 %, …`: the functions with the most time of their own. */
export function describeFunctions(profile) {
  return sharesOf(profile, functionOf)
    .filter(([name]) => name !== undefined)
    .slice(0, FUNCTIONS)
    .map(([name, share]) => `${name} ${(share * 100).toFixed(1)} %`)
    .join(', ')
}

/** The share of each thing that `nameOf` finds in the samples, the largest first. */
function sharesOf({ nodes, samples, timeDeltas }, nameOf) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  )
  const times = new Map()
  let total = 0
  for (const [i, id] of samples.entries()) {
    const frames = stackOf(id, { byId, parents })
    if (frames.some(({ url }) => url === RECORDER)) continue
    const name = nameOf(frames)
    times.set(name, (times.get(name) ?? 0) + timeDeltas[i])
    total += timeDeltas[i]
  }
  return [...times]
    .map(([name, time]) => [name, time / total])
    .toSorted(([, one], [, other]) => other - one)
}

/** The frames of a sample, the innermost first. */
function stackOf(id, { byId, parents }) {
  const frames = []
  for (let at = id; at !== undefined; at = parents.get(at)) frames.push(byId.get(at).callFrame)
  return frames
}

/** What is native belongs to the function that called it. */
function subjectOf(frames) {
  const named = BY_NAME[frames[0].functionName]
  if (named !== undefined) return named
  if (frames.some(({ url }) => POSTGRES.test(url))) return 'client of PostgreSQL'
  const { url } = frames.find((frame) => frame.url !== '') ?? { url: '' }
  const [, subject] = SUBJECTS.find(([where]) => where.test(url)) ?? [undefined, OTHERS]
  return subject === 'SQL statements' && isCommit(frames) ? 'commits' : subject
}

/**
 * The innermost function and where it stands; what is native stands with its caller. Functions of
 * one name and package count as one, those without a name by their lines.
 */
function functionOf(frames) {
  const [inner] = frames
  if (BY_NAME[inner.functionName] !== undefined) return undefined
  const caller = frames.find(({ url }) => url !== '')
  if (caller === undefined) return inner.functionName
  const line = `${path.posix.basename(caller.url)}:${caller.lineNumber + 1}`
  return `${inner.functionName || caller.functionName || line} (${placeOf(caller.url)})`
}

/** A package, or the file of a script that belongs to none. */
function placeOf(url) {
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (installed !== undefined) return installed
  const [, own] = /.*\/packages\/([^/]+)\//.exec(url) ?? []
  if (own !== undefined) return `@cofre/${own}`
  return url.startsWith('node:') ? url : path.posix.basename(url)
}

/** SQLite: what a group of units of work does itself, and not one of them. */
function isCommit(frames) {
  const names = frames.map(({ functionName }) => functionName)
  return names.includes('#commitGroup') && !names.includes('runBare')
}
