import type { Environment, EventType, Secret } from '@cofre/contracts'
import { type Connection, type Database, prepare } from '@cofre/sql'
import {
  FAILING_AFTER_MS,
  type GatewayTables,
  type SecretWrapping,
  StoreSecretError,
  WAITING_MAX,
} from '@cofre/gateway/room'
import { sql } from 'kysely'
import {
  type ClaimedDelivery,
  type DeliveryKey,
  type DeliveryResult,
  acceptsEvent,
} from '../model/delivery.js'
import type { EventKey, StoreEvent } from '../model/event.js'
import { type DeliveryClaim, claimDue } from './delivery-claim-sql.js'
import { blockAllButFirst, lockOpen } from './delivery-order-sql.js'
import { eventOfRow } from './event-list-sql.js'
import { fanOutSubject, newDelivery } from './fan-out-sql.js'

type Db = Connection<GatewayTables>

/** An event with the address and the secrets that it is sent with. */
export interface DueEvent {
  readonly event: StoreEvent
  readonly url: string
  /** The current one first; none if they do not open. */
  readonly secrets: readonly Secret<string>[]
}

export interface DeliveryAttempt extends DeliveryResult {
  readonly atMs: number
  /** If it was not accepted. */
  readonly nextAttemptAtMs: number
}

export interface DeliveryStoreDeps {
  readonly environment: Environment
  readonly database: Database<GatewayTables>
  readonly secrets: SecretWrapping
}

export type DeliveryStore = ReturnType<typeof createSqlDeliveryStore>

export function createSqlDeliveryStore(deps: DeliveryStoreDeps) {
  const { database } = deps
  return {
    claimDue: (claim: DeliveryClaim) => claimDue(database, claim),

    /** Undefined, and the delivery is over, if its event or endpoint is gone. */
    due: (claimed: ClaimedDelivery, machineNowMs: number) => due(deps, claimed, machineNowMs),

    /**
     * Records an attempt and ends its claim. An attempt counts only under its claim, which another
     * worker may have taken over.
     */
    recordAttempt: (claimed: ClaimedDelivery, attempt: DeliveryAttempt) =>
      acceptsEvent(attempt)
        ? database.commit(acceptance(claimed, attempt))
        : database.transact((trx) => recordRefusal(trx, claimed, attempt)),

    /**
     * Makes an event due again: at one endpoint, or at all that are enabled and take its type or
     * had it before. It waits for earlier ones of its payment, and later ones wait for it. One that
     * is being sent is not sent beside that.
     */
    sendAgain: (event: SentAgain, atMs: number) =>
      database.transact((trx) => sendAgain(trx, event, atMs)),
  }
}

async function due(
  { database, secrets }: DeliveryStoreDeps,
  { endpointCode, subject, position }: ClaimedDelivery,
  machineNowMs: number,
): Promise<DueEvent | undefined> {
  const row = await database.reader
    .selectFrom('event_endpoints')
    .innerJoin('events', 'events.merchant_id', 'event_endpoints.merchant_id')
    .selectAll('events')
    .select(['url', 'secret', 'previous_secret', 'previous_until'])
    .where('code', '=', endpointCode)
    .where('subject', '=', subject)
    .where('position', '=', position)
    .executeTakeFirst()
  if (row === undefined) {
    await database.transact(async (trx) => {
      await trx
        .deleteFrom('event_deliveries')
        .where('endpoint_code', '=', endpointCode)
        .where('subject', '=', subject)
        .where('position', '=', position)
        .execute()
      await trx.run(blockAllButFirst({ code: endpointCode, subject }))
    })
    return undefined
  }
  const { url, secret, previous_secret, previous_until } = row
  const isPreviousLive = previous_until !== null && previous_until > machineNowMs
  const texts = [secret, ...(isPreviousLive && previous_secret !== null ? [previous_secret] : [])]
  return {
    event: eventOfRow(row),
    url,
    secrets: texts.flatMap((text) => opened(secrets, endpointCode, text)),
  }
}

function opened(secrets: SecretWrapping, code: string, text: string): Secret<string>[] {
  try {
    return [secrets.unwrap(code, text)]
  } catch (error) {
    if (error instanceof StoreSecretError) return []
    throw error
  }
}

interface EndedClaim {
  readonly code: string
  readonly subject: string
  readonly position: number
  readonly lease: number
}

const endedClaim = ({ endpointCode, subject, position, leaseUntilMs }: ClaimedDelivery) => ({
  code: endpointCode,
  subject,
  position,
  lease: leaseUntilMs,
})

interface Accepted extends EndedClaim {
  readonly at: number
  readonly status_code: number
}

const accept = prepare((db: Db, { code, subject, position, lease, at, status_code }: Accepted) =>
  db
    .updateTable('event_deliveries')
    .set({
      attempts: sql<number>`attempts + 1`,
      attempted_at: at,
      status_code,
      error: null,
      lease_until: null,
      done_at: at,
    })
    .where('endpoint_code', '=', code)
    .where('subject', '=', subject)
    .where('position', '=', position)
    .where('lease_until', '=', lease),
)

