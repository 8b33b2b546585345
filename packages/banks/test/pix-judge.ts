import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Document, OpenAPIBackend } from 'openapi-backend'
import { parse } from 'yaml'

/** The central bank's document, which judges requests and answers. */
export interface PixJudge {
  /** What is wrong with a request; empty when nothing is. */
  request(request: JudgedRequest): string[]
  /** What is wrong with an answer that the document describes. */
  answer(request: JudgedRequest, status: number, body: unknown): string[]
}

export interface JudgedRequest {
  readonly method: string
  /** From the resource on. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const FILE = 'bacen-pix-api-2.9.0.corrected.openapi.yaml'
const JUDGES = path.join(import.meta.dirname, '..', '..', '..', 'test', 'judges')
/** The operations that the connector uses: the others' validators take a minute to compile. */
const JUDGED = ['/cob/{txid}', '/pix', '/pix/{e2eid}/devolucao/{id}', '/webhook/{chave}']

interface Operation {
  operationId?: string
}

interface PixDocument {
  readonly paths: Readonly<Record<string, Record<string, Operation>>>
}

/** The document with a name for each operation, which the validator wants. */
function judgedDocument(): Document {
  const whole = parse(readFileSync(path.join(JUDGES, FILE), 'utf8')) as PixDocument
  const paths = Object.fromEntries(JUDGED.map((name) => [name, whole.paths[name] ?? {}]))
  for (const [name, methods] of Object.entries(paths))
    for (const method of ['get', 'put', 'patch', 'delete']) {
      const operation = methods[method]
      if (operation !== undefined) operation.operationId = `${method} ${name}`
    }
  return { ...whole, paths, servers: [] } as unknown as Document
}

export async function openPixJudge(): Promise<PixJudge> {
  const api = new OpenAPIBackend({
    definition: judgedDocument(),
    quick: true,
    ajvOpts: { strict: false, formats: { 'date-time': isTime, uri: isUri } },
  })
  await api.init()
  const operationOf = ({ method, path }: JudgedRequest) =>
    api.router.matchOperation({ method, path, headers: {} })
  return {
    request(request) {
      const operation = operationOf(request)
      if (operation === undefined) return [`unknown: ${request.method} ${request.path}`]
      const asked = { ...request, query: { ...request.query }, headers: { ...request.headers } }
      return textsOf(api.validateRequest(asked, operation).errors)
    },
    answer(request, status, body) {
      const operation = operationOf(request)
      if (operation?.responses?.[String(status)] === undefined) return [`undescribed: ${status}`]
      return textsOf(api.validateResponse(body, operation, status).errors)
    },
  }
}

function textsOf(errors: readonly object[] | null | undefined): string[] {
  return (errors ?? []).map((error) => JSON.stringify(error))
}

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text)
}

function isUri(text: string): boolean {
  return URL.canParse(text)
}
