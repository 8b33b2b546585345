import { HOUR_MS, SECOND_MS, Secret } from '@cofre/contracts'
import { type Database, readMigrations } from '@cofre/sql'
import type { TestEngine } from '@cofre/sql/testing'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import { createPeople } from './create-people.js'
import { hashSessionId } from './model/digest.js'
import { createPasswords } from './model/password.js'
import type {
  By,
  LinkResult,
  NewPasskey,
  Origin,
  People,
  StaffSession,
  UsedLink,
} from './model/people.js'
import type { PeopleTables, StoreRow } from './model/people-tables.js'
import type { Role } from './model/role.js'
import type { PeopleDeps, PeopleSealing } from './model/unit.js'

/** The gateway's migrations make the tables. */
export const GATEWAY_MIGRATIONS = readMigrations(
  new URL('../../gateway/migrations/', import.meta.url),
)

interface TestTables extends PeopleTables {
  merchants: StoreRow & {
    name: string
    raw_cards: number
    refunds: string
    rules: string
    refuses_card_references: number
    created_at: number
  }
}

export const START_MS = Date.UTC(2026, 10, 23, 12)
export const PASSWORD = new Secret('correct horse 9')
export const TOTP_SECRET = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
export const OPERATOR: By = { actor: 'operator:ana', address: '', browser: '' }
export const FROM: Origin = { address: '203.0.113.7', browser: 'Firefox', visitId: 'visit-1' }

/** Cheap, because no test measures the cost of a guess. */
const CHEAP = { log2N: 4, r: 8, p: 1 }

export function sealingBy(key: string, ...others: readonly string[]): PeopleSealing {
  return {
    wrap: (record, secret) => `${key}|${record}|${secret.reveal()}`,
    unwrap(record, wrapped) {
      const [by = '', of, secret = ''] = wrapped.split('|')
      if (![key, ...others].includes(by) || of !== record) throw new Error('does not open')
      return new Secret(secret)
    },
    isOutdated: (wrapped) => !wrapped.startsWith(`${key}|`),
  }
}

export function codeAt(nowMs: number, secret: Secret<string> = TOTP_SECRET): Secret<string> {
  return new Secret(
    TOTP.generate({ secret: OtpSecret.fromBase32(secret.reveal()), timestamp: nowMs }),
  )
}

/** The people of a test's database, with a clock that only the test moves. */
export interface TestPeople {
  readonly database: Database<PeopleTables>
  readonly deps: PeopleDeps
  readonly people: People
  readonly time: { nowMs: number }
  /** A new person who has accepted an invitation to a store, with password and authenticator. */
  join(storeId: string, email: string, role: Role): Promise<UsedLink>
  /** The current code, of an unused step: half a minute passes. */
  nextCode(): Secret<string>
  sessionOf(sessionId: string | undefined): Promise<StaffSession | undefined>
}

export async function openTestPeople(
  engine: TestEngine,
  more: Pick<PeopleDeps, 'demoStoreId'> = {},
): Promise<TestPeople> {
  const database = await engine.open<PeopleTables>(GATEWAY_MIGRATIONS)
  return testPeople(database, { nowMs: START_MS }, more)
}

export function testPeople(
  database: Database<PeopleTables>,
  time = { nowMs: START_MS },
  more: Pick<PeopleDeps, 'demoStoreId'> = {},
): TestPeople {
  const clock = { now: () => time.nowMs }
  const sealing = sealingBy('key-1')
  const deps = { ...more, database, clock, sealing, passwords: createPasswords(CHEAP) }
  const people = createPeople({ ...more, database, clock, sealing, passwordCost: CHEAP })
  const nextCode = (): Secret<string> => {
    time.nowMs += 30 * SECOND_MS
    return codeAt(time.nowMs)
  }
  return {
    database,
    deps,
    people,
    time,
    nextCode,
    async join(storeId, email, role) {
      const made = await people.links.invite({ storeId, email, role }, OPERATOR)
      if (typeof made === 'string') throw new Error(made)
      const name = email.split('@').join(' of ')
      const credentials = { password: PASSWORD, totp: TOTP_SECRET, code: nextCode() }
      return used(
        await people.links.use(made.token, { kind: 'new-person', name, credentials }, FROM),
      )
    },
    async sessionOf(sessionId = '') {
      return (await people.find(hashSessionId(sessionId), undefined))?.session
    },
  }
}

export function used(result: LinkResult): UsedLink {
  if (typeof result === 'string') throw new Error(`the link was not used: ${result}`)
  return result
}

export async function addStore(database: Database<PeopleTables>, id: string): Promise<void> {
  const stores = database as unknown as Database<TestTables>
  await stores.transact((trx) =>
    trx
      .insertInto('merchants')
      .values({
        id,
        name: id,
        enabled: 1,
        raw_cards: 0,
        refunds: 'none',
        rules: 'strict',
        refuses_card_references: 0,
        created_at: START_MS - HOUR_MS,
      })
      .execute(),
  )
}

export async function setEnabled(
  database: Database<PeopleTables>,
  storeId: string,
  enabled: boolean,
): Promise<void> {
  await database.transact((trx) =>
    trx
      .updateTable('merchants')
      .set({ enabled: enabled ? 1 : 0 })
      .where('id', '=', storeId)
      .execute(),
  )
}

export function passkeyNamed(id: string): NewPasskey {
  return { id, publicKey: 'key', counter: 0, transports: ['usb'], backedUp: false, label: id }
}
