import { type CardOrder, type Clock, HOUR_MS, type Log } from '@cofre/contracts'
import type { GatewayOptions } from '../../gateway/src/create-gateway.js'
import type { NotificationsRoom, SendResult } from '../../notifications/src/index.js'
import { openTestNotifications } from '../../notifications/src/notifications.fixture.js'
import { type OperatorRoom, createOperator } from '../../operator/src/index.js'
import type { Database } from '@cofre/sql'
import type { TestEngine } from '@cofre/sql/testing'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  NO_RETURNS,
  type SendOptions,
  type TestAnswer,
  type TestGateway,
  readAnswer,
  signedRequest,
} from '../../gateway/src/gateway.fixture.js'
import { holdAgainstDocument } from '../../gateway/src/api/openapi/contract.fixture.js'
import { OPERATIONS } from '../../gateway/src/api/openapi/openapi-document.js'
import { NO_CARDS, servesRoomsOver } from '../../gateway/src/rooms.fixture.js'
import { SANDBOX_OPERATIONS } from './reference/sandbox-operations.js'
import { createSandboxAcquirer } from './card/sandbox-acquirer.js'
import { createSandboxCardPayments } from './card/sandbox-card-payments.js'
import { createSandboxStoredCards } from './card/sandbox-stored-cards.js'
import { createControlRoutes } from './control/control-routes.js'
import { createInboxRoutes } from './inbox/inbox-routes.js'
import { createStreamRoutes } from './stream/stream-routes.js'
import { SANDBOX_MIGRATIONS } from './database/open-sandbox-database.js'
import type { SandboxTables } from './database/sandbox-tables.js'
import { createSandboxRails } from './rail/sandbox-rails.js'
import type { RecordedFetch } from './request-log/recorded-fetch.js'
import { type Sandbox, startSandbox } from './start-sandbox.js'

/** A sandbox over fresh databases, with a vault that follows a raw test card. */
export interface TestSandbox extends Pick<TestGateway, 'parts'> {
  readonly gateway: TestGateway['gateway'] & OperatorRoom & Pick<NotificationsRoom, 'notifications'>
  readonly sandbox: Sandbox
  readonly database: Database<SandboxTables>
  readonly gatewayDatabase: TestGateway['database']
  readonly recorded: RecordedFetch
  /** Ends the streams. */
  readonly stopping: AbortController
  /** The machine's clock. */
  readonly machine: Clock & { nowMs: number }
  /** Notifications that were sent. */
  readonly sent: string[]
  /** The answer of every shop. */
  answer: SendResult
  /** Sends a request as the store, through the request log, and waits until it is recorded. */
  send(method: string, target: string, options?: SendOptions): Promise<TestAnswer>
  close(): Promise<void>
}

export const TEST_MERCHANT = { ...MERCHANT, mayUseRawCards: true }
export const STORE = TEST_MERCHANT.id
export const SANDBOX_ORIGIN = 'https://sandbox.example.com'
export const PANEL_ORIGIN = 'https://panel.example.com'

/** The token of a card that its check declines. */
export const DECLINED_TOKEN = 'the.token.of.a.declined.card'

/** A vault without saved cards, which checks cards. */
const CHECKING: typeof NO_CARDS = {
  ...NO_CARDS,
  checkCard: ({ token }) =>
    Promise.resolve({
      kind: 'answered',
      checkCode: 1,
      card: { brand: 'visa', bin: '41111111', lastFour: '1111' },
      atMs: NOW_MS,
      ...(token === DECLINED_TOKEN
        ? { outcome: 'declined', decline: { reason: 'expired_card', retry: { kind: 'never' } } }
        : { outcome: 'approved' }),
    }),
}

