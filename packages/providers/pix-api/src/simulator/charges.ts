import { isDeepStrictEqual } from 'node:util'
import { type MinorUnits, SECOND_MS } from '@cofre/contracts'
import type { BankAccount } from './account.js'
import {
  type Book,
  type Charge,
  type ChargeTerms,
  type Revision,
  chargeId,
  isOf,
  isoTime,
  receiverOf,
} from './book.js'
import { copyAndPaste } from './wire/br-code.js'
import { dayAt, endOf, owedOn, totalOf } from './wire/dated-terms.js'
import {
  type DatedTerms,
  datedTermsSchema,
  readDatedCharge,
  readDatedRevision,
} from './wire/dated-wire.js'
import { listPage } from './list-page.js'
import { renderPayment } from './payments.js'
import { PixProblem, violation } from './wire/problem.js'
import {
  type ChargeQuery,
  amountOf,
  readCharge,
  readRevision,
  readTxid,
  termsSchema,
} from './wire/wire.js'

const OPERATION = { cob: 'CobOperacaoInvalida', cobv: 'CobVOperacaoInvalida' } as const
const QUERY = { cob: 'CobConsultaInvalida', cobv: 'CobVConsultaInvalida' } as const
const ABSENT = { cob: 'CobNaoEncontrado', cobv: 'CobVNaoEncontrada' } as const

/** The host of charges' terms. Only this simulated bank knows it, so it is not served. */
const LOCATION_HOST = 'bank.invalid/qr/v2'
const LOCATION_BYTES = 16

/** Immediate charges (`cob`), or those with a due date (`cobv`). */
export type ChargeKind = 'cob' | 'cobv'

interface Sent {
  readonly kind: ChargeKind
  readonly txid: string
  readonly body: unknown
}

interface SentCharge extends Sent {
  /** The bank's longest lifetime of an immediate charge. */
  readonly lifetimeMaxS?: number
}

/** Creates a charge, or revises one that is still open. */
export function putCharge(book: Book, account: BankAccount, sent: SentCharge): Charge {
  const { kind } = sent
  const txid = readTxid(sent.txid)
  const known = book.charges.get(chargeId(account, txid))
  if (known !== undefined && kindOf(known) !== kind)
    throw violation(OPERATION[kind], 'txid', 'o txid já foi utilizado por outra cobrança')
  const { loc, terms } = readTerms(sent, book.clock.now())
  checkKey(account, terms, kind)
  checkLocation(book, { charge: known, kind, loc })
  if (known === undefined) return openCharge(book, account, { txid, terms })
  mustBeOpen(known)
  const { terms: before } = lastOf(known)
  if (!isDeepStrictEqual(terms, before)) revise(book, known, { terms, status: 'ATIVA' })
  return known
}

function readTerms({ body, kind, lifetimeMaxS = Infinity }: SentCharge, nowMs: number) {
  if (kind === 'cobv') {
    const { loc, ...terms } = readDatedCharge(body)
    checkDates(terms, nowMs)
    return { loc, terms }
  }
  const { loc, ...asked } = readCharge(body)
  const expiracao = Math.min(asked.calendario.expiracao, lifetimeMaxS)
  return { loc, terms: { ...asked, calendario: { expiracao } } }
}

/** Changes an open charge, or removes it: a removal allows no other change. */
export function patchCharge(book: Book, account: BankAccount, sent: Sent): Charge {
  const { kind, body } = sent
  const charge = findCharge(book, account, sent)
  const revision = kind === 'cob' ? readRevision(body) : readDatedRevision(body)
  mustBeOpen(charge)
  const { status, loc, ...changes } = revision
  const { terms } = lastOf(charge)
  if (status !== undefined) {
    if (Object.keys(revision).length > 1)
      throw violation(OPERATION[kind], `${kind}.status`, 'remoção junto de outras alterações')
    revise(book, charge, { terms, status })
    return charge
  }
  const changed = changedTerms(terms, changes)
  if (isDated(changed)) checkDates(changed, book.clock.now())
  checkKey(account, changed, kind)
  checkLocation(book, { charge, kind, loc })
  if (!isDeepStrictEqual(changed, terms)) revise(book, charge, { terms: changed, status: 'ATIVA' })
  return charge
}

/** @throws PixProblem if this receiver has no such charge of the kind */
export function findCharge(
  book: Book,
  account: BankAccount,
  { kind, txid }: Pick<Sent, 'kind' | 'txid'>,
): Charge {
  const charge = book.charges.get(chargeId(account, txid))
  if (charge === undefined || kindOf(charge) !== kind)
    throw new PixProblem(ABSENT[kind], 'Cobrança não encontrada para o txid informado.')
  return charge
}

interface Listing {
  readonly kind: ChargeKind
  readonly query: ChargeQuery
}

export function listCharges(book: Book, account: BankAccount, { kind, query }: Listing) {
  const found = [...book.charges.values()].filter((charge) => {
    const { terms, status } = lastOf(charge)
    if (!isOf(charge, account) || kindOf(charge) !== kind) return false
    if (charge.createdMs < query.inicio || charge.createdMs > query.fim) return false
    if (query.status !== undefined && query.status !== status) return false
    if (query.locationPresente === false) return false
    const { cpf, cnpj } = query
    return terms.devedor === undefined
      ? cpf === undefined && cnpj === undefined
      : (cpf ?? terms.devedor.cpf) === terms.devedor.cpf &&
          (cnpj ?? terms.devedor.cnpj) === terms.devedor.cnpj
  })
  const { items, parametros } = listPage(found, query)
  return { parametros, cobs: items.map((charge) => renderPaidCharge(charge)) }
}

/**
 * CobGerada or CobVGerada.
 * @throws PixProblem for a missing revision
 */
