import { ApiError, SECOND_MS, type Clock, type Log } from '@cofre/contracts'
import {
  type Gateway,
  type GatewayOptions,
  type Merchant,
  createGateway,
  createGatewayCore,
} from '@cofre/gateway'
import { pause } from '@cofre/work'
import type { ExamplesDesk } from '../desk/sandbox-desk.js'
import { createSandboxRails } from '../rail/sandbox-rails.js'
import { createExampleCards } from './example-cards.js'
import { EXAMPLE_SEED, exampleMonth } from './example-month.js'
import { beginSet, makeNext, unfinishedSet } from './example-set-sql.js'
import { simulateExample } from './simulate-example.js'
import { seededRandom } from './seeded-random.js'

export interface ExamplesOptions {
  /** The options of the sandbox's gateway. */
  readonly gateway: GatewayOptions
  /** The desk on a gateway with these options. */
  readonly deskOn: (options: GatewayOptions, gateway: Gateway) => ExamplesDesk
  readonly merchant: Merchant
  /** True if the store may get examples: false if it existed before. */
  readonly isNew: boolean
  /** The sandbox's clock. */
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  /** The minimum pause between two payments. Lower in tests. */
  readonly pauseMs?: number
  /** The payments; default: {@link exampleMonth}. Fewer in tests. */
  readonly monthOf?: typeof exampleMonth
}

export interface Examples {
  /** Resolves to true once all of them are made. */
  readonly made: Promise<boolean>
  stop(): Promise<void>
}

/** The shop has priority: after each payment, the maker rests this many times its duration. */
const MONTH_PARTS = 9
const PAUSE_MS = 40
/** A payment that took longer has waited for others. */
const REST_MAX_MS = SECOND_MS
const FAILURE_PAUSE_MS = 5 * SECOND_MS
const FAILURES_MAX = 5

/**
 * Gives a sandbox store a month of example payments, one after another, and continues the set of an
 * earlier process. No shop is notified of them.
 */
export function startExamples(options: ExamplesOptions): Examples {
  const stopping = new AbortController()
  const made = makeAll(options, stopping.signal)
  return {
    made,
    async stop() {
      stopping.abort()
      await made
    },
  }
}

async function makeAll(options: ExamplesOptions, signal: AbortSignal): Promise<boolean> {
  const { log } = options
  for (let failures = 0; failures < FAILURES_MAX && !signal.aborted; failures++) {
    try {
      return await createRemaining(options, signal)
    } catch (error) {
      log.warn({ error }, 'example payments could not be made yet')
      await pause(FAILURE_PAUSE_MS, signal)
    }
  }
  return false
}

async function createRemaining(options: ExamplesOptions, signal: AbortSignal): Promise<boolean> {
  const {
    clock,
    gateway,
    isNew,
    log,
    merchant,
    monthOf = exampleMonth,
    pauseMs = PAUSE_MS,
  } = options
  const { database } = gateway
  if (isNew) await beginSet(database, merchant.id, clock.now())
  const set = await unfinishedSet(database, merchant.id)
  if (set === undefined) return false
  const { untilMs } = set
  const month = monthOf({ untilMs, wallets: gateway.requestPolicy.wallets })
  for (;;) {
    const beganAt = performance.now()
    const isMade = await makeNext(database, merchant.id, (unit, position) => {
      const payment = month[position]
      if (payment === undefined) return undefined
      const desk = { ...deskOf(options, { ...gateway, database: unit }, position), untilMs }
      return simulateExample(desk, payment).catch((error: unknown) => {
        // An order that the store's settings refuse is omitted.
        if (!(error instanceof ApiError)) throw error
        log.info({ position, codes: error.message }, 'an example payment was refused')
        return undefined
      })
    })
    if (!isMade) break
    const restMs = Math.min(MONTH_PARTS * (performance.now() - beganAt), REST_MAX_MS)
    await pause(Math.max(pauseMs, restMs), signal)
    if (signal.aborted) return false
  }
  log.info({ payments: month.length }, 'the example payments are made')
  return true
}

/** A gateway in a unit of work, with its own clock and random draws. */
function deskOf(
  { deskOn, merchant, publicUrl }: ExamplesOptions,
  gateway: GatewayOptions,
  position: number,
) {
  const time = { nowMs: 0 }
  const onCore = createGatewayCore({
    ...gateway,
    makesExamples: true,
    clock: { now: () => time.nowMs },
    randomBelow: seededRandom(EXAMPLE_SEED + 1 + position),
    cards: createExampleCards(),
    // Without a bank, so no report follows later.
    rails: createSandboxRails({ publicUrl }),
  })
  const core = createGateway(onCore)
  return { merchant, time, gateway: core, operator: deskOn(gateway, core) }
}
