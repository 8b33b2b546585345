import { randomInt } from 'node:crypto'
import { type Clock, DAY_MS, HOUR_MS, cursorBy, pageOf } from '@cofre/contracts'
import { type Database, valuesOf } from '@cofre/sql'
import type {
  Act,
  ActDetail,
  ActId,
  ActsLog,
  ActsQuery,
  DrawnSecret,
  NewAct,
} from '../model/act.js'
import { membershipsOf } from './owner-sql.js'
import type { ActRow, PeopleTables } from '../model/people-tables.js'
import type { Db, Unit } from '../model/unit.js'

const EPOCH_MS = Date.UTC(2025, 0, 1)
const STEP_MS = 10
/**
 * Ids in one step of time, drawn like transactions' codes: eleven digits of steps last until 2056.
 */
const IDS_PER_STEP = 10_000
/** The longest time from an act's request to its end: of uploads and exports. */
const LONGEST_ACT_MS = HOUR_MS

function idAt(atMs: number): number {
  return Math.floor((atMs - EPOCH_MS) / STEP_MS) * IDS_PER_STEP
}

type NewActRow = Omit<ActRow, 'actor_name' | 'actor_email'>

function rowOf(act: NewAct, atMs: number, ofAct: ActId | null): NewActRow {
  return {
    id: idAt(atMs) + randomInt(IDS_PER_STEP),
    environment: act.environment,
    merchant_id: act.storeId ?? null,
    actor: act.actor,
    action: act.action,
    target: act.target ?? null,
    of_act: ofAct,
    outcome: act.outcome,
    detail: JSON.stringify(act.detail ?? {}),
    at: atMs,
    address: act.address,
    browser: act.browser,
  }
}

