import { errorBodySchema, errorCatalogue } from '@cofre/contracts'
import { OPERATIONS, type Operation, errorsOf } from './openapi-document.js'

export interface ContractAnswer {
  readonly status: number
  readonly json: unknown
}

const CODES = new Set(Object.values(errorCatalogue).map(({ code }) => String(code)))

/** Checks an answer against the API document. @throws Error if the document does not promise it */
export function holdAgainstDocument(
  method: string,
  target: string,
  { status, json }: ContractAnswer,
  operations = OPERATIONS,
): void {
  const operation = operationOf(operations, method, target)
  if (status < 300) {
    operation?.response[1].parse(json)
    if (operation !== undefined && operation.status !== status)
      throw new Error(`undocumented ${status}`)
    return
  }
  const { errors } = errorBodySchema.parse(json)
  const documented = operation === undefined ? undefined : promisesOf(operation)
  const codes = documented?.codes ?? CODES
  const unknown = errors.find(({ code }) => !codes.has(String(code)))
  if (unknown !== undefined)
    throw new Error(`${method} ${target} answered an undocumented code ${unknown.code}`)
  if (documented !== undefined && !documented.statuses.has(status))
    throw new Error(`${method} ${target} answered an undocumented ${status}`)
}

/** By operation, because they are the same for every answer. */
const promises = new WeakMap<Operation, ReturnType<typeof readPromises>>()

function promisesOf(operation: Operation): ReturnType<typeof readPromises> {
  const known = promises.get(operation) ?? readPromises(operation)
  promises.set(operation, known)
  return known
}

function readPromises(operation: Operation) {
  const errors = [...errorsOf(operation)].map((name) => errorCatalogue[name])
  return {
    codes: new Set(errors.map(({ code }) => String(code))),
    statuses: new Set<number>(errors.map(({ status }) => status)),
  }
}

function operationOf(
  operations: readonly Operation[],
  method: string,
  target: string,
): Operation | undefined {
  const path = target.split('?', 1)[0]?.replace(/(.)\/$/, '$1') ?? ''
  const candidates = operations.filter((operation) => operation.method === method.toLowerCase())
  return (
    candidates.find((operation) => operation.path === path) ??
    candidates.find(({ path: pattern }) =>
      new RegExp(`^${pattern.replace(/\{\w+\}/, '[^/]+')}$`).test(path),
    )
  )
}

/** The places of properties, parameters, headers and operations without a description. */
export function withoutDescription(json: unknown, path = '#', isNamed = false): string[] {
  if (typeof json !== 'object' || json === null) return []
  const { description, in: place, operationId } = json as Record<string, unknown>
  const needsDescription = isNamed || place !== undefined || operationId !== undefined
  const isExample = /\/examples?$/.test(path)
  if (isExample) return []
  return [
    ...(needsDescription && typeof description !== 'string' ? [path] : []),
    ...Object.entries(json).flatMap(([key, value]) =>
      withoutDescription(
        value,
        `${path}/${key}`,
        /(?<!properties)\/(?:properties|headers)$/.test(path),
      ),
    ),
  ]
}

/** The same numbers in every run: 31 bits of Lehmer's generator. */
export function withoutRandomness(): (limit: number) => number {
  let state = 1
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}
