import { setTimeout as pause } from 'node:timers/promises'
import {
  type CardAccounts,
  type CardAnswer,
  type CardCheck,
  type CardCheckAnswer,
  type CardChecks,
  type CardDetails,
  type CardFields,
  COVERED_AT_ONCE,
  type CardOrder,
  type CardPayments,
  type CardRefusal,
  type CardReturns,
  type CardSource,
  type Clock,
  type Deadline,
  DIRECT_TOKEN_ALG,
  DIRECT_TOKEN_ENC,
  DIRECT_TOKEN_FORM,
  DIRECT_TOKEN_PLAINTEXT_BYTES,
  type DirectTokenPayload,
  type Environment,
  type Log,
  SECOND_MS,
  SHOP_WAITS_PARAMETER,
  type SealedThreeDSecure,
  type Secret,
  type StoredCards,
  type ThreeDSecureResult,
  VAULT_CALLS,
  type VaultCall,
  type WireCardOrder,
} from '@cofre/contracts'
import { SHOP_WAITS_MS } from '@cofre/work'
import { CompactEncrypt } from 'jose'
import { type CallerContext, type ServiceChannel, createServiceChannel } from './service-channel.js'
import type { ServiceKeys } from './service-key.js'
import { VaultAnswerError, VaultRefusalError, VaultUnreachableError } from './vault-error.js'

// A payment takes less than the 30 s that a shop waits for the gateway, and far less than the age
// at which the gateway checks an open intent. The acquirer is waited for once. Calls that need no
// acquirer, or have asked it already, are fast.
const CONNECT_TIMEOUT_MS = 2 * SECOND_MS
const QUICK_TIMEOUT_MS = 4 * SECOND_MS
const PAUSE_MS = 100

/** The vault's address, and how long to wait for it. */
export interface VaultClientOptions {
  /** Origin of the vault's service port: `http://10.0.0.5:8086`. */
  readonly url: string
  readonly keys: ServiceKeys
  readonly clock: Clock
  /**
   * How long to wait for the answer to the first attempt; default 15,000. A second one gets 4,000
   * at most.
   */
  readonly answerTimeoutMs?: number
  /** The request that caused the gateway's call, sent to the vault for its logs and traces. */
  readonly callerContext?: () => CallerContext
  /** Logs why the vault was certainly not asked: the answer `vault_unavailable` has no reason. */
  readonly log?: Log
}

/**
 * A vault in another process. A charge is refused as `vault_unavailable` if the vault was certainly
 * not asked; a lost answer is requested once more. After the vault has refused the signature, an
 * order is sent only if the vault has just accepted the signature of a ping.
 * @throws VaultUnreachableError, VaultAnswerError from every method; a charge only the latter, when
 * its outcome is unknown
 */
export interface VaultClient
  extends CardPayments, CardReturns, CardFields, CardAccounts, StoredCards, CardChecks {
  /**
   * Resolves when the vault answers and accepts the key. @throws VaultUnreachableError,
   * VaultAnswerError
   */
  ping(): Promise<void>
  /** Ends idle connections. */
  close(): void
}

export function createVaultClient(options: VaultClientOptions): VaultClient {
  const { url, keys, clock, callerContext, log, answerTimeoutMs = SHOP_WAITS_MS } = options
  const connectTimeoutMs = CONNECT_TIMEOUT_MS
  const key = keys.current
  const channel = createServiceChannel({ url, key, clock, connectTimeoutMs, callerContext })
  const deps: ClientDeps = { channel, answerTimeoutMs, log, standing: { isRefused: false } }
  return {
    authorize: (order) => authorize(deps, order),
    recallAuthorization: (environment, code) => recall(deps, environment, code),
    hasArrived: async (environment, transactionCode) =>
      (await sendRequest(deps, VAULT_CALLS.arrivals, { environment, transactionCode })).answer
        .hasArrived,
    authenticate: async (request) =>
      (await sendRequest(deps, VAULT_CALLS.authentications, request)).answer.answer ?? undefined,
    installmentsFor: async (order) =>
      (await sendRequest(deps, VAULT_CALLS.installments, order)).answer.most ?? undefined,
    async activateSavedCard(environment, transactionCode) {
      await sendRequest(deps, VAULT_CALLS.activations, { environment, transactionCode })
    },
    refund: async (order) => (await sendRequest(deps, VAULT_CALLS.refunds, order)).answer,
    capture: async (order) => (await sendRequest(deps, VAULT_CALLS.captures, order)).answer,
    voidCharge: async (order) => (await sendRequest(deps, VAULT_CALLS.voids, order)).answer,
    changes: async (environment) =>
      (await sendRequest(deps, VAULT_CALLS.changes, { environment })).answer.changes,
    async acknowledge(environment, ids) {
      await sendRequest(deps, VAULT_CALLS.acknowledgements, { environment, ids: [...ids] })
    },
    async coverAccounts(environment, accounts) {
      for (let from = 0; from < accounts.length; from += COVERED_AT_ONCE) {
        const some = accounts.slice(from, from + COVERED_AT_ONCE)
        await sendRequest(deps, VAULT_CALLS.coveredAccounts, { environment, accounts: some })
      }
    },
    cardAccounts: async (environment, merchantId) =>
      (await sendRequest(deps, VAULT_CALLS.cardAccounts, { environment, merchantId })).answer
        .accounts,
    checkCard: (check) => checkCard(deps, check),
    storedCardsOf: async (some) =>
      (await sendRequest(deps, VAULT_CALLS.storedCards, some)).answer.cards,
    findStoredCard: async (card) =>
      (await sendRequest(deps, VAULT_CALLS.storedCard, card)).answer.card ?? undefined,
    deleteSavedCard: async (environment, merchantId, code) =>
      (await sendRequest(deps, VAULT_CALLS.cardDeletions, { environment, merchantId, code })).answer
        .isDeleted,
    setFieldSettings: async (settings) =>
      (await sendRequest(deps, VAULT_CALLS.fieldSettings, settings)).answer.revision,
    async ping() {
      await sendRequest(deps, VAULT_CALLS.ping, {})
    },
    close() {
      channel.close()
    },
  }
}

