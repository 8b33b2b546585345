import { explainReturned } from '@cofre/contracts/errors'
import { Notice, fill } from '@cofre/pages'
import { maskPayersInJson, maskPayersInTarget } from '@cofre/people'
import {
  type RecordedRequest,
  type RequestFilterText,
  UNKNOWN_FIELDS,
  readRequestFilter,
} from '@cofre/sandbox'
import { Pagination } from '../part/pagination.js'
import type { SandboxParts } from '../visit/panel-parts.js'
import { Facts, MessageBody, Time } from '../part/parts.js'
import type { ConsolePages } from '../frame/console-pages.js'
import { type View, useView, useTexts } from '../visit/visit.js'
import { formatCount } from '../visit/format.js'
import { SANDBOX_TEXTS } from './texts.js'

const PAGE_SIZE = 20

export function requestPages({ page }: ConsolePages, { sandbox }: SandboxParts): void {
  page('/requests', async ({ c, storeId, view }) => {
    const { path = '', status = '', error = '' } = c.req.query()
    const typed = { path, status, error }
    const { filter: read } = readRequestFilter(typed)
    const queries = view.may('payers:unmasked') ? undefined : 'not-searched'
    const filter = { ...read, queries } as const
    const query = { filter, after: c.req.query('after'), limit: PAGE_SIZE }
    const { items, next } = await sandbox.requests.list(storeId, query)
    const texts = SANDBOX_TEXTS[view.language].requests
    const body = (
      <>
        <RequestFilterForm typed={typed} />
        {items.length === 0 && <Notice {...noneOf(typed, texts)} />}
        {items.map((request) => (
          <RequestCard {...request} />
        ))}
        <Pagination next={next} />
      </>
    )
    return { body }
  })

  page('/requests/:id{[0-9]{1,16}}', async ({ c, storeId, view }) => {
    const { id } = c.req.param()
    const request = await sandbox.requests.find(storeId, Number(id))
    if (request === undefined) return undefined
    const texts = SANDBOX_TEXTS[view.language].requests
    const title = fill(texts.one, { id: request.id })
    const { atMs, transactionCode: code } = request
    const link = code !== undefined && <a href={view.at(`/payments/${code}`)}>{code}</a>
    const heading = (
      <>
        <p class="minor">
          <a href={view.at('/requests')}>{texts.back}</a>
        </p>
        <h1>{title}</h1>
      </>
    )
    const body = (
      <>
        <RequestLine {...request} />
        <Facts
          facts={[
            [texts.at, <Time ms={atMs} />],
            [texts.transaction, link],
          ]}
        />
        <Errors {...request} />
        <RequestBodies {...request} />
      </>
    )
    return { title, heading, body }
  })
}

type Typed = Readonly<Record<keyof RequestFilterText, string>>

/** Valid values of the form's fields. */
const PATTERNS = { status: '[1-5]([0-9]{2}|xx|XX)|failed', error: '[0-9]{5,6}' } as const

function RequestFilterForm({ typed }: { readonly typed: Typed }) {
  const { at } = useView()
  const texts = useTexts(SANDBOX_TEXTS).requests
  const isFiltered = Object.values(typed).some((text) => text !== '')
  const isFailed = typed.status === 'failed' && typed.path + typed.error === ''
  return (
    <>
      <nav class="menu" aria-label={texts.which}>
        <a href={at('/requests')} aria-current={isFiltered ? undefined : 'page'}>
          {texts.all}
        </a>
        <a href={at('/requests?status=failed')} aria-current={isFailed ? 'page' : undefined}>
          {texts.failedOnly}
        </a>
      </nav>
      <form
        class="filter card tiles"
        role="search"
        aria-label={texts.filter}
        action={at('/requests')}
      >
        <label>
          {texts.path}
          <input type="search" name="path" value={typed.path} maxlength={100} />
        </label>
        {(['status', 'error'] as const).map((name) => (
          <label>
            {texts[name]}
            <input
              type="search"
              name={name}
              value={typed[name]}
              pattern={PATTERNS[name]}
              placeholder={texts.examples[name]}
            />
          </label>
        ))}
        <div class="actions">
          <button>{texts.apply}</button>
          {isFiltered && <a href={at('/requests')}>{texts.clear}</a>}
        </div>
      </form>
    </>
  )
}

function noneOf({ path, status, error }: Typed, texts: (typeof SANDBOX_TEXTS)['en']['requests']) {
  if (path + error === '' && status === 'failed') return texts.noneFailed
  return path + status + error === '' ? texts.empty : texts.noneFound
}

