import { setTimeout as pause } from 'node:timers/promises'
import {
  type CardAnswer,
  type CardOrder,
  type Clock,
  DIRECT_TOKEN_FORM,
  type Environment,
  SECOND_MS,
  VAULT_SERVICE_PATHS,
  type WireCardOrder,
  type WireCardSource,
  type WireSchema,
  cardAnswerSchema,
  sessionAnswerSchema,
  wireRecallSchema,
} from '@cofre/contracts'
import { encryptRawCard } from './raw-card.js'
import { type CallerContext, type ServiceChannel, createServiceChannel } from './service-channel.js'
import type { ServiceKeys } from './service-key.js'
import { VaultAnswerError, VaultUnreachableError } from './vault-error.js'

// A payment stays below the 30 s that a shop waits for the gateway, and far below the gateway's own patience with an open
// intent: the acquirer is waited for once; what needs no acquirer, or has it asked already, is quick.
const CONNECT_TIMEOUT_MS = 2 * SECOND_MS
const ANSWER_TIMEOUT_MS = 15 * SECOND_MS
const QUICK_TIMEOUT_MS = 4 * SECOND_MS
const PAUSE_MS = 100

/** Where the vault is, and how long to wait for it. */
export interface VaultClientOptions {
  /** Origin of the vault's service port: `http://10.0.0.5:8086`. */
  readonly url: string
  readonly keys: ServiceKeys
  readonly clock: Clock
  /** For the vault's answer to the first attempt; default 15,000. A second attempt gets 4,000 at most. */
  readonly answerTimeoutMs?: number
  /** For whom the gateway asks at the moment, told to the vault for its logs and traces. */
  readonly callerContext?: () => CallerContext
}

/** A vault in another process, as a gateway needs it. */
export interface VaultClient {
  /**
   * Charges a card at most once per environment and transaction code. Refused as `vault_unavailable` when the vault was
   * certainly not asked. A lost answer is asked for once more.
   * @throws VaultAnswerError when the outcome is unknown
   */
  authorize(order: CardOrder): Promise<CardAnswer>
  /** @throws VaultUnreachableError, VaultAnswerError */
  recallAuthorization(
    environment: Environment,
    transactionCode: string,
  ): Promise<CardAnswer | undefined>
  /** @throws VaultUnreachableError, VaultAnswerError */
  activateSavedCard(environment: Environment, transactionCode: string): Promise<void>
  /** Resolves when the vault answers and accepts the key. @throws VaultUnreachableError, VaultAnswerError */
  ping(): Promise<void>
  /** Ends idle connections. */
  close(): void
}

export function createVaultClient(options: VaultClientOptions): VaultClient {
  const { url, keys, clock, callerContext, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options
  const connectTimeoutMs = CONNECT_TIMEOUT_MS
  const key = keys.current
  const channel = createServiceChannel({ url, key, clock, connectTimeoutMs, callerContext })
  const deps: ClientDeps = { channel, answerTimeoutMs }
  return {
    authorize: (order) => authorize(deps, order),
    recallAuthorization: (environment, code) => recall(deps, environment, code),
    async activateSavedCard(environment, transactionCode) {
      await ask(deps, VAULT_SERVICE_PATHS.activations, { environment, transactionCode })
    },
    async ping() {
      await ask(deps, VAULT_SERVICE_PATHS.ping, {})
    },
    close() {
      channel.close()
    },
  }
}

interface ClientDeps {
  readonly channel: ServiceChannel
  readonly answerTimeoutMs: number
}

async function authorize(deps: ClientDeps, order: CardOrder): Promise<CardAnswer> {
  // A shop may send anything for a token, a card in the clear too: it does not go on the wire.
  if (order.source.kind === 'token' && !DIRECT_TOKEN_FORM.test(order.source.token))
    return { kind: 'refused', reason: 'token_invalid' }
  const source = await wireSourceOf(deps, order)
  if (source === undefined) return UNAVAILABLE
  const body: WireCardOrder = { ...order, source }
  let asked: Asked
  try {
    asked = await ask(deps, VAULT_SERVICE_PATHS.authorizations, body)
  } catch (error) {
    if (error instanceof VaultUnreachableError) return UNAVAILABLE
    throw error
  }
  const answer = read(cardAnswerSchema, asked.json)
  if (!asked.isRepeat || answer.kind === 'answered') return answer
  // A refusal of the second attempt tells nothing of the first, which may be under way still. The recall settles it.
  return (await recall(deps, order.environment, order.transactionCode)) ?? answer
}

const UNAVAILABLE: CardAnswer = { kind: 'refused', reason: 'vault_unavailable' }

/** Undefined when a raw card could not be encrypted because the vault did not say to which key: nothing was charged. */
async function wireSourceOf(
  deps: ClientDeps,
  { source, merchantId }: CardOrder,
): Promise<WireCardSource | undefined> {
  if (source.kind !== 'raw') return source
  try {
    const { json } = await ask(deps, VAULT_SERVICE_PATHS.sessions, {})
    const session = read(sessionAnswerSchema, json)
    return { kind: 'encrypted', token: await encryptRawCard(source.card, session, merchantId) }
  } catch (error) {
    if (error instanceof VaultUnreachableError || error instanceof VaultAnswerError)
      return undefined
    throw error
  }
}

async function recall(
  deps: ClientDeps,
  environment: Environment,
  transactionCode: string,
): Promise<CardAnswer | undefined> {
  const { json } = await ask(deps, VAULT_SERVICE_PATHS.recalls, { environment, transactionCode })
  return read(wireRecallSchema, json).answer ?? undefined
}

interface Asked {
  readonly json: unknown
  /** The answer is to the second attempt, and the first one may have arrived too. */
  readonly isRepeat: boolean
}

/**
 * Asks, and asks once more when no answer came: no request of the service does harm when it is repeated.
 * @throws VaultUnreachableError when neither attempt was sent
 * @throws VaultAnswerError when one of them may have arrived
 */
async function ask(deps: ClientDeps, target: string, body: object): Promise<Asked> {
  const request = { method: 'POST', target, body: JSON.stringify(body) }
  const { channel, answerTimeoutMs } = deps
  const quickTimeoutMs = Math.min(answerTimeoutMs, QUICK_TIMEOUT_MS)
  const firstTimeoutMs = asksAcquirer(target) ? answerTimeoutMs : quickTimeoutMs
  let first: unknown
  try {
    return { json: await exchange(channel, request, firstTimeoutMs), isRepeat: false }
  } catch (error) {
    first = error
  }
  const maybeArrived = !(first instanceof VaultUnreachableError)
  await pause(PAUSE_MS)
  try {
    return { json: await exchange(channel, request, quickTimeoutMs), isRepeat: maybeArrived }
  } catch (error) {
    throw maybeArrived ? first : error
  }
}

function asksAcquirer(target: string): boolean {
  return target === VAULT_SERVICE_PATHS.authorizations || target === VAULT_SERVICE_PATHS.recalls
}

async function exchange(
  channel: ServiceChannel,
  request: Parameters<ServiceChannel['exchange']>[0],
  timeoutMs: number,
): Promise<unknown> {
  const { status, body } = await channel.exchange(request, timeoutMs)
  if (status !== 200) throw new VaultAnswerError(`answered ${status}`)
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw new VaultAnswerError('answered what is not JSON')
  }
}

/** Not the schema's error: it is of no use to an operator, and may quote the answer. */
function read<T>(schema: WireSchema<T>, json: unknown): T {
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new VaultAnswerError('answered in a form that is not the service’s')
  return parsed.data
}