/** Appends an act, in the unit of work of its change. A used id is drawn again. */
export async function insertAct(
  { trx, clock }: Pick<Unit, 'trx' | 'clock'>,
  act: NewAct,
  ofAct: ActId | null = null,
): Promise<ActId> {
  for (;;) {
    const row = rowOf(act, clock.now(), ofAct)
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('acts')
      .values({ ...row, ...calledToday(trx, row.actor) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    if (Number(numInsertedOrUpdatedRows) > 0) return row.id
  }
}

/** The person's current name and e-mail, read by the statement that records them. */
export function calledToday(trx: Db, actor: string) {
  const own = trx.selectFrom('people').where('id', '=', personIdOf(actor))
  return { actor_name: own.select('name'), actor_email: own.select('email') }
}

const PERSON = 'person:'

/** Empty for an operator. */
function personIdOf(actor: string): string {
  return actor.startsWith(PERSON) ? actor.slice(PERSON.length) : ''
}

const COLUMNS = [
  'id',
  'environment',
  'merchant_id',
  'actor',
  'action',
  'target',
  'of_act',
  'outcome',
  'detail',
  'at',
  'address',
  'browser',
] as const satisfies readonly (keyof NewActRow)[]

/** Appends the act of a known person. For an unknown person, the same statement writes nothing. */
export async function insertActOfPerson(
  { trx, clock }: Unit,
  person: { readonly id: string; readonly isKnown: boolean },
  act: Omit<NewAct, 'actor'>,
): Promise<void> {
  for (;;) {
    const row = rowOf({ ...act, actor: `person:${person.id}` }, clock.now(), null)
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('acts')
      .columns([...COLUMNS, 'actor_name', 'actor_email'])
      .expression((of) =>
        of
          .selectFrom('people')
          .select(valuesOf(row, COLUMNS))
          .select(['people.name', 'people.email'])
          .where('people.id', '=', person.id),
      )
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    if (!person.isKnown || Number(numInsertedOrUpdatedRows) > 0) return
  }
}

export interface ActsLogDeps {
  readonly database: Database<PeopleTables>
  readonly clock: Clock
}

export function createSqlActsLog({ database, clock }: ActsLogDeps): ActsLog {
  const { reader } = database
  return {
    record: (act) => database.transact((trx) => insertAct({ trx, clock }, act)),

    async end(id, outcome, detail) {
      await database.transact(async (trx) => {
        const asked = await trx
          .selectFrom('acts')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst()
        if (asked === undefined) throw new Error(`there is no act ${String(id)} that could end`)
        await insertAct({ trx, clock }, { ...newActOf(asked), outcome, detail }, id)
      })
    },

    async list(storeId, query) {
      const rows = [
        ...(await actsOfStore(reader, storeId, query)),
        ...(await actsOfItsPeople(reader, storeId, query)),
      ]
      const latest = rows.toSorted((one, other) => other.id - one.id)
      const { items, next } = pageOf(latest, query.limit, CURSOR.of)
      const ended = withEnds(items, await endsOf(reader, storeId, items))
      return { items: await withNames(reader, ended), next }
    },

    drawnSecrets: (personId) => drawnSecrets(reader, personId),

    async of(storeId, target) {
      const rows = await reader
        .selectFrom('acts')
        .selectAll()
        .where('merchant_id', '=', storeId)
        .where('target', '=', target)
        .orderBy('id')
        .execute()
      const asked = rows.filter(({ of_act }) => of_act === null)
      return await withNames(reader, withEnds(asked, rows))
    },
  }
}

async function drawnSecrets(db: Db, personId: string): Promise<readonly DrawnSecret[]> {
  const drawn = db
    .selectFrom('acts')
    .select((of) => ['merchant_id', 'environment', of.fn.max('at').as('at')])
    .where('action', 'in', ['store:secret', 'sandbox:secret'])
    .where('outcome', '=', 'done')
    .where('merchant_id', 'is not', null)
    .groupBy(['merchant_id', 'environment'])
  const own = await drawn.where('actor', '=', `person:${personId}`).execute()
  const known: DrawnSecret[] = []
  for (const { merchant_id: storeId, environment, at } of own) {
    const place = drawn.where('merchant_id', '=', storeId).where('environment', '=', environment)
    const last = await place.executeTakeFirst()
    const isReplaced = storeId === null || (last?.at ?? at) >= at + DAY_MS
    if (!isReplaced) known.push({ storeId, environment, atMs: at })
  }
  return known
}

async function actsOfStore(db: Db, storeId: string, query: ActsQuery): Promise<ActRow[]> {
  return await matching(db, query)
    .where('merchant_id', '=', storeId)
    .$if(query.actor !== undefined, (acts) => acts.where('actor', '=', query.actor ?? 'start'))
    .$if(query.scope === 'sandbox', (acts) => acts.where('environment', '=', 'sandbox'))
    .execute()
}

/** The own acts of the store's people: the latest of each, since the log has no such list. */
async function actsOfItsPeople(db: Db, storeId: string, query: ActsQuery): Promise<ActRow[]> {
  const people = await db
    .selectFrom(membershipsOf(query.scope ?? 'both'))
    .select('person_id')
    .where('merchant_id', '=', storeId)
    .execute()
  const actors = people.map(({ person_id }) => `person:${person_id}` as const)
  const rows = await Promise.all(
    actors
      .filter((actor) => query.actor === undefined || actor === query.actor)
      .map((actor) =>
        matching(db, query).where('actor', '=', actor).where('merchant_id', 'is', null).execute(),
      ),
  )
  return rows.flat()
}

const CURSOR = cursorBy({ id: 'bigint' })

function matching(db: Db, { action, target, fromMs, untilMs, after, limit }: ActsQuery) {
  const ends = [CURSOR.read(after)?.id, untilMs === undefined ? undefined : idAt(untilMs)]
  const end = Math.min(...ends.map((id) => id ?? Number.MAX_SAFE_INTEGER))
  return db
    .selectFrom('acts')
    .selectAll()
    .where('of_act', 'is', null)
    .where('id', '<', end)
    .where('id', '>=', idAt(fromMs ?? EPOCH_MS))
    .$if(action !== undefined, (acts) => acts.where('action', '=', action ?? 'signed-in'))
    .$if(target !== undefined, (acts) => acts.where('target', '=', target ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
}

/** The end of each act, which was recorded soon after it. */
async function endsOf(db: Db, storeId: string, acts: readonly ActRow[]): Promise<ActRow[]> {
  const asked = acts.filter(({ outcome }) => outcome === 'asked').map(({ id }) => id)
  if (asked.length === 0) return []
  return await db
    .selectFrom('acts')
    .selectAll()
    .where('merchant_id', '=', storeId)
    // In the same step of time, the end may have a lower id.
    .where('id', '>', Math.min(...asked) - IDS_PER_STEP)
    .where('id', '<', Math.max(...asked) + (LONGEST_ACT_MS / STEP_MS) * IDS_PER_STEP)
    .where('of_act', 'in', asked)
    .execute()
}

function withEnds(acts: readonly ActRow[], rows: readonly ActRow[]): readonly Act[] {
  const ends = new Map(rows.map((row) => [row.of_act, row]))
  return acts.map((row) => {
    const end = ends.get(row.id)
    const act = {
      ...newActOf(row),
      id: row.id,
      atMs: row.at,
      actorName: row.actor_name ?? undefined,
      actorEmail: row.actor_email ?? undefined,
    }
    if (end === undefined) return act
    return { ...act, outcome: end.outcome, detail: { ...act.detail, ...detailOf(end) } }
  })
}

function newActOf(row: ActRow): NewAct & { readonly detail: ActDetail } {
  return {
    environment: row.environment,
    storeId: row.merchant_id ?? undefined,
    actor: row.actor,
    action: row.action,
    target: row.target ?? undefined,
    outcome: row.outcome,
    detail: detailOf(row),
    address: row.address,
    browser: row.browser,
  }
}

function detailOf({ detail }: ActRow): ActDetail {
  return JSON.parse(detail) as ActDetail
}

/** Adds current names to acts from before the log recorded names. */
async function withNames(db: Db, acts: readonly Act[]): Promise<readonly Act[]> {
  const unnamed = acts.filter(({ actorName }) => actorName === undefined)
  const ids = new Set(unnamed.map(({ actor }) => personIdOf(actor)).filter((id) => id !== ''))
  if (ids.size === 0) return acts
  const people = await db
    .selectFrom('people')
    .select(['id', 'name', 'email'])
    .where('id', 'in', [...ids])
    .execute()
  const known = new Map(
    people.map(({ id, name, email }) => [`${PERSON}${id}`, { actorName: name, actorEmail: email }]),
  )
  return acts.map((act) =>
    act.actorName === undefined ? { ...act, ...known.get(act.actor) } : act,
  )
}
