// The known facts of Inter's API Cobrança as a judge: validates every request and response of a
// test against a table of facts, because Inter's document may not be redistributed.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** A request as sent, below `/cobranca/v3`: `/cobrancas?dataInicial=…`. */
export interface JudgedRequest {
  readonly method: string
  readonly path: string
  /** The parsed JSON. */
  readonly body?: unknown
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly query?: string
  readonly answers: Readonly<Record<string, string | null>>
}

const file = new URL('inter-facts.json', import.meta.url)
const facts = JSON.parse(readFileSync(file, 'utf8')) as { readonly operations: Operation[] }
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(facts, 'inter')

/** Violations of the facts in a request; empty if there are none. */
export function violationsOfRequest(request: JudgedRequest): readonly string[] {
  const operation = operationOf(request)
  if (operation === undefined) return [`no operation ${request.method} ${request.path}`]
  const { searchParams } = addressOf(request)
  const query = Object.fromEntries(searchParams)
  const isTwice = [...searchParams].length !== Object.keys(query).length
  return [
    ...(isTwice ? ['a parameter occurs twice'] : []),
    ...(operation.query === undefined ? [] : against(operation.query, query)),
    ...(operation.query === undefined && searchParams.size > 0 ? ['there is no query'] : []),
    ...(operation.body === undefined ? [] : against(operation.body, request.body)),
    ...(operation.body === undefined && request.body !== undefined ? ['there is no body'] : []),
  ]
}

/** Violations in the response to a request; empty if there are none. */
export function violationsOfAnswer(
  request: JudgedRequest,
  { status, body }: { readonly status: number; readonly body?: unknown },
): readonly string[] {
  if (status >= 400) return against('problem', body)
  const shape = operationOf(request)?.answers[String(status)]
  if (shape === undefined) return [`status ${status} is not foreseen`]
  if (shape !== null) return against(shape, body)
  return body === undefined ? [] : ['there is no body']
}

/** Violations in one item of a notice. */
export function violationsOfNotice(item: unknown): readonly string[] {
  return against('notice', item)
}

function addressOf({ path }: JudgedRequest): URL {
  return new URL(path, 'https://inter')
}

function operationOf(request: JudgedRequest): Operation | undefined {
  const { pathname } = addressOf(request)
  const fits = (path: string): boolean =>
    path === pathname ||
    new RegExp(`^${path.replace('{code}', '(?!webhook)[0-9A-Za-z-]+')}$`).test(pathname)
  return facts.operations.find(({ method, path }) => method === request.method && fits(path))
}

function against(shape: string, value: unknown): readonly string[] {
  const validate = ajv.getSchema(`inter#/shapes/${shape}`)
  if (validate === undefined) throw new Error(`no shape ${shape}`)
  if (validate(value) === true) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${shape}${instancePath}: ${message ?? ''}`,
  )
}