/** Every waiting delivery of the endpoint is due. Writes nothing if it accepted the one before. */
const recover = prepare((db: Db, { code }: { readonly code: string }) =>
  db
    .updateTable('event_endpoints')
    .set({ accepts: 1, failing_since: null, probe_at: null })
    .where('code', '=', code)
    .where((of) => of.or([of('accepts', '=', 0), of('failing_since', 'is not', null)])),
)

function acceptance(claimed: ClaimedDelivery, { atMs, statusCode = 0 }: DeliveryAttempt) {
  const { endpointCode: code, subject } = claimed
  return {
    accepted: accept({ ...endedClaim(claimed), at: atMs, status_code: statusCode }),
    unblocked: blockAllButFirst({ code, subject }),
    recovered: recover({ code }),
  }
}

async function recordRefusal(
  trx: Db,
  claimed: ClaimedDelivery,
  attempt: DeliveryAttempt,
): Promise<void> {
  const { endpointCode, subject, position, leaseUntilMs } = claimed
  const { atMs, nextAttemptAtMs, statusCode, error } = attempt
  // Before the endpoint, as everywhere: two transactions never wait for each other.
  await lockOpen(trx, [endpointCode], [subject])
  const isProbed = await rememberRefusal(trx, endpointCode, attempt)
  await trx
    .updateTable('event_deliveries')
    .set({
      attempts: sql<number>`attempts + 1`,
      attempted_at: atMs,
      status_code: statusCode ?? null,
      error: error ?? null,
      lease_until: null,
      repeated: 1,
      // Only the probe waits: all others are due once the endpoint accepts one.
      next_attempt_at: isProbed ? atMs : nextAttemptAtMs,
    })
    .where('endpoint_code', '=', endpointCode)
    .where('subject', '=', subject)
    .where('position', '=', position)
    .where('lease_until', '=', leaseUntilMs)
    .execute()
}

/** An endpoint that has failed for long, and for which many wait, is probed from now on. */
async function rememberRefusal(
  trx: Db,
  code: string,
  { atMs, nextAttemptAtMs, statusCode, error }: DeliveryAttempt,
): Promise<boolean> {
  const waiting = trx
    .selectFrom('event_deliveries')
    .select('position')
    .where('endpoint_code', '=', code)
    .where('done_at', 'is', null)
    .where('blocked', '=', 0)
    .limit(WAITING_MAX + 1)
  const row = await trx
    .updateTable('event_endpoints')
    .set((set) => ({
      accepts: 0,
      refused_at: atMs,
      refused_status: statusCode ?? null,
      refused_error: error ?? null,
      failing_since: set.fn.coalesce('failing_since', set.val(atMs)),
      // A record from the future was made before the clock was set back.
      probe_at: sql<number | null>`case when probe_at is not null then probe_at
        when abs(${atMs} - failing_since) >= ${FAILING_AFTER_MS}
          and (select count(*) from ${waiting} as waiting) > ${WAITING_MAX}
        then ${nextAttemptAtMs} end`,
    }))
    .where('code', '=', code)
    .returning('probe_at')
    .executeTakeFirst()
  return row !== undefined && row.probe_at !== null
}

export interface SentAgain extends EventKey {
  readonly type: EventType
  /** Undefined for all. */
  readonly endpointCode: string | undefined
}

async function sendAgain(
  trx: Db,
  { storeId, subject, position, type, endpointCode }: SentAgain,
  atMs: number,
): Promise<void> {
  // Otherwise an earlier event without a delivery would come behind it.
  await fanOutSubject(trx, storeId, subject)
  const endpoints = await trx
    .selectFrom('event_endpoints')
    .select(['code', 'types', 'enabled'])
    .where('merchant_id', '=', storeId)
    .orderBy('code')
    .execute()
  const known = await trx
    .selectFrom('event_deliveries')
    .select('endpoint_code')
    .where('endpoint_code', 'in', (of) =>
      of.selectFrom('event_endpoints').select('code').where('merchant_id', '=', storeId),
    )
    .where('subject', '=', subject)
    .where('position', '=', position)
    .execute()
  const codes = endpoints
    .filter(({ code, types, enabled }) =>
      endpointCode === undefined
        ? known.some((one) => one.endpoint_code === code) ||
          (enabled === 1 && (types === null || (JSON.parse(types) as string[]).includes(type)))
        : code === endpointCode,
    )
    .map(({ code }) => code)
  await lockOpen(trx, codes, [subject])
  for (const code of codes) await makeDue(trx, { endpointCode: code, subject, position }, atMs)
}

async function makeDue(trx: Db, key: DeliveryKey, atMs: number): Promise<void> {
  const { endpointCode, subject, position } = key
  await trx
    .insertInto('event_deliveries')
    .values(newDelivery(endpointCode, { subject, position, next_attempt_at: atMs }))
    .onConflict((conflict) =>
      conflict
        .columns(['endpoint_code', 'subject', 'position'])
        .doUpdateSet({ next_attempt_at: atMs, done_at: null, repeated: 0 }),
    )
    .execute()
  await trx.run(blockAllButFirst({ code: endpointCode, subject }))
  await trx
    .updateTable('event_endpoints')
    .set({ probe_at: atMs })
    .where('code', '=', endpointCode)
    .where('probe_at', 'is not', null)
    .execute()
}
