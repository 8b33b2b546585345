// PIX of production that is ordered, paid at the simulated bank and given back while the process of
// both is killed.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import type { CofreProcess, Ports } from './cofre-process.js'
import { bankOrder } from './orders.js'
import { merchantAt } from './shop-request.js'
import { openSimulatorPage } from './simulator-page.js'

const BUYERS = 3
/** Of a round. Each is some calls of the account, which has sixty a minute. */
const ORDERS_MAX = 30
/** No order has another's amount: by it a charge is told in the bank's books. */
const LEAST_CENTS = 1000
const REFUNDED_CENTS = 500

interface BookedCharge {
  readonly txid: string
  readonly revisions: readonly {
    readonly status: string
    readonly terms: { readonly valor: { readonly original: string } }
  }[]
}

interface Books {
  /** As the bank last had them. */
  readonly charges: ReadonlyMap<string, BookedCharge>
  readonly payments: readonly {
    readonly amountMinor: number
    readonly refunds: readonly { readonly amountMinor: number; readonly status: string }[]
  }[]
}

/** What shops and payers do before kills, and what must have come of it. */
export class PixAtAKill {
  readonly #ports: Ports
  readonly #notificationUrl: string
  /** Transaction by amount in centavos, of every order that was acknowledged. */
  readonly #acknowledged = new Map<number, string>()
  /** Orders without an answer: their shop sends them again. */
  readonly #unanswered = new Set<number>()
  /** Transactions that a search has shown. */
  readonly #shown = new Set<string>()
  readonly #refunded = new Map<number, string>()
  #orders = 0

  constructor(ports: Ports, notificationUrl: string) {
    this.#ports = ports
    this.#notificationUrl = notificationUrl
  }

  get acknowledged(): number {
    return this.#acknowledged.size
  }

  /** Shops order, look and give back, and payers pay, until the process dies under them. */
  async run(isOver: () => boolean, cofre: CofreProcess): Promise<void> {
    const again = [...this.#unanswered]
    let left = ORDERS_MAX
    const buy = async (): Promise<void> => {
      while (!isOver() && left-- > 0) await this.#order(again.pop() ?? LEAST_CENTS + ++this.#orders)
    }
    const look = async (): Promise<void> => {
      while (!isOver()) {
        for (const cents of this.#unanswered) await this.#look(cents)
        await this.#giveBack()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    await Promise.all([this.#pay(cofre), look(), ...Array.from({ length: BUYERS }, buy)])
  }

  async #order(cents: number): Promise<void> {
    const reference = referenceOf(cents)
    const notificationUrl = this.#notificationUrl
    const order = bankOrder('pix', cents / 100, { reference, notificationUrl, payer: cents })
    this.#unanswered.add(cents)
    await unlessKilled(async () => {
      const merchant = this.#merchant()
      const made = await merchant.createTransaction(order, { idempotencyKey: reference })
      // One that a kill has cut off is given up, unless its shop is fast.
      if (made.transaction.status === 'PENDING')
        this.#acknowledged.set(cents, made.transaction.code)
      this.#unanswered.delete(cents)
    })
  }

  /** As a shop looks that got no answer. */
  async #look(cents: number): Promise<void> {
    await unlessKilled(async () => {
      const found = await this.#merchant().findByReference(referenceOf(cents))
      if (found !== undefined) this.#shown.add(found['transaction-code'])
    })
  }

  /** A part of each paid order, under one key however often it is asked for. */
  async #giveBack(): Promise<void> {
    for (const [cents, code] of this.#acknowledged) {
      if (cents % 4 !== 0 || this.#refunded.has(cents)) continue
      await unlessKilled(async () => {
        const id = await this.#merchant().createRefund(
          {
            'transaction-id': Number(code),
            amount: REFUNDED_CENTS / 100,
            reference: referenceOf(cents),
            'notify-url': this.#notificationUrl,
          },
          { idempotencyKey: `refund-${cents}` },
        )
        this.#refunded.set(cents, id)
      })
    }
  }

  /** What the kill cuts off was booked, or was not: the books say it. */
  async #pay(cofre: CofreProcess): Promise<void> {
    try {
      const post = await openSimulatorPage(`http://127.0.0.1:${this.#ports.bank}`)
      for (const { txid, revisions } of booksOf(cofre).charges.values()) {
        const { status, terms } = revisions.at(-1) ?? {}
        const cents = Math.round(Number(terms?.valor.original) * 100)
        // Payers have no other codes.
        if (status === 'ATIVA' && this.#acknowledged.has(cents))
          await post(`/charges/${txid}/pay`, {})
      }
    } catch (error) {
      // Fetch's, for a connection that ends.
      if (!(error instanceof TypeError)) throw error
    }
  }

  #merchant() {
    return merchantAt(this.#ports.api, { timeoutMs: 20_000 })
  }

  /**
   * With nobody left to kill it: each acknowledged order is paid once and complete, each refund was
   * made once, nothing that a search has shown is gone. Resolves to how many there are.
   */
  async expectOnce(cofre: CofreProcess, timeout: number): Promise<string> {
    await expect(async () => {
      for (const cents of this.#unanswered) await this.#order(cents)
      expect([...this.#unanswered]).toEqual([])
    }).toPass({ timeout, intervals: [5000] })
    await this.#pay(cofre)
    const statusOf = async (code: string) => (await this.#merchant().findTransaction(code)).status
    for (const code of this.#acknowledged.values())
      await expect
        .poll(() => statusOf(code), { timeout })
        .toEqual(expect.stringMatching(/^(COMPLETE|REFUNDED)$/))
    await expect(async () => {
      await this.#giveBack()
      const due = [...this.#acknowledged.keys()].filter((cents) => cents % 4 === 0)
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
    for (const cents of this.#acknowledged.keys()) expect(paid).toContain(cents)
    for (const code of this.#shown) expect(await statusOf(code)).toBeDefined()
    return `${paid.length} PIX paid once, ${this.#refunded.size} given back once, ${this.#shown.size} shown and still there`
  }
}

function referenceOf(cents: number): string {
  return `crash-pix-${cents}`
}

async function unlessKilled(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof MerchantConnectionError || error instanceof MerchantApiError))
      throw error
  }
}

function booksOf({ dataDir }: CofreProcess): Books {
  const file = path.join(dataDir, 'simulators', 'pix-bank', 'books.jsonl')
  const charges = new Map<string, BookedCharge>()
  const payments = new Map<string, Books['payments'][0]>()
  for (const text of readFileSync(file, 'utf8').split('\n').slice(1, -1)) {
    const { charge, payment } = JSON.parse(text) as {
      readonly charge?: BookedCharge
      readonly payment?: Books['payments'][0] & { readonly endToEndId: string }
    }
    if (charge !== undefined) charges.set(charge.txid, charge)
    if (payment !== undefined) payments.set(payment.endToEndId, payment)
  }
  return { charges, payments: [...payments.values()] }
}
