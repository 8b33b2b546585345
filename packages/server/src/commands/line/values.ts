// Parsers of commands' arguments and options, by their names in commands.json.
import {
  ADVANCE_MAX_SECONDS,
  DECIMAL_CODE,
  DECLINE_LIMIT_MAX,
  INSTALLMENTS_BY_CONTRACT_MAX,
  INSTALLMENTS_MAX,
  type MinorUnits,
  REFERENCE,
  SAVED_CODE,
  SECOND_MS,
  STORE_SCOPES,
  TRANSACTION_STATUSES,
  isCnpj,
  isCpf,
  parseAmount,
} from '@cofre/contracts'
import { ARCHIVED_AFTER_DAYS, ARCHIVED_AFTER_MS } from '@cofre/gateway/upkeep'
import { OPERATOR_SCOPES, isStoreName, readFieldOrigin } from '@cofre/operator'
import { emailOf } from '@cofre/people'
import { type RequestFilter, readRequestFilter } from '@cofre/sandbox'
import { parseHead } from '@cofre/vault'
import { InvalidArgumentError } from 'commander'
import { ROLES, type Role } from '../../config/config.js'
import { networkList, origin, readTimeSpan, storeId } from '../../config/variables.js'
import CHOICES from './choices.json' with { type: 'json' }

const LISTED_MAX = Number(CHOICES['listed-max'][0])
/** Roles that a process may be started with: the demo shop is for development only. */
const SERVED_ROLES = ROLES.filter((role) => role !== 'demo')

