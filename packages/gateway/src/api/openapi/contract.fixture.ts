import { errorBodySchema, errorCatalogue } from '@cofre/contracts'
import { COMMON_FAILURES, OPERATIONS } from './openapi-document.js'

/** What a test got from the API. */
export interface ContractAnswer {
  readonly status: number
  readonly json: unknown
}

const CODES = new Set(Object.values(errorCatalogue).map(({ code }) => code))

/**
 * Checks an answer against the API document. @throws Error when the document does not promise it
 */
export function holdAgainstDocument(
  method: string,
  target: string,
  { status, json }: ContractAnswer,
): void {
  const operation = operationOf(method, target)
  if (status < 300) {
    operation?.response[1].parse(json)
    if (operation !== undefined && operation.status !== status)
      throw new Error(`undocumented ${status}`)
    return
  }
  const { errors } = errorBodySchema.parse(json)
  const unknown = errors.find(({ code }) => !CODES.has(code))
  if (unknown !== undefined) throw new Error(`code ${unknown.code} is not in the catalogue`)
  const documented = [...COMMON_FAILURES, ...(operation?.failures ?? [status])]
  if (!documented.includes(status))
    throw new Error(`${method} ${target} answered an undocumented ${status}`)
}

function operationOf(method: string, target: string): (typeof OPERATIONS)[number] | undefined {
  const path = target.split('?', 1)[0]?.replace(/(.)\/$/, '$1') ?? ''
  const candidates = OPERATIONS.filter((operation) => operation.method === method.toLowerCase())
  return (
    candidates.find((operation) => operation.path === path) ??
    candidates.find(({ path: pattern }) =>
      new RegExp(`^${pattern.replace(/\{\w+\}/, '[^/]+')}$`).test(path),
    )
  )
}
