import type { Operation } from './openapi-document.js'

type Known = readonly Pick<Operation, 'method' | 'path'>[]

/** The greatest distance of a path that is still near. */
const FAR = 2
/** Distance of an extra part before the path; a wrong, missing or extra letter counts 1. */
const PART_BEFORE = 0.5
const PART_MISSING = 2

/** The methods of the operations at a path; none for an unknown one. */
export function methodsOf(operations: Known, path: string): readonly string[] {
  const sent = partsOf(path)
  return operations
    .filter((operation) => {
      const known = partsOf(operation.path)
      return known.length === sent.length && known.every((part, at) => isPart(part, sent[at]))
    })
    .map(({ method }) => method.toUpperCase())
}

/** The operation nearest to an unknown path, such as `POST /refunds`; undefined if none is near. */
export function nearestOperation(
  operations: Known,
  method: string,
  path: string,
): string | undefined {
  const sent = partsOf(path.toLowerCase())
  const [nearest] = operations
    .map((operation) => ({ ...operation, distance: distanceOf(partsOf(operation.path), sent) }))
    .filter(({ distance }) => distance <= FAR)
    .toSorted(
      (one, other) =>
        one.distance - other.distance || mismatchOf(one, method) - mismatchOf(other, method),
    )
  return nearest && `${nearest.method.toUpperCase()} ${nearest.path}`
}

function mismatchOf(operation: Known[number], method: string): number {
  return operation.method === method.toLowerCase() ? 0 : 1
}

function partsOf(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/').slice(1)
}

const isParameter = (part: string): boolean => part.startsWith('{')

function isPart(known: string, sent = ''): boolean {
  return isParameter(known) ? sent !== '' : sent === known
}

/** Compares from the last part: extra parts are often at the start, such as `/v1` or `/api`. */
function distanceOf(known: readonly string[], sent: readonly string[]): number {
  const length = Math.min(known.length, sent.length)
  const before = (sent.length - length) * PART_BEFORE + (known.length - length) * PART_MISSING
  if (length === 0 || before > FAR) return Infinity
  const compared = known.slice(-length)
  if (compared.every(isParameter)) return Infinity
  const distances = sent.slice(-length).map((part, at) => partDistance(compared[at] ?? '', part))
  return distances.reduce((sum, distance) => sum + distance, before)
}

function partDistance(known: string, sent: string): number {
  if (isPart(known, sent)) return 0
  if (isParameter(known) || Math.abs(known.length - sent.length) > FAR) return Infinity
  const distance = editsBetween(known, sent)
  return distance <= known.length / 3 ? distance : Infinity
}

/** The Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [line, letter] of Array.from(one).entries()) {
    const next = [line + 1]
    for (const [at, found] of Array.from(other).entries()) {
      const replaced = (row[at] ?? 0) + (letter === found ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