/** @param accepts - The error for a text that `read` does not accept. */
function value<T>(accepts: string, read: (text: string) => T | undefined): (text: string) => T {
  return (text) => {
    const found = read(text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(accepts)
  }
}

const accepting = (accepts: string, isAccepted: (text: string) => boolean) =>
  value(accepts, (text) => (isAccepted(text) ? text : undefined))

const matching = (accepts: string, pattern: RegExp) =>
  accepting(accepts, (text) => pattern.test(text))

/** Parses an option like the variable of its kind. */
function asVariable(schema: typeof origin | typeof storeId): (text: string) => string {
  return (text) => {
    const read = schema.safeParse(text)
    if (read.success) return read.data
    throw new InvalidArgumentError(`It takes ${read.error.issues[0]?.message ?? ''}.`)
  }
}

/** Milliseconds of a time that is not zero. */
function spanOf(text: string): number | undefined {
  const spanMs = readTimeSpan(text)
  return spanMs === 0 ? undefined : spanMs
}

function readRoles(list: string): readonly Role[] {
  return list.split(',').map((text) => {
    const role = SERVED_ROLES.find((known) => known === text.trim())
    if (role !== undefined) return role
    const wrong = text.trim() === '' ? 'A role is missing' : `There is no role ${text}`
    throw new InvalidArgumentError(`${wrong}: one or more of ${SERVED_ROLES.join(', ')}.`)
  })
}

/** True if the text can be a payer, so that a mistyped one is not reported as blocked. */
export function isPayer(text: string): boolean {
  const document = text.trim().replaceAll(/[./-]/g, '')
  return isCpf(document) || isCnpj(document) || /^\s*[A-Za-z0-9+._-]+@[A-Za-z0-9.-]+\s*$/.test(text)
}

/** The address for a shop's notifications. */
function addressOf(text: string): URL | undefined {
  const url = URL.parse(text)
  const isUsable = /^https?:$/.test(url?.protocol ?? '') && url?.username === ''
  return isUsable ? url : undefined
}

/** The filters of the panel's list of requests. */
function filterOf<Name extends keyof RequestFilter>(name: Name, text: string) {
  return readRequestFilter({ [name]: text }).filter[name]
}

/** 0 means no limit. */
function readDeclines(text: string): number | 'usual' | undefined {
  if (text === 'usual') return text
  if (text === 'off') return 0
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= DECLINE_LIMIT_MAX ? Number(text) : undefined
}

/** A network as it was typed; undefined if it is none. */
function networkOf(text: string): string | undefined {
  try {
    return networkList([text]) === undefined ? undefined : text.trim()
  } catch {
    return undefined
  }
}

/** A list without repetitions, in the order of the known ones. */
function listOf<Known extends string>(known: readonly Known[], text: string) {
  const named = text.split(',').map((one) => one.trim())
  return named.every((one) => known.some((other) => other === one))
    ? known.filter((one) => named.includes(one))
    : undefined
}

/** With `%`, or as a fraction below 1: an operator who types 1 means 1 %, not 100 %. */
function readRate(text: string): number | undefined {
  if (!/^\d{1,3}(?:\.\d{1,6})?%?$/.test(text)) return undefined
  const rate = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  const isRead = text.endsWith('%') ? rate <= 1 : rate < 1
  return isRead ? Number(rate.toFixed(8)) : undefined
}

function readAmount(text: string): MinorUnits | undefined {
  const amountMinor = /^\d{1,10}(?:\.\d{1,2})?$/.test(text) ? parseAmount(text) : undefined
  return amountMinor === 0 ? undefined : amountMinor
}

const wholeNumber = (text: string): number | undefined =>
  /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined

function readInstallments(text: string, least: number): number | undefined {
  const count = wholeNumber(text) ?? 0
  return count >= least && count <= INSTALLMENTS_BY_CONTRACT_MAX ? count : undefined
}

const installmentCount = (least: number) =>
  value(`It takes a whole number from ${least} to ${INSTALLMENTS_BY_CONTRACT_MAX}.`, (text) =>
    readInstallments(text, least),
  )

export const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  roles: readRoles,
  origin: asVariable(origin),
  signer: asVariable(storeId),
  storeId: matching('A store id is 1 to 64 letters, digits, - and _.', /^[A-Za-z0-9_-]{1,64}$/),
  scopes: value(`It takes scopes, separated by commas: ${STORE_SCOPES.join(', ')}.`, (text) =>
    listOf(STORE_SCOPES, text),
  ),
  operatorScopes: value(
    `It takes scopes, separated by commas: ${OPERATOR_SCOPES.join(', ')}.`,
    (text) => listOf(OPERATOR_SCOPES, text),
  ),
  operatorKeyId: matching('A key is op- and 8 digits or letters a to f.', /^op-[0-9a-f]{8}$/),
  network: value('It takes a network or an address, like 10.0.0.0/8.', networkOf),
  keyId: matching(
    'A key is first, or k- and 8 digits or letters a to f.',
    /^(?:first|k-[0-9a-f]{8})$/,
  ),
  storeName: accepting(
    'A name is 1 to 100 visible characters, and not a card number.',
    isStoreName,
  ),
  cardCode: matching('A code has 32 letters and digits.', SAVED_CODE),
  code: matching('It is a number of at most 15 digits.', DECIMAL_CODE),
  email: accepting(
    'An e-mail is a name, an @ and a domain.',
    (text) => emailOf(text) !== undefined,
  ),
  payer: accepting('A payer is a valid CPF or CNPJ, or an e-mail.', isPayer),
  auditHead: value('A head is a number, a colon and 43 characters.', parseHead),
  amount: value('It takes an amount above zero, like 40 or 40.50.', readAmount),
  payment: matching(
    'It is the name of a payment at its acquirer: 1 to 64 letters, digits and -.',
    /^[A-Za-z0-9-]{1,64}$/,
  ),
  reference: matching('A reference is 1 to 64 letters, digits, ., _ and -.', REFERENCE),
  status: value(`It is one of ${TRANSACTION_STATUSES.join(', ')}.`, (text) =>
    TRANSACTION_STATUSES.find((known) => known === text.toUpperCase()),
  ),
  fileNumber: value('It takes the number of a file.', wholeNumber),
  skipped: value('It takes a whole number.', wholeNumber),
  count: value('It takes a whole number.', (text) =>
    /^\d{1,3}$/.test(text) ? Number(text) : undefined,
  ),
  installments: installmentCount(2),
  rate: value('It takes interest a month like 2.99% or 0.0299, to 100%.', readRate),
  freeInstallments: installmentCount(1),
  installmentsOffered: value(
    `It takes a whole number from ${INSTALLMENTS_MAX + 1} to ${INSTALLMENTS_BY_CONTRACT_MAX}, or usual.`,
    (text) => (text === 'usual' ? text : readInstallments(text, INSTALLMENTS_MAX + 1)),
  ),
  limit: value(`It takes a whole number from 1 to ${LISTED_MAX}.`, (text) =>
    /^[1-9]\d{0,4}$/.test(text) && Number(text) <= LISTED_MAX ? Number(text) : undefined,
  ),
  declines: value(`It takes a number from 1 to ${DECLINE_LIMIT_MAX}, usual or off.`, readDeclines),
  address: value('It takes an address like http://127.0.0.1:3000/notify.', addressOf),
  requestPath: value('It takes a part of a path.', (text) => filterOf('path', text)),
  requestStatus: value('It takes a status like 404, 4xx or failed.', (text) =>
    filterOf('status', text),
  ),
  requestError: value('It takes an error code, like 210318.', (text) => filterOf('error', text)),
  last: value('It takes a whole number from 0 to 1000.', (text) =>
    /^\d{1,4}$/.test(text) && Number(text) <= 1000 ? Number(text) : undefined,
  ),
  addedOrigin: value(
    'It takes an origin like https://shop.example (http only on this machine), without a path or a *.',
    readFieldOrigin,
  ),
  fieldOrigin: value(
    'It takes an origin like https://shop.example (http only on this machine), without a path or a *; or none.',
    (text) => (text === 'none' ? text : readFieldOrigin(text)),
  ),
  time: value('It takes a time like 2026-11-21 or 2026-11-21T10:00Z.', (text) =>
    Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text),
  ),
  timeSpan: value('It takes a time like 90, 10m, 24h or 8d.', spanOf),
  archiveAge: value(`It takes a time of ${ARCHIVED_AFTER_DAYS}d or more, like 730d.`, (text) => {
    const ageMs = spanOf(text)
    return ageMs !== undefined && ageMs >= ARCHIVED_AFTER_MS ? ageMs : undefined
  }),
  seconds: value('It takes a time like 90, 10m, 24h or 8d, of at most a leap year.', (text) => {
    const seconds = (spanOf(text) ?? Number.NaN) / SECOND_MS
    return seconds <= ADVANCE_MAX_SECONDS ? seconds : undefined
  }),
}
