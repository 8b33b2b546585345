// Payment links of the sandbox, made and paid by card while their process is killed.
import { expect } from '@playwright/test'
import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import type { CofreProcess, Ports } from './cofre-process.js'
import { cardFields, sendPayment } from './link-shopper.js'
import { makeLink } from './payment-link-story.js'
import { merchantAt } from './shop-request.js'

const SHOPPERS = 2

/** Acts of shops and shoppers before kills, and the required outcome. */
export class LinksAtAKill {
  readonly #ports: Ports
  readonly #notificationUrl: string
  /** Codes of acknowledged links. */
  readonly #links = new Set<string>()

  constructor(ports: Ports, notificationUrl: string) {
    this.#ports = ports
    this.#notificationUrl = notificationUrl
  }

  get acknowledged(): number {
    return this.#links.size
  }

  /** Shops make links, and two shoppers at once pay each, until the process is killed. */
  async run(isOver: () => boolean, cofre: CofreProcess): Promise<void> {
    while (!isOver())
      try {
        const notificationUrl = this.#notificationUrl
        const { code } = await makeLink(cofre, 'sandbox', { 'notification-url': notificationUrl })
        this.#links.add(code)
        await Promise.all(Array.from({ length: SHOPPERS }, (_, number) => this.#pay(code, number)))
      } catch (error) {
        // `fetch` throws a TypeError for a connection that ends.
        if (
          ![TypeError, MerchantApiError, MerchantConnectionError].some((of) => error instanceof of)
        )
          throw error
      }
  }

  async #pay(code: string, number: number): Promise<void> {
    const fields = await cardFields(this.#ports)
    await sendPayment({ port: this.#ports.sandbox, code, fields, number })
  }

  /** After the last kill: each link can be paid, and is paid once. */
  async expectOnce(_cofre: CofreProcess, timeout: number): Promise<string> {
    const triesOf = async (code: string) =>
      (await merchantAt(this.#ports.sandbox).findPaymentLink(code)).tries
    for (const [number, code] of [...this.#links].entries()) {
      const isPaid = async (): Promise<boolean> => {
        if ((await triesOf(code)).some(({ status }) => status === 'COMPLETE')) return true
        await this.#pay(code, 100 + number)
        return false
      }
      await expect.poll(isPaid, { timeout, intervals: [100, 1000] }).toBe(true)
      const statuses = (await triesOf(code)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 'COMPLETE')).toHaveLength(1)
      expect(statuses).not.toContain('PENDING')
    }
    return `${this.#links.size} links paid once`
  }
}
