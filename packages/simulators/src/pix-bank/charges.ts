import { isDeepStrictEqual } from 'node:util'
import { SECOND_MS } from '@cofre/contracts'
import type { BankAccount } from './account.js'
import {
  type Book,
  type Charge,
  type Revision,
  chargeId,
  isOf,
  isoTime,
  receiverOf,
} from './book.js'
import { copyAndPaste } from './br-code.js'
import { listPage } from './list-page.js'
import { renderPayment } from './payments.js'
import { PixProblem, violation } from './problem.js'
import {
  type ChargeQuery,
  type ChargeRequest,
  type ChargeRevision,
  amountOf,
  readCharge,
  readRevision,
  readTxid,
} from './wire.js'

/** Where a charge's terms are read; nobody serves it, for no bank but this one knows it. */
const LOCATION_HOST = 'bank.invalid/qr/v2'
const LOCATION_BYTES = 16

interface Sent {
  readonly txid: string
  readonly body: unknown
}

interface SentCharge extends Sent {
  /** The longest that this bank lets a charge hold. */
  readonly lifetimeMaxS?: number
}

/** Creates a charge, or revises one that is still open. */
export function putCharge(book: Book, account: BankAccount, sent: SentCharge): Charge {
  const { txid, body, lifetimeMaxS = Infinity } = sent
  const known = book.charges.get(chargeId(account, readTxid(txid)))
  const { loc, ...asked } = readCharge(body)
  const expiracao = Math.min(asked.calendario.expiracao, lifetimeMaxS)
  const terms = { ...asked, calendario: { expiracao } }
  checkKey(account, terms)
  checkLocation(book, known, loc)
  if (known === undefined) return openCharge(book, account, { txid, terms })
  mustBeOpen(known)
  const { terms: before } = lastOf(known)
  if (!isDeepStrictEqual(terms, before)) revise(book, known, { terms, status: 'ATIVA' })
  return known
}

/** Changes an open charge, or removes it: a removal comes alone. */
export function patchCharge(book: Book, account: BankAccount, { txid, body }: Sent): Charge {
  const charge = findCharge(book, account, txid)
  const revision = readRevision(body)
  mustBeOpen(charge)
  const { status, loc, ...changes } = revision
  const { terms } = lastOf(charge)
  if (status !== undefined) {
    if (Object.keys(revision).length > 1)
      throw violation('CobOperacaoInvalida', 'cob.status', 'remoção junto de outras alterações')
    revise(book, charge, { terms, status })
    return charge
  }
  const changed = changedTerms(terms, changes)
  checkKey(account, changed)
  checkLocation(book, charge, loc)
  if (!isDeepStrictEqual(changed, terms)) revise(book, charge, { terms: changed, status: 'ATIVA' })
  return charge
}

/** @throws PixProblem when this receiver has no such charge. */
export function findCharge(book: Book, account: BankAccount, txid: string): Charge {
  const charge = book.charges.get(chargeId(account, txid))
  if (charge === undefined)
    throw new PixProblem('CobNaoEncontrado', 'Cobrança não encontrada para o txid informado.')
  return charge
}

export function listCharges(book: Book, account: BankAccount, query: ChargeQuery) {
  const found = [...book.charges.values()].filter((charge) => {
    const { terms, status } = lastOf(charge)
    if (!isOf(charge, account)) return false
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

/** What the document calls CobGerada. @throws PixProblem for a revision that was not. */
export function renderCharge(charge: Charge, number = charge.revisions.length - 1) {
  const revision = charge.revisions[number]
  if (revision === undefined)
    throw violation('CobConsultaInvalida', 'revisao', 'revisão inexistente para a cobrança')
  const { terms, status } = revision
  const { address, id } = charge.location
  const criacao = isoTime(charge.createdMs)
  return {
    ...terms,
    calendario: { criacao, ...terms.calendario },
    txid: charge.txid,
    revisao: number,
    loc: { id, location: address, tipoCob: 'cob', criacao },
    location: address,
    status,
    pixCopiaECola: copyAndPaste({
      location: address,
      amountMinor: amountOf(terms.valor.original),
      receiver: charge.receiver,
    }),
  }
}

/** CobCompleta: with its payments, where there are any. */
export function renderPaidCharge(charge: Charge, number?: number) {
  const pix = charge.payments.map(renderPayment)
  return { ...renderCharge(charge, number), ...(pix.length > 0 && { pix }) }
}

export function lastOf({ revisions }: Charge): Revision {
  return revisions[revisions.length - 1] ?? revisions[0]
}

/** Expiry is no status: the time alone says it. */
export function expiryOf(charge: Charge): number {
  return charge.createdMs + lastOf(charge).terms.calendario.expiracao * SECOND_MS
}

export function revise(book: Book, charge: Charge, revision: Revision): void {
  addRevision(charge, revision)
  book.keep({ charge })
}

/** The caller keeps it, with what comes with it. */
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
    location: { id: book.charges.size + 1, address: `${LOCATION_HOST}/${code}` },
    revisions: [{ terms, status: 'ATIVA' }],
    payments: [],
  }
  book.keep({ charge })
  return charge
}

function changedTerms(
  terms: Revision['terms'],
  { calendario, valor, ...rest }: Omit<ChargeRevision, 'status' | 'loc'>,
): Revision['terms'] {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...terms,
    ...Object.fromEntries(given),
    calendario: { expiracao: calendario?.expiracao ?? terms.calendario.expiracao },
    valor: { ...terms.valor, ...valor, original: valor?.original ?? terms.valor.original },
  }
}

function mustBeOpen(charge: Charge): void {
  if (lastOf(charge).status !== 'ATIVA')
    throw violation('CobOperacaoInvalida', 'cob.status', 'a cobrança não está ATIVA')
}

function checkKey({ pixKeys }: BankAccount, { chave }: Pick<ChargeRequest, 'chave'>): void {
  if (!pixKeys.includes(chave))
    throw violation('CobOperacaoInvalida', 'cob.chave', 'a chave não pertence a este recebedor')
}

/** Locations come with their charges here, so a receiver can name a charge's own alone. */
function checkLocation(book: Book, charge: Charge | undefined, loc: ChargeRequest['loc']): void {
  if (loc === undefined || loc.id === charge?.location.id) return
  const isTaken = [...book.charges.values()].some(({ location }) => location.id === loc.id)
  const reason = isTaken ? 'location já utilizado por outra cobrança' : 'location inexistente'
  throw violation('CobOperacaoInvalida', 'cob.loc.id', reason)
}