export function renderCharge(charge: Charge, number = charge.revisions.length - 1) {
  const revision = charge.revisions[number]
  const kind = kindOf(charge)
  if (revision === undefined)
    throw violation(QUERY[kind], 'revisao', 'revisão inexistente para a cobrança')
  const { terms, status } = revision
  const { location, receiver } = charge
  const { address, id } = location
  const criacao = isoTime(charge.createdMs)
  const isDue = isDated(terms)
  return {
    ...terms,
    ...(isDue && { recebedor: renderReceiver(receiver) }),
    calendario: { criacao, ...terms.calendario },
    txid: charge.txid,
    revisao: number,
    loc: { id, location: address, tipoCob: kind, criacao },
    location: address,
    status,
    pixCopiaECola: copyAndPaste({
      location: address,
      receiver,
      ...(!isDue && { amountMinor: amountOf(terms.valor.original) }),
    }),
  }
}

/** The bank knows only the receiver's city. */
function renderReceiver({ name: nome, taxId, city: cidade }: Charge['receiver']) {
  const document = taxId.length === 11 ? { cpf: taxId } : { cnpj: taxId }
  return { nome, ...document, logradouro: 'Rua do Simulador, 1', cidade, uf: 'SP', cep: '01001000' }
}

/** With its payments, if there are any. */
export function renderPaidCharge(charge: Charge, number?: number) {
  const pix = charge.payments.map(renderPayment)
  return { ...renderCharge(charge, number), ...(pix.length > 0 && { pix }) }
}

export function isDated(terms: ChargeTerms): terms is DatedTerms {
  return 'dataDeVencimento' in terms.calendario
}

/** The owed amount at a time. */
export function owedAt(timeMs: number, terms: ChargeTerms): MinorUnits {
  return isDated(terms) ? totalOf(owedOn(dayAt(timeMs), terms)) : amountOf(terms.valor.original)
}

/** A charge never changes its kind. */
export function kindOf(charge: Charge): ChargeKind {
  return isDated(lastOf(charge).terms) ? 'cobv' : 'cob'
}

export function lastOf({ revisions }: Charge): Revision {
  return revisions[revisions.length - 1] ?? revisions[0]
}

/** Expiry is not a status: only the time shows it. */
export function expiryOf(charge: Charge): number {
  const { terms } = lastOf(charge)
  if (isDated(terms)) return endOf(terms)
  return charge.createdMs + terms.calendario.expiracao * SECOND_MS
}

export function revise(book: Book, charge: Charge, revision: Revision): void {
  addRevision(charge, revision)
  book.save({ charge })
}

/** The caller stores it, together with the rest of the change. */
export function addRevision(charge: Charge, revision: Revision): void {
  charge.revisions = [...charge.revisions, revision]
}

interface Opened {
  readonly txid: string
  readonly terms: Revision['terms']
}

function openCharge(book: Book, account: BankAccount, { txid, terms }: Opened): Charge {
  const code = Buffer.from(book.randomBytes(LOCATION_BYTES)).toString('hex')
  const charge: Charge = {
    receiver: receiverOf(account),
    txid,
    createdMs: book.clock.now(),
    location: {
      id: book.charges.size + 1,
      address: `${LOCATION_HOST}/${isDated(terms) ? 'cobv/' : ''}${code}`,
    },
    revisions: [{ terms, status: 'ATIVA' }],
    payments: [],
  }
  book.save({ charge })
  return charge
}

type Changes = Omit<ReturnType<typeof readRevision | typeof readDatedRevision>, 'status' | 'loc'>

/** Absent parts stay the same; a present part replaces the whole part. */
function changedTerms(terms: ChargeTerms, { calendario, valor, ...rest }: Changes): ChargeTerms {
  const merged = {
    ...terms,
    ...changed(rest),
    calendario: { ...terms.calendario, ...changed(calendario ?? {}) },
    valor: { ...terms.valor, ...changed(valor ?? {}) },
  }
  return isDated(terms) ? datedTermsSchema.parse(merged) : termsSchema.parse(merged)
}

function changed(changes: object): object {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

function mustBeOpen(charge: Charge): void {
  if (lastOf(charge).status !== 'ATIVA')
    throw violation(OPERATION[kindOf(charge)], 'cob.status', 'a cobrança não está ATIVA')
}

function checkKey({ pixKeys }: BankAccount, { chave }: ChargeTerms, kind: ChargeKind): void {
  if (!pixKeys.includes(chave))
    throw violation(OPERATION[kind], `${kind}.chave`, 'a chave não pertence a este recebedor')
}

/** Rules of a due date beyond the schema. */
function checkDates({ calendario, valor }: DatedTerms, nowMs: number): void {
  const refuse = (name: string, reason: string) =>
    violation('CobVOperacaoInvalida', `cobv.${name}`, reason)
  const { dataDeVencimento } = calendario
  if (dataDeVencimento < dayAt(nowMs))
    throw refuse('calendario.dataDeVencimento', 'anterior à data de criação da cobrança')
  const isLater = valor.desconto?.descontoDataFixa.some(({ data }) => data > dataDeVencimento)
  if (isLater === true) throw refuse('valor.desconto', 'desconto depois do vencimento')
}

interface Located {
  readonly charge: Charge | undefined
  readonly kind: ChargeKind
  readonly loc: { readonly id: number } | undefined
}

/** Locations are created with their charges here, so a receiver can only name a charge's own. */
function checkLocation(book: Book, { charge, kind, loc }: Located): void {
  if (loc === undefined || loc.id === charge?.location.id) return
  const isTaken = [...book.charges.values()].some(({ location }) => location.id === loc.id)
  const reason = isTaken ? 'location já utilizado por outra cobrança' : 'location inexistente'
  throw violation(OPERATION[kind], `${kind}.loc.id`, reason)
}
