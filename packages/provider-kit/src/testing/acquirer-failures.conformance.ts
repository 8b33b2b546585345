// An acquirer's answers instead of carrying out the request.
import type { AcquirerDriver, OwnAnswer } from './acquirer-stage.conformance.js'

export interface Failure {
  readonly status: OwnAnswer['status'] | 200 | 202 | 401 | 403 | 408 | 429 | 500 | 502
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A new effect on a call each time. */
export function effectOf(failure: Failure) {
  return { kind: 'answer', ...failure } as const
}

export const jsonOf = (status: Failure['status'], body: object): Failure => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
export const pageOf = (status: Failure['status'], text = 'Bad gateway'): Failure => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: `<!doctype html><title>${text}</title>`,
})
const EMPTY = { headers: {}, body: '' } as const

/** Answers without the acquirer's own explanation. */
export const NOT_UNDERSTOOD: readonly (readonly [string, Failure])[] = [
  ['200 of another shape', jsonOf(200, { of: 'another shape' })],
  ['200 with a list', jsonOf(200, [])],
  ['200 with a page', pageOf(200)],
  ['200 and nothing else', { status: 200, ...EMPTY }],
  ['202 of another shape', jsonOf(202, {})],
  ['400 of another shape', jsonOf(400, { of: 'another shape' })],
  ['400 with a page', pageOf(400)],
  ['404 with a page', pageOf(404)],
  ['409 of another shape', jsonOf(409, {})],
  ['422 and nothing else', { status: 422, ...EMPTY }],
  ['408 with a page', pageOf(408)],
  ['500 of another shape', jsonOf(500, {})],
  ['502 with a page', pageOf(502)],
]

/** The permitted conclusion of a first attempt. */
export type Conclusion =
  | { readonly kind: 'refused' | 'unknown' }
  | { readonly kind: 'not-sent'; readonly cause: 'login' | 'limited' }

export const AT_THE_DOOR: readonly (readonly [string, Failure, Conclusion])[] = [
  ['401', jsonOf(401, {}), { kind: 'not-sent', cause: 'login' }],
  ['403', jsonOf(403, {}), { kind: 'not-sent', cause: 'login' }],
  ['429', jsonOf(429, {}), { kind: 'not-sent', cause: 'limited' }],
]

/** All failures, including those that are certain for a first attempt. */
export function failuresOf(driver: AcquirerDriver): readonly (readonly [string, Failure])[] {
  const refusal = driver.refusal('wrong request')
  const { doubtful } = driver
  return [
    ['a refusal in its own words', jsonOf(refusal.status, refusal.body)],
    ['a doubt in its own words', jsonOf(doubtful.status, doubtful.body)],
    ...AT_THE_DOOR.map(([name, failure]) => [name, failure] as const),
    ...NOT_UNDERSTOOD,
  ]
}