export async function openTestSandbox(
  engine: TestEngine,
  over: Partial<Pick<GatewayOptions, 'randomBelow'>> = {},
): Promise<TestSandbox> {
  const database = await engine.open<SandboxTables>(SANDBOX_MIGRATIONS)
  const machine = { nowMs: NOW_MS, now: () => machine.nowMs }
  const quiet: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const sandbox = await startSandbox({ database, machineClock: machine, log: quiet })
  const sent: string[] = []
  const shop = { answer: { statusCode: 200, durationMs: 1, responseExcerpt: 'ok' } as SendResult }
  const test = await openTestNotifications(engine, {
    environment: 'sandbox',
    clock: sandbox.clock,
    machineClock: machine,
    cards: createSandboxCardPayments(testVault(), sandbox.bank),
    rails: createSandboxRails({ publicUrl: SANDBOX_ORIGIN, bank: sandbox.bank }),
    sender: {
      send({ body }) {
        sent.push(body)
        return Promise.resolve(shop.answer)
      },
    },
    ...servesRoomsOver(createSandboxStoredCards(CHECKING, () => Promise.resolve(false))),
    ...over,
  })
  const gateway = { ...test.gateway, ...createOperator(test.parts, test.gateway) }
  await gateway.saveMerchant(TEST_MERCHANT)
  const { clock, inboxes, requests } = sandbox
  const stopping = new AbortController()
  const streamed = { requests, clock, machineClock: machine, log: quiet }
  const streams = { ...streamed, stopping: stopping.signal }
  const app = test.app
    .route('/', createControlRoutes(gateway, sandbox))
    .route('/', createInboxRoutes(gateway, { inboxes, panelUrl: PANEL_ORIGIN }))
    .route('/', createStreamRoutes(gateway, streams))
  const recorded = sandbox.recorded((request, bindings) => app.fetch(request, bindings), gateway)
  return {
    gateway,
    parts: test.parts,
    sandbox,
    database,
    gatewayDatabase: test.database,
    recorded,
    stopping,
    machine,
    sent,
    get answer() {
      return shop.answer
    },
    set answer(next) {
      shop.answer = next
    },
    async send(method, target, options = {}) {
      const request = new Request(SANDBOX_ORIGIN + target, signedRequest(method, target, options))
      const response = await recorded.fetch(request, {})
      const answer = await readAnswer(response)
      await recorded.idle()
      holdAgainstDocument(method, target, answer, [...OPERATIONS, ...SANDBOX_OPERATIONS])
      return answer
    },
    async close() {
      stopping.abort()
      await sandbox.stop()
      await test.close()
      await database.close()
    },
  }
}

/** Answers a raw card like the sandbox's acquirer, and approves any other. */
function testVault() {
  const acquirer = createSandboxAcquirer()
  return {
    ...NO_RETURNS,
    async authorize({ source, ...order }: CardOrder) {
      if (source.kind !== 'raw') return APPROVED
      const { number } = source.card.reveal()
      const { environment, transactionCode, amountMinor, installments, payerEmail: email } = order
      const answer = await acquirer.authorize({
        key: { installation: 'test', environment, transactionCode },
        earlier: undefined,
        card: source.card,
        brand: 'visa',
        amountMinor,
        installments,
        payer: { name: 'Maria da Silva', document: undefined, email, ip: undefined },
        storedCredential: undefined,
        threeDSecure: undefined,
        authenticationReturnUrl: order.authenticationReturnUrl,
      })
      const card = { brand: 'visa', bin: number.slice(0, 6), lastFour: number.slice(-4) }
      if (answer.kind !== 'done') return { kind: 'answered', outcome: 'unknown', card } as const
      const decision = answer.value
      const { outcome } = decision
      if (outcome === 'authenticate') {
        const authentication = { action: decision.action, expiresAtMs: NOW_MS + HOUR_MS }
        return { kind: 'answered', outcome: 'pending', card, authentication } as const
      }
      const decline = outcome === 'declined' ? decision.decline : undefined
      return { kind: 'answered', outcome, decline, card } as const
    },
    authenticate: () => Promise.resolve(undefined),
    recallAuthorization: () => Promise.resolve(undefined),
    hasArrived: () => Promise.resolve(false),
    activateSavedCard: () => Promise.resolve(),
  }
}

/** A card's charge in a request's form. */
export function rawCard(number: string, cvv = '123') {
  return { token: undefined, 'credit-card': { number, cvv, 'expiration-date': '2030-12' } }
}
