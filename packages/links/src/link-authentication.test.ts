import { type CardAnswer, HOUR_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LinkGateway, openLinks } from './links.fixture.js'
import { linkRequest, makeLink, orderOf, tryOf } from './payment-link.fixture.js'
import { APPROVED, NOW_MS } from '../../gateway/src/gateway.fixture.js'

const ASKING: CardAnswer = {
  ...APPROVED,
  outcome: 'pending',
  authentication: {
    action: { method: 'GET', url: 'https://bank.example/ask', fields: {} },
    expiresAtMs: NOW_MS + HOUR_MS,
  },
}
const DECLINED = { ...APPROVED, outcome: 'declined' } as const

for (const engine of TEST_ENGINES) {
  describe(`a link that is paid by a card whose bank asks its holder, on ${engine.name}`, () => {
    let test: LinkGateway
    beforeEach(async () => {
      test = await openLinks(engine)
      test.answerCards(() => Promise.resolve(ASKING))
    })
    afterEach(() => test.close())

    const asked = async () => {
      const page = test.room.paymentPage
      const { code: link } = await makeLink(test, linkRequest('link-1'))
      const tryId = tryOf(await page.pay(link, orderOf('credit-card')))
      const show = async () => await page.findTry(link, tryId)
      const payOtherwise = () => page.pay(link, orderOf('boleto'))
      const bring = async () => {
        const path = `/a/${(await show())?.publicId ?? ''}/return?redirectResult=r1`
        return await test.app.request(path)
      }
      return { bring, find: () => page.find(link), payOtherwise, show, tryId }
    }

    it('leads its payer to the bank, and is busy meanwhile', async () => {
      const { find, payOtherwise, show, tryId } = await asked()
      expect(await show()).toMatchObject({ state: 'authenticating' })
      expect(await find()).toMatchObject({ openTry: { id: tryId, state: 'authenticating' } })
      expect(await payOtherwise()).toEqual({ kind: 'busy' })
    })

    it.each([
      ['paid', APPROVED, { kind: 'not-payable', state: 'paid' }],
      ['declined', DECLINED, { kind: 'try' }],
    ] as const)('has its payer back, and is %s', async (state, answer, next) => {
      const { bring, payOtherwise, show, tryId } = await asked()
      test.authenticateCards(() => answer)
      const { status, headers } = await bring()
      const page = `https://api.example.com/pay/link/${tryId}`
      expect([status, headers.get('location')]).toEqual([303, page])
      expect(await show()).toMatchObject({ state })
      expect(await payOtherwise()).toMatchObject(next)
    })
  })
}