interface ClientDeps {
  readonly channel: ServiceChannel
  readonly answerTimeoutMs: number
  readonly log: Log | undefined
  /** True if the vault has refused the gateway's signature and accepted none since. */
  readonly standing: { isRefused: boolean }
}

async function authorize(deps: ClientDeps, { deadline, ...order }: CardOrder): Promise<CardAnswer> {
  const malformed = malformedToken(order.source)
  if (malformed !== undefined)
    return {
      kind: 'refused',
      reason: malformed,
      ...(order.environment === 'sandbox' && { tokenFault: 'malformed' }),
    }
  let sent: WireCardOrder
  try {
    if (deps.standing.isRefused) await proveAcceptance(deps)
    sent = await wireOrderOf(deps, order)
  } catch (error) {
    // The order was not sent, whatever failed.
    if (error instanceof VaultUnreachableError || error instanceof VaultAnswerError)
      return unavailable(deps, order, error)
    throw error
  }
  let asked: Replied<CardAnswer>
  try {
    asked = await sendRequest(deps, { ...VAULT_CALLS.authorizations, deadline }, sent)
  } catch (error) {
    if (error instanceof VaultUnreachableError) return unavailable(deps, order, error)
    throw error
  }
  const { answer, isRepeat } = asked
  const isUnavailable = answer.kind === 'refused' && answer.reason === 'vault_unavailable'
  if (!isRepeat && isUnavailable)
    return unavailable(deps, order, new Error('the vault has no session for the raw card'))
  if (!isRepeat || answer.kind === 'answered') return answer
  // The first attempt may still be under way, whatever the reason to refuse the second. The recall
  // decides.
  return (await recall(deps, order.environment, order.transactionCode)) ?? answer
}

/**
 * A shop may send anything as a token, even a plain card or its security code, which must not leave
 * this process.
 */
function malformedToken(source: CardSource): CardRefusal | undefined {
  if (source.kind === 'token' && !DIRECT_TOKEN_FORM.test(source.token)) return 'token_invalid'
  const isCodeMalformed =
    source.kind === 'code' &&
    source.securityCodeToken !== undefined &&
    !DIRECT_TOKEN_FORM.test(source.securityCodeToken)
  return isCodeMalformed ? 'security_code_token_invalid' : undefined
}

function unavailable(
  { log }: ClientDeps,
  { transactionCode }: CardOrder,
  error: Error,
): CardAnswer {
  log?.error(
    { transaction: transactionCode, error },
    'a card was not charged: the vault is unavailable',
  )
  return { kind: 'refused', reason: 'vault_unavailable' }
}

/**
 * Makes the vault accept the signature of a request that does nothing. A 401 to an order would
 * prove nothing; an order that is not sent is certainly not charged.
 * @throws VaultUnreachableError, VaultAnswerError
 */
async function proveAcceptance(deps: ClientDeps): Promise<void> {
  const ping = { method: 'POST', target: VAULT_CALLS.ping.path, body: '{}' }
  await exchange(deps, ping, Math.min(deps.answerTimeoutMs, QUICK_TIMEOUT_MS))
}

/**
 * The order as it is sent: card and 3-DS result are encrypted.
 * @throws VaultUnreachableError, VaultAnswerError if the vault did not return the key for that
 */
async function wireOrderOf(
  deps: ClientDeps,
  { source, threeDSecure, ...order }: CardOrder,
): Promise<WireCardOrder> {
  return {
    ...order,
    source:
      source.kind === 'raw'
        ? { kind: 'encrypted', token: await encryptRawCard(deps, source.card, order.merchantId) }
        : source,
    ...(threeDSecure !== undefined && {
      threeDSecure: await encryptThreeDSecure(deps, threeDSecure, order),
    }),
  }
}

