import { pages } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import { type PixLinkGateway, openPixLinks } from './links.fixture.js'
import { linkRequest, makeLink } from './payment-link.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`lists of links that people read page by page, on ${engine.name}`, () => {
    let test: PixLinkGateway
    beforeEach(async () => {
      test = await openPixLinks(engine)
    })
    afterEach(() => test.close())

    it.each(['', 'x', '0', '-1', '1-\0'])(
      'links: %j is no cursor, and begins with the first page',
      async (after) => {
        const { paymentLinks } = test.room
        await makeLink(test, linkRequest('link-1'))
        const page = await paymentLinks.list(MERCHANT.id, { after, limit: 9 })
        expect(page.items).not.toEqual([])
        expect(page).toEqual(await paymentLinks.list(MERCHANT.id, { limit: 9 }))
      },
    )

    it('links: one that is made between two pages repeats none', async () => {
      const { paymentLinks } = test.room
      for (const reference of ['one', 'two', 'three']) {
        await makeLink(test, linkRequest(reference))
        test.time.nowMs += 1000
      }
      const seen: string[] = []
      const all = pages((after: string | undefined) =>
        paymentLinks.list(MERCHANT.id, { after, limit: 2 }),
      )
      for await (const { link } of all) {
        seen.push(link.reference)
        if (seen.length === 1) await makeLink(test, linkRequest('four'))
      }
      expect(seen).toEqual(['three', 'two', 'one'])
    })
  })
}
