import {
  type CardDetails,
  type CardOrder,
  type Clock,
  DAY_MS,
  DIRECT_TOKEN_PLAINTEXT_BYTES,
  type Decline,
  type DirectTokenPayload,
  type Log,
  type SessionAnswer,
  minorUnits,
} from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { TestEngine } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { type CompactJWEHeaderParameters, CompactEncrypt } from 'jose'
import type {
  AcquirerAnswer,
  AcquirerPayment,
  AuthorizeRequest,
  ChargeDecision,
  CompletedCharge,
} from '@cofre/provider-kit/card'
import type { PlayedAcquirer } from './authorization/charging.js'
import { type VaultDeps, createVault } from './create-vault.js'
import type { KeyEncryption } from './keys/key-encryption.js'
import { generateKeyRing, parseKeyRing } from './keys/key-ring.js'
import { createMemorySessionStore } from './session/session-store-memory.js'
import type { SessionStore } from './session/session-store.js'
import { VAULT_MIGRATIONS } from './database/vault-database.js'
import type { VaultTables } from './database/vault-tables.js'
import type { Vault } from './model/vault.js'

export const CARD: CardDetails = {
  number: '4111111111111111',
  cvv: '917',
  month: '12',
  year: '2030',
}
export const AMEX: CardDetails = {
  number: '378282246310005',
  cvv: '7391',
  month: '08',
  year: '2031',
}
export const DISCOVER: CardDetails = { ...CARD, number: '6011111111111117' }

class TestClock implements Clock {
  nowMs = Date.UTC(2026, 10, 21)

  now(): number {
    return this.nowMs
  }
}

/** An acquirer's answer in a test: a result, or only its name. */
export type TestAnswer =
  | 'approved'
  | 'declined'
  | 'pending'
  | 'review'
  | 'unknown'
  | AcquirerAnswer<ChargeDecision>
  | Error

export const DECLINE: Decline = {
  reason: 'insufficient_funds',
  retry: { kind: 'allowed', afterMs: DAY_MS },
  code: '51',
}

export function paymentNamed(paymentId: string): AcquirerPayment {
  return {
    paymentId,
    nsu: `nsu of ${paymentId}`,
    authorizationCode: 'A1B2C3',
    eci: undefined,
    networkTransactionId: `network ${paymentId}`,
  }
}

/** @throws the error that is the answer */
export function resultOf(answer: TestAnswer, paymentId: string): AcquirerAnswer<ChargeDecision> {
  if (answer instanceof Error) throw answer
  if (typeof answer !== 'string') return answer
  const payment = paymentNamed(paymentId)
  switch (answer) {
    case 'approved':
      return { kind: 'done', value: { outcome: answer, payment, surplus: [] } }
    case 'declined':
      return { kind: 'done', value: { outcome: answer, decline: DECLINE, payment } }
    case 'pending':
    case 'review':
      return { kind: 'done', value: { outcome: answer, payment } }
    case 'unknown':
      return { kind: answer, detail: 'the acquirer does not know' }
  }
}

/** Gives the answers that the test sets, and records its requests, with the card in the clear. */
class TestAcquirer implements PlayedAcquirer {
  readonly requests: (Omit<AuthorizeRequest, 'card'> & { card: Partial<CardDetails> })[] = []
  /** One answer for each request, and the last one for all that follow; an error is thrown. */
  answers: TestAnswer[] = ['approved']
  /** The answers to payers' results; after that, the outcome is unknown. */
  completions: AcquirerAnswer<CompletedCharge>[] = []

  completeAuthentication = (): Promise<AcquirerAnswer<CompletedCharge>> =>
    Promise.resolve(this.completions.shift() ?? { kind: 'unknown', detail: 'no answer' })

  async authorize(request: AuthorizeRequest): Promise<AcquirerAnswer<ChargeDecision>> {
    this.requests.push({ ...request, card: request.card.reveal() })
    const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0]
    await new Promise((resolve) => setImmediate(resolve))
    return resultOf(answer ?? new Error('no answer'), `payment ${this.requests.length}`)
  }
}

class TestLog implements Log {
  readonly lines: string[] = []
  readonly info = this.#write.bind(this)
  readonly warn = this.#write.bind(this)
  readonly error = this.#write.bind(this)

  #write(fields: Record<string, unknown>, message: string): void {
    this.lines.push(JSON.stringify({ ...fields, message }))
  }
}

