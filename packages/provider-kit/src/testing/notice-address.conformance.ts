// The promises of every bank's connector about the address of its notices, tested at a server that
// judges its calls.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BankNotices, NoticeAddress } from '../bank/index.js'

/** A connector at its bank, which has no address yet. */
export interface AddressedBank {
  readonly notices: BankNotices
  /** The address that the bank has, and the change that another system made. */
  address(): string | undefined
  setAddress(url: string): void
  /** Cuts the connection of the next call with that method. */
  cut(method: 'GET' | 'PUT' | 'DELETE', when: 'before' | 'after'): void
  /** The number of calls with that method. */
  calls(method: string): number
  close(): Promise<void>
}

const url = 'https://notices.example.com/notices/acc_1/0123456789abcdef'
const other = 'https://other.example.com/erp/secret'
const DONE = { kind: 'done' }
const order: NoticeAddress = { url, others: 'keep', bankCertificate: 'checked' }

export function describeNoticeAddress(name: string, open: () => Promise<AddressedBank>): void {
  describe(`the address of the notices of ${name}`, () => {
    let at: AddressedBank
    beforeEach(async () => {
      at = await open()
    })
    afterEach(() => at.close())

    it('is registered once, and removed', async () => {
      expect(await at.notices.register(order)).toEqual(DONE)
      expect(await at.notices.register(order)).toEqual(DONE)
      expect(at.address()).toBe(url)
      expect(at.calls('PUT')).toBe(1)
      expect(await at.notices.remove(url)).toEqual(DONE)
      expect(await at.notices.remove(url)).toEqual(DONE)
      expect(at.address()).toBeUndefined()
    })

    it('replaces another system’s only if that is ordered', async () => {
      at.setAddress(other)
      const occupied = { kind: 'occupied', origin: 'https://other.example.com' }
      expect(await at.notices.register(order)).toEqual(occupied)
      expect(await at.notices.remove(url)).toEqual(occupied)
      expect(at.address()).toBe(other)
      expect(await at.notices.register({ ...order, others: 'replace' })).toEqual(DONE)
      expect(at.address()).toBe(url)
    })

    it('is not written while the registered address is unknown', async () => {
      at.cut('GET', 'before')
      expect(await at.notices.register(order)).toMatchObject({
        kind: 'failed',
        detail: expect.stringContaining('unknown') as string,
      })
      expect(at.address()).toBeUndefined()
    })

    it('is read again after an answer that was cut', async () => {
      at.cut('PUT', 'after')
      expect(await at.notices.register(order)).toEqual(DONE)
      at.cut('DELETE', 'before')
      expect(await at.notices.remove(url)).toMatchObject({ kind: 'failed' })
      at.cut('DELETE', 'after')
      expect(await at.notices.remove(url)).toEqual(DONE)
    })

    it('is HTTPS', async () => {
      const plain = { ...order, url: url.replace('https', 'http') }
      await expect(at.notices.register(plain)).rejects.toThrow(RangeError)
    })
  })
}
