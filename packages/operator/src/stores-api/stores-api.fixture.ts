// The API of operators over two test gateways, asked as an operator's program asks.
import { generateKeyPairSync, hash, randomInt } from 'node:crypto'
import { BlockList } from 'node:net'
import type { TestEngine } from '@cofre/sql/testing'
import { createSigner, httpbis } from 'http-message-signatures'
import {
  NOW_MS,
  type TestAnswer,
  type TestGateway,
  openTestGateway,
  readAnswer,
} from '../../../gateway/src/gateway.fixture.js'
import { openApiDocument } from '../../../gateway/src/api/openapi/openapi-document.js'
import { OPERATOR_API, createStoresApi } from './index.js'
import { OPERATOR_SCOPES, type OperatorKey, readPublicKey } from './model/operator-key.js'
import { createOperatorKeys } from './sql/operator-key-sql.js'

export const OPERATOR_ORIGIN = 'http://127.0.0.1:8093'

export interface Asked {
  readonly body?: unknown
  /** Undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly idempotencyKey?: string | undefined
  readonly keyId?: string
  readonly createdMs?: number
  readonly nonce?: string
  readonly alg?: 'ed25519' | 'hmac-sha256'
  readonly params?: readonly string[]
  readonly address?: string
}

export interface TestStoresApi {
  readonly production: TestGateway
  readonly sandbox: TestGateway
  readonly keys: ReturnType<typeof createOperatorKeys>
  readonly time: { nowMs: number }
  /** Parts that fail while they are true. */
  readonly faults: Record<'beforeAct' | 'afterAct' | 'endOfAct' | 'use', boolean>
  ask(method: string, target: string, asked?: Asked): Promise<TestAnswer>
  addKey(over?: Partial<OperatorKey>): Promise<string>
  close(): Promise<void>
}

const PAIR = generateKeyPairSync('ed25519')
let drawn = 0

export async function openStoresApi(engine: TestEngine): Promise<TestStoresApi> {
  const time = { nowMs: NOW_MS }
  const faults = { beforeAct: false, afterAct: false, endOfAct: false, use: false }
  const machineClock = { now: () => time.nowMs }
  const production = await openTestGateway(engine, { machineClock })
  const sandbox = await openTestGateway(engine, { machineClock, environment: 'sandbox' })
  const keys = createOperatorKeys({ database: production.database, clock: machineClock })
  const publicKey = PAIR.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const read = readPublicKey(publicKey)
  if ('wrong' in read) throw new Error(read.wrong)
  const options = { mediaVendor: 'cofre', publicUrl: OPERATOR_ORIGIN, api: OPERATOR_API }
  const { acts } = production.gateway.people
  const api = createStoresApi({
    stores: { production: production.gateway.stores, sandbox: sandbox.gateway.stores },
    keys: {
      find: (id) => keys.find(id),
      async used(key) {
        failIf(faults.use)
        await keys.used(key)
      },
    },
    acts: {
      record: (act) => acts.record(act),
      async end(id, outcome) {
        failIf(faults.endOfAct)
        await acts.end(id, outcome)
      },
    },
    respondOnce: (request, respond) =>
      production.gateway.api.respondOnce(request, async (isRetry) => {
        failIf(faults.beforeAct)
        const response = await respond(isRetry)
        failIf(faults.afterAct)
        return response
      }),
    machineClock,
    log: production.parts.log,
    mediaVendor: 'cofre',
    origins: [OPERATOR_ORIGIN],
    randomBelow: (limit) => randomInt(limit),
    addressOf: (request) => request.headers.get('x-from') ?? '192.0.2.1',
    isAmong(networks, address) {
      const list = new BlockList()
      for (const network of networks) list.addAddress(network)
      return list.check(address)
    },
    acceptsNotificationUrl: (url) => !url.includes('localhost'),
    document: () => openApiDocument(options),
  })
  const addKey = async (over: Partial<OperatorKey> = {}) => {
    const id = `op-${String(++drawn).padStart(8, '0')}`
    const usual = { id, name: 'Tests', scopes: OPERATOR_SCOPES, addresses: [] }
    await keys.add({ ...usual, publicKey: read.key, ...over })
    return over.id ?? id
  }
  const known = await addKey()
  return {
    production,
    sandbox,
    keys,
    time,
    faults,
    addKey,
    ask: async (method, target, asked = {}) =>
      await readAnswer(
        await api.request(
          target,
          await signed(method, target, { keyId: known, createdMs: time.nowMs, ...asked }),
          {},
        ),
      ),
    async close() {
      await production.close()
      await sandbox.close()
    },
  }
}

function failIf(isFault: boolean): void {
  if (isFault) throw new Error('the process was killed')
}

async function signed(method: string, target: string, asked: Asked): Promise<RequestInit> {
  const { body, keyId = '', createdMs = NOW_MS, nonce = `nonce-of-a-test-${++drawn}` } = asked
  const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const key = method === 'POST' ? `key-${++drawn}` : undefined
  const idempotencyKey = 'idempotencyKey' in asked ? asked.idempotencyKey : key
  const covered = {
    ...(content !== undefined && {
      'content-digest': `sha-256=:${hash('sha256', content, 'base64')}:`,
    }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
  const signer =
    asked.alg === 'hmac-sha256'
      ? createSigner('a secret of nobody, known to all', 'hmac-sha256', keyId)
      : createSigner(PAIR.privateKey, 'ed25519', keyId)
  const { headers } = await httpbis.signMessage(
    {
      key: signer,
      name: 'cofre',
      fields: ['@method', '@target-uri', ...Object.keys(covered)],
      params: [...(asked.params ?? ['created', 'keyid', 'nonce', 'alg'])],
      paramValues: { created: new Date(createdMs), nonce },
    },
    { method, url: OPERATOR_ORIGIN + target, headers: covered },
  )
  const all = {
    accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
    'content-type': 'application/json',
    ...headers,
    ...(asked.address !== undefined && { 'x-from': asked.address }),
    ...asked.headers,
  }
  const lower = Object.entries(all).map(([name, value]) => [name.toLowerCase(), value] as const)
  // Later ones replace the library's.
  const kept = [...new Map(lower)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { method, headers: kept, ...(content !== undefined && { body: content }) }
}
