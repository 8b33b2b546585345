// Orders in production at a simulated bank, while the process of both is killed.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import type { CofreProcess, Ports } from './cofre-process.js'
import { bankOrder } from './orders.js'
import { merchantAt } from './shop-request.js'

const BUYERS = 3
/** Each order has a unique amount, which identifies its charge in the bank's books. */
const LEAST_CENTS = 1000

interface Ordering {
  readonly ports: Ports
  readonly method: Parameters<typeof bankOrder>[0]
  readonly notificationUrl: string
  /** Most orders in a round; default: any number. */
  readonly most?: number
}

/** Each order is sent again until its shop has a response. */
export class OrdersAtAKill {
  /** Transaction of every acknowledged order, by amount in centavos. */
  readonly acknowledged = new Map<number, string>()
  /** Orders without a response: their shop sends them again. */
  readonly unanswered = new Set<number>()
  readonly #ordering: Ordering
  #orders = 0

  constructor(ordering: Ordering) {
    this.#ordering = ordering
  }

  /** Shops order until the process is killed. */
  async run(isOver: () => boolean): Promise<void> {
    const again = [...this.unanswered]
    let left = this.#ordering.most ?? Infinity
    const buy = async (): Promise<void> => {
      while (!isOver() && left-- > 0) await this.#order(again.pop() ?? LEAST_CENTS + ++this.#orders)
    }
    await Promise.all(Array.from({ length: BUYERS }, buy))
  }

  async #order(cents: number): Promise<void> {
    const reference = this.referenceOf(cents)
    const { method, notificationUrl } = this.#ordering
    const order = bankOrder(method, cents / 100, { reference, notificationUrl, payer: cents })
    this.unanswered.add(cents)
    await unlessKilled(async () => {
      const made = await this.merchant().createTransaction(order, { idempotencyKey: reference })
      // An order that a kill interrupts is withdrawn, unless its shop retries soon.
      if (made.transaction.status === 'PENDING') this.acknowledged.set(cents, made.transaction.code)
      this.unanswered.delete(cents)
    })
  }

  /** After the last kill. An interrupted request stays in progress for a minute. */
  async expectAnswers(timeout: number): Promise<void> {
    await expect(async () => {
      await Promise.all([...this.unanswered].map((cents) => this.#order(cents)))
      expect([...this.unanswered]).toEqual([])
    }).toPass({ timeout, intervals: [5000] })
  }

  referenceOf(cents: number): string {
    return `crash-${this.#ordering.method}-${cents}`
  }

  merchant() {
    return merchantAt(this.#ordering.ports.api, { timeoutMs: 20_000 })
  }
}

/** Runs a shop's request. Ignores the failures that a kill causes. */
export async function unlessKilled(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof MerchantConnectionError || error instanceof MerchantApiError))
      throw error
  }
}

/**
 * Runs a payer's act on the bank's page. After an interruption, the bank has recorded it or not.
 */
export async function unlessCutOff(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    // `fetch` throws a TypeError for a connection that ends.
    if (!(error instanceof TypeError)) throw error
  }
}

/** The latest lines of a simulated bank's books. */
export function bookLines({ dataDir }: CofreProcess, bank: string): readonly unknown[] {
  const file = path.join(dataDir, 'simulators', bank, 'books.jsonl')
  const lines = readFileSync(file, 'utf8').split('\n').slice(1, -1)
  return lines.map((line) => JSON.parse(line) as unknown)
}