/** Makes a direct token from a raw card, as the browser library does, for this store only. */
async function encryptRawCard(
  deps: ClientDeps,
  card: Secret<CardDetails>,
  store: string,
): Promise<string> {
  const { number, cvv, month, year } = card.reveal()
  const payload: DirectTokenPayload = { number, cvv, month, year, store }
  return await encrypt(deps, JSON.stringify(payload).padEnd(DIRECT_TOKEN_PLAINTEXT_BYTES))
}

/** Encrypts a 3-DS result for this order only. */
async function encryptThreeDSecure(
  deps: ClientDeps,
  { version, eci, cavv, directoryServerTransactionId }: ThreeDSecureResult,
  { environment, transactionCode }: Pick<CardOrder, 'environment' | 'transactionCode'>,
): Promise<string> {
  const payload: SealedThreeDSecure = {
    environment,
    transactionCode,
    version,
    eci,
    cavv: cavv.reveal(),
    directoryServerTransactionId,
  }
  return await encrypt(deps, JSON.stringify(payload))
}

/** Encrypts to a session that is opened for this alone. */
async function encrypt(deps: ClientDeps, plaintext: string): Promise<string> {
  const { answer: session } = await sendRequest(deps, VAULT_CALLS.sessions, {})
  return await new CompactEncrypt(new TextEncoder().encode(plaintext))
    .setProtectedHeader({ alg: DIRECT_TOKEN_ALG, enc: DIRECT_TOKEN_ENC, kid: session.id })
    .encrypt({ ...session['public-key'] })
}

/** A shop may send anything as a token, even a plain card, which must not leave this process. */
async function checkCard(
  deps: ClientDeps,
  { deadline, ...check }: CardCheck,
): Promise<CardCheckAnswer> {
  if (!DIRECT_TOKEN_FORM.test(check.token))
    return {
      kind: 'refused',
      reason: 'token_invalid',
      ...(check.environment === 'sandbox' && { tokenFault: 'malformed' }),
    }
  return (await sendRequest(deps, { ...VAULT_CALLS.cardChecks, deadline }, check)).answer
}

async function recall(
  deps: ClientDeps,
  environment: Environment,
  transactionCode: string,
): Promise<CardAnswer | undefined> {
  const asked = await sendRequest(deps, VAULT_CALLS.recalls, { environment, transactionCode })
  return asked.answer.answer ?? undefined
}

const ACQUIRER_CALLS: readonly string[] = [
  VAULT_CALLS.authorizations.path,
  VAULT_CALLS.recalls.path,
  VAULT_CALLS.authentications.path,
  VAULT_CALLS.refunds.path,
  VAULT_CALLS.captures.path,
  VAULT_CALLS.voids.path,
  VAULT_CALLS.cardChecks.path,
]

interface Target {
  readonly path: string
  /** When the shop stops waiting, if the vault needs to know. */
  readonly deadline?: Deadline | undefined
}

interface Replied<Answer> {
  readonly answer: Answer
  /** True if the second attempt was answered, and the first one may have arrived too. */
  readonly isRepeat: boolean
}

/**
 * Sends a request, and once more if no answer came: every request of the service is safe to repeat.
 * @throws VaultUnreachableError if neither attempt was sent
 * @throws VaultAnswerError if one of them may have arrived
 */
async function sendRequest<Body, Answer>(
  deps: ClientDeps,
  call: VaultCall<Body, Answer> & Target,
  body: Body,
): Promise<Replied<Answer>> {
  const text = JSON.stringify(body)
  const request = () => ({ method: 'POST', target: targetOf(call), body: text })
  const quickTimeoutMs = Math.min(deps.answerTimeoutMs, QUICK_TIMEOUT_MS)
  const firstTimeoutMs = ACQUIRER_CALLS.includes(call.path) ? deps.answerTimeoutMs : quickTimeoutMs
  let isRepeat = false
  const json = await exchange(deps, request(), firstTimeoutMs).catch(async (first: unknown) => {
    isRepeat = !(first instanceof VaultUnreachableError)
    await pause(PAUSE_MS)
    return await exchange(deps, request(), quickTimeoutMs).catch((second: unknown) => {
      throw isRepeat ? first : second
    })
  })
  const parsed = call.response.safeParse(json)
  // Not the schema's error: it doesn't help an operator, and may quote the answer.
  if (!parsed.success) throw new VaultAnswerError('answered in a form that is not the service’s')
  return { answer: parsed.data, isRepeat }
}

function targetOf({ path, deadline }: Target): string {
  if (deadline === undefined) return path
  return `${path}?${SHOP_WAITS_PARAMETER}=${Math.max(0, Math.floor(deadline.leftMs()))}`
}

async function exchange(
  { channel, standing }: ClientDeps,
  request: Parameters<ServiceChannel['exchange']>[0],
  timeoutMs: number,
): Promise<unknown> {
  const { status, body } = await channel.exchange(request, timeoutMs).catch((error: unknown) => {
    if (error instanceof VaultRefusalError) standing.isRefused = true
    throw error
  })
  standing.isRefused = false
  if (status !== 200) throw new VaultAnswerError(`answered ${status}`)
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw new VaultAnswerError('answered what is not JSON')
  }
}
