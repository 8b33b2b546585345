// What a thread did with its time, by subject, out of a profile of V8.

/** By where a function stands; the first that fits. */
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
const BY_NAME = { '(idle)': 'idle', '(garbage collector)': 'garbage' }
const OTHERS = 'Node'
/** Below it a subject is not told. */
const SHARE_MIN = 0.01

/** Like `SQL statements 24 %, commits 20 %, …`, the largest first. */
export function describeShares(profile) {
  return [...sharesOf(profile)]
    .filter(([, share]) => share >= SHARE_MIN)
    .toSorted(([, one], [, other]) => other - one)
    .map(([subject, share]) => `${subject} ${Math.round(share * 100)} %`)
    .join(', ')
}

function sharesOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  )
  const total = timeDeltas.reduce((sum, microseconds) => sum + microseconds, 0)
  const shares = new Map()
  for (const [i, id] of samples.entries()) {
    const subject = subjectOf(stackOf(id, { byId, parents }))
    shares.set(subject, (shares.get(subject) ?? 0) + timeDeltas[i] / total)
  }
  return shares
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

/** SQLite: what a group of units of work does itself, and not one of them. */
function isCommit(frames) {
  const names = frames.map(({ functionName }) => functionName)
  return names.includes('#commitGroup') && !names.includes('runBare')
}
