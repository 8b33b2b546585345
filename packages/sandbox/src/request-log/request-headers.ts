import { claimedStore } from '@cofre/contracts'
import { type KnownNumbers, maskText } from './request-mask.js'

/** Headers by their names, in lower case. */
export type ShownHeaders = Readonly<Record<string, string>>

/** The headers that affect a request's result. Others are not recorded. */
const OF_REQUESTS = [
  'accept',
  'accept-language',
  'authorization',
  'content-digest',
  'content-length',
  'content-md5',
  'content-type',
  'idempotency-key',
  'signature',
  'signature-input',
  'user-agent',
]
export const UNKNOWN_FIELDS = 'cofre-unknown-fields'
const OF_RESPONSES = [
  'allow',
  UNKNOWN_FIELDS,
  'content-type',
  'idempotency-replayed',
  'location',
  'retry-after',
]

/** The headers that a signature check reads. */
const OF_SIGNATURES = [
  'authorization',
  'content-digest',
  'content-md5',
  'signature',
  'signature-input',
]
/** Above the length of any valid value. */
const UNSIGNED_LENGTH_MAX = 300

/**
 * The relevant headers of a request, without anything that would allow a replay.
 * @param isSigned - A stranger may send an unsigned request in a store's name: of its headers, only
 * those that explain the refusal are shown, and the lengths of the others.
 */
export function shownRequestHeaders(headers: Headers, isSigned: boolean): ShownHeaders {
  const shown = Object.entries(chosen(headers, OF_REQUESTS)).map(([name, value]) => {
    const isKept = OF_SIGNATURES.includes(name) && value.length <= UNSIGNED_LENGTH_MAX
    return [name, isSigned || isKept ? value : removed(value)] as const
  })
  return Object.fromEntries(shown)
}

export function shownResponseHeaders(headers: Headers): ShownHeaders {
  return chosen(headers, OF_RESPONSES)
}

function chosen(headers: Headers, names: readonly string[]): ShownHeaders {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

/** Headers in a form that may be stored. */
export function maskHeaders(headers: ShownHeaders, known: KnownNumbers): ShownHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      (PROOFS[name] ?? maskText)(value.replaceAll('\0', ''), known),
    ]),
  )
}

/**
 * Keeps the beginning of a signature, so that two can be distinguished; of other values, the
 * length.
 */
const PROOFS: Readonly<Record<string, (value: string) => string>> = {
  authorization(value) {
    const hmac = /:([0-9a-f]{8})[0-9a-f]{56}$/.exec(value)?.[1]
    return `${claimedStore(new Headers({ authorization: value })) ?? ''}:${hmac === undefined ? removed(value) : `${hmac}…`}`
  },
  signature(value) {
    const [, label, start] = /^([a-z]\w{0,15})=:([\w+/]{8})[\w+/=]+:$/.exec(value) ?? []
    return label === undefined ? removed(value) : `${label}=:${start ?? ''}…:`
  },
}

function removed(value: string): string {
  return `[removed, ${value.length} characters]`
}