/** One request: a line, an explanation of its errors, and behind them the bodies. */
export function RequestCard(request: RecordedRequest) {
  const { at } = useView()
  const texts = useTexts(SANDBOX_TEXTS).requests
  const { id } = request
  return (
    <article class="card" aria-label={fill(texts.one, { id })}>
      <RequestLine {...request} />
      <Errors {...request} />
      <UnknownFields {...request} />
      <details data-keep={`request-${id}`}>
        <summary>
          {texts.received} / {texts.answered}
        </summary>
        <RequestBodies {...request} />
        <p>
          <a href={at(`/requests/${id}`)}>{texts.link}</a>
        </p>
      </details>
    </article>
  )
}

function RequestLine(request: RecordedRequest) {
  const view = useView()
  const { language, texts } = view
  const { method, target, statusCode, durationMs, atMs } = shownRequest(request, view)
  const ms = formatCount(durationMs, language)
  return (
    <p class="request-line actions">
      <span class={`badge ${statusCode < 400 ? 'good' : 'bad'}`}>{statusCode}</span>
      <code>
        <strong>{method}</strong> {target}
      </code>
      <Time ms={atMs} class="end" />
      <span class="minor">{fill(texts.frame.duration, { ms })}</span>
    </p>
  )
}

function RequestBodies(request: RecordedRequest) {
  const view = useView()
  const { requestBody, responseBody, requestHeaders, responseHeaders } = shownRequest(request, view)
  const texts = SANDBOX_TEXTS[view.language].requests
  return (
    <div class="bodies tiles">
      <MessageBody label={texts.receivedHeaders} text={linesOf(requestHeaders)} />
      <MessageBody label={texts.answeredHeaders} text={linesOf(responseHeaders)} />
      <MessageBody label={texts.received} text={requestBody} />
      <MessageBody label={texts.answered} text={responseBody} />
    </div>
  )
}

/** A request with payers masked, for roles that may not see them. */
function shownRequest(request: RecordedRequest, view: View): RecordedRequest {
  if (view.may('payers:unmasked')) return request
  const { requestBody, responseBody, target } = request
  return {
    ...request,
    target: maskPayersInTarget(target),
    requestBody: requestBody === undefined ? undefined : maskPayersInJson(requestBody),
    responseBody: maskPayersInJson(responseBody),
  }
}

function linesOf(headers: RecordedRequest['requestHeaders']): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Names the request's fields that the API does not read, if any. */
function UnknownFields({ responseHeaders }: RecordedRequest) {
  const { language } = useView()
  const fields = responseHeaders[UNKNOWN_FIELDS]
  if (fields === undefined) return null
  return (
    <p class="hint">
      {SANDBOX_TEXTS[language].requests.unknownFields} <code>{fields}</code>
    </p>
  )
}

/** Explains each error: the code, the reported message, and the field. */
function Errors(request: RecordedRequest) {
  const view = useView()
  const texts = SANDBOX_TEXTS[view.language].requests
  const errors = reportedErrors(request)
  if (errors.length === 0) return null
  return (
    <ul class="errors" aria-label={texts.errors}>
      {errors.map(({ code, description, property, constraint, message, doc_url: page }) => (
        <li>
          <strong>
            <code>
              {code} {description}
            </code>
          </strong>
          <span>
            {message?.replaceAll('`', '') ??
              explainReturned({ code, status: request.statusCode }, view.language) ??
              texts.unknownError}
          </span>
          {property !== undefined && (
            <span class="minor">
              {texts.field}: <code>{property}</code>
              {constraint !== undefined && (
                <>
                  {' · '}
                  {texts.rule}: <code>{constraint}</code>
                </>
              )}
            </span>
          )}
          {page !== undefined && WEB_ADDRESS.test(page) && (
            <a href={page}>{fill(texts.errorPage, { code })}</a>
          )}
        </li>
      ))}
    </ul>
  )
}

const WEB_ADDRESS = /^https?:\/\//

type ErrorFields = Readonly<
  Partial<Record<'description' | 'property' | 'constraint' | 'message' | 'doc_url', string>>
>

/** The errors of a response in its order, each with its readable fields. */
function reportedErrors({ responseBody, errorCodes }: RecordedRequest) {
  const reported = errorsIn(responseBody)
  return errorCodes.map((code, index) => {
    const error = reported[index] ?? {}
    const isSame = Number(error.code) === code
    const texts = Object.entries(error).filter(([, value]) => isSame && typeof value === 'string')
    return { ...(Object.fromEntries(texts) as ErrorFields), code }
  })
}

function errorsIn(body: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const { errors } = JSON.parse(body) as { readonly errors?: unknown }
    return Array.isArray(errors) ? errors.filter(isObject) : []
  } catch {
    // Not JSON, or truncated: the codes are shown without their fields.
    return []
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
