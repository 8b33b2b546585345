import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CardPayments, CardService } from '@cofre/contracts'
import { openDatabase } from '@cofre/sql'
import { type TestEngine, queryPostgres, testPostgres } from '@cofre/sql/testing'
import { createSandboxRails, startSandbox } from '@cofre/sandbox'
import { createVaultAdministration, parseKeyRing } from '@cofre/vault'
import {
  APPROVED,
  NOW_MS,
  NO_RETURNS,
  type SendOptions,
  type TestGateway,
  readAnswer,
  signedRequest,
} from '../../packages/gateway/src/gateway.fixture.js'
import type { SendResult } from '../../packages/notifications/src/index.js'
import {
  type TestNotifications,
  openTestNotifications,
} from '../../packages/notifications/src/notifications.fixture.js'
import { withOperator } from '../../packages/operator/src/operator.fixture.js'
import { SANDBOX_MIGRATIONS } from '../../packages/sandbox/src/database/open-sandbox-database.js'
import type { SandboxTables } from '../../packages/sandbox/src/database/sandbox-tables.js'
import { FOLLOWED } from '../../packages/search/src/search.fixture.js'
import { type TestVault, openTestVault } from '../../packages/vault/src/vault.fixture.js'
import { type EngineName, PUBLIC_TEST_KEY, type Part, dump } from './release-data.js'

export { NOW_MS }

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined }
const ORIGIN = 'https://api.example.com'

/** The databases of an installation. */
export interface Place {
  readonly engine: EngineName
  /** Runs SQL text in an empty database. */
  load(part: Part, text: string): Promise<void>
  open(part: Part): TestEngine
  remove(): Promise<void>
}

export async function newPlace(engine: EngineName): Promise<Place> {
  return engine === 'sqlite' ? newFolder() : await newServerDatabase()
}

function newFolder(): Place {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-release-'))
  const fileOf = (part: Part): string => path.join(folder, `${part}.db`)
  return {
    engine: 'sqlite',
    load(part, text) {
      const file = new DatabaseSync(fileOf(part))
      file.exec(text)
      file.close()
      return Promise.resolve()
    },
    open: (part) => engineAt('sqlite', { url: `sqlite:${fileOf(part)}`, schema: part }),
    remove() {
      rmSync(folder, { recursive: true })
      return Promise.resolve()
    },
  }
}

async function newServerDatabase(): Promise<Place> {
  const server = await testPostgres()
  const name = `release_${randomUUID().replaceAll('-', '')}`
  await queryPostgres(server, `create database ${name}`)
  const url = Object.assign(new URL(server), { pathname: name }).href
  return {
    engine: 'postgres',
    async load(part, text) {
      await queryPostgres(url, `create schema ${part}; set search_path = ${part}; ${text}`)
    },
    open: (part) => engineAt('postgres', { url, schema: part }),
    async remove() {
      await queryPostgres(server, `drop database ${name} with (force)`)
    },
  }
}

function engineAt(
  name: EngineName,
  at: { readonly url: string; readonly schema: string },
): TestEngine {
  return {
    name,
    open: <Tables>(migrations: Parameters<TestEngine['open']>[0], attached?: unknown) =>
      openDatabase<Tables>({ ...at, migrations, attached }),
  }
}

/** A gateway with its vault and the sandbox's state, over the databases of a place. */
export interface Installation extends Pick<
  TestNotifications,
  'app' | 'deliveries' | 'gateway' | 'parts'
> {
  /** Dumps each database as SQL. */
  readonly dump: Readonly<Record<Part, () => Promise<string>>>
  readonly vault: TestVault
  readonly audit: ReturnType<typeof createVaultAdministration>
  /** Ids of the sent notifications. */
  readonly sent: string[]
  /** The shop's response to notifications. */
  shop: SendResult
  send(...request: Parameters<TestGateway['send']>): ReturnType<TestGateway['send']>
  close(): Promise<void>
}

/** A vault whose charges have an account; a refund with the reference `slow` stays in process. */
function chargedAtAccount(vault: CardPayments): CardService {
  return {
    ...vault,
    ...NO_RETURNS,
    async authorize(order) {
      const answer = await vault.authorize(order)
      return answer.kind === 'answered' ? { ...answer, charge: APPROVED.charge } : answer
    },
    refund: ({ reference }) =>
      Promise.resolve({ kind: reference === 'slow' ? 'in_process' : 'done' }),
  }
}

export async function openInstallation(place: Place, nowMs: number): Promise<Installation> {
  const keys = parseKeyRing(PUBLIC_TEST_KEY)
  const vault = await openTestVault(place.open('vault'), keys)
  vault.clock.nowMs = nowMs
  const machineClock = { now: () => nowMs }
  const kept = await place.open('sandbox').open<SandboxTables>(SANDBOX_MIGRATIONS)
  const sandbox = await startSandbox({ database: kept, machineClock, log: QUIET })
  const sent: string[] = []
  const shop = { answer: { statusCode: 200, durationMs: 1, responseExcerpt: '' } as SendResult }
  const test = await openTestNotifications(place.open('gateway'), {
    ...FOLLOWED,
    secretKeys: [keys.current],
    clock: sandbox.clock,
    machineClock,
    cards: chargedAtAccount(vault.vault),
    rails: createSandboxRails({ publicUrl: ORIGIN, bank: sandbox.bank }),
    sender: {
      send({ headers }) {
        sent.push(headers['webhook-id'] ?? '')
        return Promise.resolve(shop.answer)
      },
    },
  })
  const recorded = sandbox.recorded(
    async (request, bindings) => await test.app.fetch(request, bindings),
    withOperator(test).gateway,
  )
  return {
    dump: {
      gateway: () => dump(test.database, 'gateway'),
      vault: () => dump(vault.database, 'vault'),
      sandbox: () => dump(kept, 'sandbox'),
    },
    ...test,
    vault,
    audit: createVaultAdministration({ database: vault.database, keys, clock: machineClock }),
    sent,
    get shop() {
      return shop.answer
    },
    set shop(answer) {
      shop.answer = answer
    },
    async send(method, target, options: SendOptions = {}) {
      const request = new Request(ORIGIN + target, signedRequest(method, target, options))
      const answer = await readAnswer(await recorded.fetch(request, {}))
      await recorded.idle()
      return answer
    },
    async close() {
      await sandbox.stop()
      for (const database of [test.database, vault.database, kept]) await database.close()
    },
  }
}
