// PIX in production, ordered, paid at the simulated bank and refunded while the process of both is
// killed.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from '@playwright/test'
import type { CofreProcess, Ports } from './cofre-process.js'
import { OrdersAtAKill, bookLines, unlessCutOff, unlessKilled } from './orders-at-a-kill.js'
import { openSimulatorPage } from './simulator-page.js'

/** Each order makes several calls of the account, whose limit is sixty a minute. */
const ORDERS_A_ROUND = 30
const REFUNDED_CENTS = 500

interface BookedCharge {
  readonly txid: string
  readonly revisions: readonly {
    readonly status: string
    readonly terms: { readonly valor: { readonly original: string } }
  }[]
}

interface Books {
  /** The latest state at the bank. */
  readonly charges: ReadonlyMap<string, BookedCharge>
  readonly payments: readonly {
    readonly amountMinor: number
    readonly refunds: readonly { readonly amountMinor: number; readonly status: string }[]
  }[]
}

interface BookLine {
  readonly charge?: BookedCharge
  readonly payment?: Books['payments'][0] & { readonly endToEndId: string }
}

/** Acts of shops and payers before kills, and the required outcome. */
export class PixAtAKill {
  readonly #ports: Ports
  readonly #notificationUrl: string
  readonly #orders: OrdersAtAKill
  /** Transactions that a search has returned. */
  readonly #shown = new Set<string>()
  readonly #refunded = new Map<number, string>()

  constructor(ports: Ports, notificationUrl: string) {
    this.#ports = ports
    this.#notificationUrl = notificationUrl
    const ordering = { ports, method: 'pix', notificationUrl, most: ORDERS_A_ROUND } as const
    this.#orders = new OrdersAtAKill(ordering)
  }

  get acknowledged(): number {
    return this.#orders.acknowledged.size
  }

  /** Shops order, search and refund, and payers pay, until the process is killed. */
  async run(isOver: () => boolean, cofre: CofreProcess): Promise<void> {
    const look = async (): Promise<void> => {
      while (!isOver()) {
        for (const cents of this.#orders.unanswered) await this.#look(cents)
        await this.#giveBack()
        await pause(20)
      }
    }
    await Promise.all([this.#pay(cofre), look(), this.#orders.run(isOver)])
  }

  /** Searches as a shop without a response does. */
  async #look(cents: number): Promise<void> {
    await unlessKilled(async () => {
      const found = await this.#orders.merchant().findByReference(this.#orders.referenceOf(cents))
      if (found !== undefined) this.#shown.add(found['transaction-code'])
    })
  }

  /** Requests a partial refund of each paid order, under one key for all tries. */
  async #giveBack(): Promise<void> {
    for (const [cents, code] of this.#orders.acknowledged) {
      if (cents % 4 !== 0 || this.#refunded.has(cents)) continue
      await unlessKilled(async () => {
        const id = await this.#orders.merchant().createRefund(
          {
            'transaction-id': Number(code),
            amount: REFUNDED_CENTS / 100,
            reference: this.#orders.referenceOf(cents),
            'notify-url': this.#notificationUrl,
          },
          { idempotencyKey: `refund-${cents}` },
        )
        this.#refunded.set(cents, id)
      })
    }
  }

  async #pay(cofre: CofreProcess): Promise<void> {
    await unlessCutOff(async () => {
      const post = await openSimulatorPage(`http://127.0.0.1:${this.#ports.bank}`)
      for (const { txid, revisions } of booksOf(cofre).charges.values()) {
        const { status, terms } = revisions.at(-1) ?? {}
        const cents = Math.round(Number(terms?.valor.original) * 100)
        // Payers know no other codes.
        if (status === 'ATIVA' && this.#orders.acknowledged.has(cents))
          await post(`/charges/${txid}/pay`, {})
      }
    })
  }

  /**
   * After the last kill: each acknowledged order is paid once and is complete, each refund was made
   * once, and no transaction that a search returned has vanished. Resolves to their numbers.
   */
  async expectOnce(cofre: CofreProcess, timeout: number): Promise<string> {
    const { acknowledged } = this.#orders
    await this.#orders.expectAnswers(timeout)
    await this.#pay(cofre)
    const statusOf = async (code: string) =>
      (await this.#orders.merchant().findTransaction(code)).status
    for (const code of acknowledged.values())
      await expect
        .poll(() => statusOf(code), { timeout })
        .toEqual(expect.stringMatching(/^(COMPLETE|REFUNDED)$/))
    await expect(async () => {
      await this.#giveBack()
      const due = [...acknowledged.keys()].filter((cents) => cents % 4 === 0)
      expect([...this.#refunded.keys()].toSorted()).toEqual(due.toSorted())
    }).toPass({ timeout, intervals: [1000] })
    const returned = () =>
      booksOf(cofre).payments.flatMap(({ refunds }) =>
        refunds.filter(({ status }) => status === 'DEVOLVIDO').map((one) => one.amountMinor),
      )
    await expect
      .poll(returned, { timeout })
      .toEqual(Array.from(this.#refunded, () => REFUNDED_CENTS))
    const paid = booksOf(cofre).payments.map(({ amountMinor }) => amountMinor)
    expect(new Set(paid).size).toBe(paid.length)
    for (const cents of acknowledged.keys()) expect(paid).toContain(cents)
    for (const code of this.#shown) expect(await statusOf(code)).toBeDefined()
    return `${paid.length} PIX paid once, ${this.#refunded.size} given back once, ${this.#shown.size} shown and still there`
  }
}

function booksOf(cofre: CofreProcess): Books {
  const charges = new Map<string, BookedCharge>()
  const payments = new Map<string, Books['payments'][0]>()
  for (const { charge, payment } of bookLines(cofre, 'pix-bank') as readonly BookLine[]) {
    if (charge !== undefined) charges.set(charge.txid, charge)
    if (payment !== undefined) payments.set(payment.endToEndId, payment)
  }
  return { charges, payments: [...payments.values()] }
}
