// Adyen's own documents as a judge: validates every request and response of a test against Checkout
// v72, and every notice against the standard webhooks.
import { readFileSync } from 'node:fs'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parse } from 'yaml'

/** A request as sent, below the API's base: `/payments`. */
export interface JudgedRequest {
  readonly method: string
  readonly path: string
  /** The parsed JSON. */
  readonly body?: unknown
}

export interface JudgedAnswer {
  readonly status: number
  readonly contentType: string | null
  /** The parsed JSON. */
  readonly body?: unknown
}

type Document = Readonly<Record<string, unknown>>

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
formats.default(ajv)
const checkout = open('adyen-CheckoutService-v72.yaml', 'checkout')
const webhooks = open('adyen-Webhooks-v1.yaml', 'webhooks')
const JSON_TYPE = 'application/json'
/** Statuses that no operation documents, but every server returns. */
const GENERAL_STATUSES: readonly number[] = [404, 429]

/** Violations of the official document in a request; empty if there are none. */
export function violationsOfRequest({ method, path, body }: JudgedRequest): readonly string[] {
  const template = templateOf(path)
  if (template === undefined || method !== 'POST') return [`no operation ${method} ${path}`]
  return validate('checkout', contentAt('paths', template, 'post', 'requestBody'), body)
}

/** Violations in the response to a request; empty if there are none. */
export function violationsOfAnswer(
  { path }: JudgedRequest,
  { status, contentType, body }: JudgedAnswer,
): readonly string[] {
  if (contentType?.split(';')[0] !== JSON_TYPE) return [`media type ${contentType ?? 'none'}`]
  if (GENERAL_STATUSES.includes(status))
    return validate('checkout', ['components', 'schemas', 'ServiceError'], body)
  const template = templateOf(path)
  if (template === undefined) return [`no operation ${path}`]
  const responses = ['paths', template, 'post', 'responses']
  if (!(String(status) in at(checkout, responses))) return [`status ${status} is not foreseen`]
  return validate('checkout', contentAt(...responses, String(status)), body)
}

/** Violations in the body of a notice, by the webhook of its event code. */
export function violationsOfNotice(body: unknown): readonly string[] {
  const code = eventCodeOf(body)
  const known = Object.keys(at(webhooks, ['webhooks']))
  if (!known.includes(`/${code}`)) return [`no webhook ${code}`]
  return validate('webhooks', contentAt('webhooks', `/${code}`, 'post', 'requestBody'), body)
}

/** The documents' own examples of notices, by name. */
export function noticeExamples(): readonly (readonly [name: string, body: unknown])[] {
  const examples = at(webhooks, ['components', 'examples'])
  return Object.entries(examples).map(([name, example]) => [name, (example as Document).value])
}

function eventCodeOf(body: unknown): string {
  const items = (body as { notificationItems?: unknown } | undefined)?.notificationItems
  const [item] = Array.isArray(items) ? (items as Document[]) : []
  const { eventCode } = (item?.NotificationRequestItem ?? {}) as Document
  return typeof eventCode === 'string' ? eventCode : 'without an event code'
}

function contentAt(...names: readonly string[]): readonly string[] {
  return [...names, 'content', JSON_TYPE, 'schema']
}

function templateOf(path: string): string | undefined {
  const given = path.split('/')
  return Object.keys(at(checkout, ['paths'])).find((template) => {
    const wanted = template.split('/')
    return (
      wanted.length === given.length &&
      wanted.every((segment, index) => segment.startsWith('{') || segment === given[index])
    )
  })
}

function validate(document: string, names: readonly string[], value: unknown): readonly string[] {
  const pointer = names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'))
  const $ref = `${document}#/${pointer.map(encodeURIComponent).join('/')}`
  const judge = ajv.getSchema($ref) ?? ajv.compile({ $ref })
  if (judge(value) === true) return []
  return (judge.errors ?? []).map(describe)
}

function describe({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
}

function open(name: string, id: string): Document {
  const root = parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as Document
  ajv.addSchema(root, id)
  return root
}

function at(document: Document, names: readonly string[]): Document {
  return names.reduce<Document>((parent, name) => parent[name] as Document, document)
}
