import { beforeAll, describe, expect, it } from 'vitest'
import type { Notifications } from '../model/notifications.js'

/** A store with notified payments, as its people see them and resend them. */
export interface NotificationStage {
  readonly notifications: Pick<Notifications, 'list' | 'resend'>
  readonly storeId: string
  /** A store without notifications. */
  readonly otherStoreId: string
  /** Resolves to the codes of the given number of payments, each notified once, oldest first. */
  notify(count: number): Promise<readonly string[]>
}

const PAYMENTS = 3

/** The behaviour on which the pages rely, for the room and for the fake in the pages' tests. */
export function describeShownNotifications(
  name: string,
  open: () => Promise<NotificationStage>,
): void {
  describe(`what people see of notifications: ${name}`, () => {
    let stage: NotificationStage
    let codes: readonly string[]
    beforeAll(async () => {
      stage = await open()
      codes = await stage.notify(PAYMENTS)
    })

    it('is listed newest first, page by page, each once', async () => {
      const shown: string[] = []
      let after: string | undefined
      do {
        const page = await stage.notifications.list(stage.storeId, { after, limit: 2 })
        expect(page.items.length).toBeLessThanOrEqual(2)
        shown.push(...page.items.map(({ notification }) => String(notification.transactionCode)))
        after = page.next
      } while (after !== undefined)
      expect(shown).toEqual(codes.toReversed())
    })

    it('is sent again where it is, and nowhere else', async () => {
      const { resend } = stage.notifications
      const [first = ''] = codes
      expect(await resend(stage.storeId, first, 1)).toBe(true)
      expect(await resend(stage.storeId, first, 2)).toBe(false)
      expect(await resend(stage.storeId, '1', 1)).toBe(false)
      expect(await resend(stage.storeId, 'no code', 1)).toBe(false)
    })

    it('is nothing to another store', async () => {
      const { list, resend } = stage.notifications
      expect((await list(stage.otherStoreId, { limit: 2 })).items).toEqual([])
      expect(await resend(stage.otherStoreId, codes[0] ?? '', 1)).toBe(false)
    })
  })
}