export interface TestVault {
  readonly vault: Vault
  readonly database: Database<VaultTables>
  readonly acquirer: TestAcquirer
  readonly clock: TestClock
  readonly log: TestLog
  readonly deps: VaultDeps
  /** Undefined on PostgreSQL, where sessions are in a table. */
  readonly memorySessions: SessionStore | undefined
  /** Opens a session and deposits the card on it. */
  deposit(card?: CardDetails, store?: string): Promise<string>
}

/** @param keys - Default: random ones. */
export async function openTestVault(
  engine: TestEngine,
  keys: KeyEncryption = parseKeyRing(generateKeyRing()),
): Promise<TestVault> {
  const database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
  const [acquirer, clock, log] = [new TestAcquirer(), new TestClock(), new TestLog()]
  const memorySessions = engine.name === 'sqlite' ? createMemorySessionStore() : undefined
  const deps: VaultDeps = {
    database,
    keys,
    played: { production: acquirer, sandbox: acquirer },
    installation: 'test',
    clock,
    log,
    ...(memorySessions !== undefined && { memorySessions }),
  }
  const vault = createVault(deps)
  return {
    vault,
    database,
    acquirer,
    clock,
    log,
    deps,
    memorySessions,
    async deposit(card = CARD, store) {
      const token = await tokenFor(await vault.openSession(), payloadOf(card, store))
      await vault.depositDirectToken(token)
      return token
    },
  }
}

export function payloadOf(card: CardDetails, store?: string): DirectTokenPayload {
  return { ...card, ...(store !== undefined && { store }) }
}

/** A token as the browser library makes it, unless the header differs. */
export async function tokenFor(
  session: SessionAnswer,
  payload: unknown = CARD,
  header: Partial<CompactJWEHeaderParameters> = {},
): Promise<string> {
  const plain = JSON.stringify(payload).padEnd(DIRECT_TOKEN_PLAINTEXT_BYTES)
  return await new CompactEncrypt(new TextEncoder().encode(plain))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: session.id, ...header })
    .encrypt({ ...session['public-key'] })
}

/** The token of a saved card's security code, deposited. */
export async function depositCode(
  { vault }: Pick<TestVault, 'vault'>,
  cvv: string,
  store?: string,
): Promise<string> {
  const token = await tokenFor(await vault.openSession(), { cvv, ...(store && { store }) })
  await vault.depositDirectToken(token)
  return token
}

export const PAYER = { name: 'Maria da Silva', document: '12345678909', ip: '203.0.113.7' }

let orders = 0

/** An order that pays with the token, with a transaction code of its own. */
export function orderFor(token: string, changes: Partial<CardOrder> = {}): CardOrder {
  orders += 1
  return {
    environment: 'production',
    merchantId: 'store-1',
    transactionCode: String(100_000_000_000_000 + orders),
    source: { kind: 'token', token },
    payerEmail: 'Maria@Example.com',
    amountMinor: minorUnits(10_000),
    installments: 1,
    saveCard: false,
    payer: PAYER,
    ...changes,
  }
}

export function orderByCode(code: string, changes: Partial<CardOrder> = {}): CardOrder {
  return orderFor('', { source: { kind: 'code', code }, ...changes })
}

/** The whole database, as text. */
export async function dumpDatabase({ reader }: Database<VaultTables>): Promise<string> {
  const tables = [
    'data_keys',
    'sessions',
    'direct_tokens',
    'authorizations',
    'card_charges',
    'card_authentications',
    'card_cancels',
    'card_captures',
    'card_returns',
    'card_events',
    'card_looks',
    'card_readings',
    'unheard_charges',
    'covered_accounts',
    'card_changes',
    'card_declines',
    'card_checks',
    'foreign_notices',
    'saved_cards',
    'store_field_settings',
    'accounts',
    'account_routes',
    'audit_log',
    'audit_head',
  ] as const
  const rows = await Promise.all(
    tables.map(async (table) => await reader.selectFrom(table).selectAll().execute()),
  )
  return JSON.stringify(rows)
}

const REFUSED_TABLES = ['sessions', 'direct_tokens', 'authorizations']

/** From here on, the database refuses writes, like one that is read-only or whose disk is full. */
export async function refuseWriting(database: Database<VaultTables>): Promise<void> {
  const statements =
    database.dialect.engine === 'sqlite'
      ? ['pragma query_only = on']
      : [
          `create function disk_is_full() returns trigger language plpgsql as $$ begin
            raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
          ...REFUSED_TABLES.map(
            (table) => `create trigger full_disk before insert or update or delete on ${table}
              execute function disk_is_full()`,
          ),
        ]
  for (const statement of statements)
    await database.transact((unit) => sql.raw(statement).execute(unit))
}
