import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import { metadataOf } from '../../gateway/src/model/transaction/stored-request.js'
import { type LinkGateway, openLinks } from './links.fixture.js'
import { linkRequest, makeLink, orderOf } from './payment-link.fixture.js'
import { eraseLinkMetadata } from './sql/link-payer-sql.js'

const PAN = '4111111111111111'

for (const engine of TEST_ENGINES)
  describe(`metadata of a link on ${engine.name}`, () => {
    let test: LinkGateway
    let links = 0
    beforeAll(async () => {
      test = await openLinks(engine)
    })
    afterAll(() => test.close())

    const make = (over: Record<string, unknown> = {}) =>
      makeLink(test, linkRequest(`link-${++links}`, over))
    /** The payments of its tries. */
    const paymentsOf = async (code: string) => {
      const { tries } = (await test.room.paymentLinks.find(MERCHANT.id, code))!
      return await Promise.all(
        tries.map(
          async ({ linkTry }) =>
            (await test.parts.transactions.findByCode(linkTry.transactionCode!))!,
        ),
      )
    }
    const answer = async (code: string) =>
      (await test.send('GET', `/payment-links/${code}`)).json['payment-link']

    it('is answered as it was sent, and absent if nothing was', async () => {
      const metadata = { campaign: 'november', 'seller.id': '7' }
      const made = await make({ metadata })
      expect(made.metadata).toEqual(metadata)
      expect(await answer(made.code)).toMatchObject({ metadata })
      for (const over of [{}, { metadata: {} }, { metadata: null }])
        expect(await make(over)).not.toHaveProperty('metadata')
    })

    it.each(['pix', 'credit-card'])('is that of each payment by %s', async (method) => {
      const metadata = { campaign: 'november', note: `card ${PAN}`, cvv: '737' }
      const { code } = await make({ metadata, usage: 'many' })
      await test.room.paymentPage.pay(code, orderOf(method))
      await test.room.paymentPage.pay(code, orderOf(method))
      const masked = {
        campaign: 'november',
        note: 'card ************',
        cvv: '***',
      }
      expect((await paymentsOf(code)).map(metadataOf)).toEqual([masked, masked])
      const rows = JSON.stringify(
        await test.own.reader.selectFrom('payment_links').selectAll().execute(),
      )
      expect(rows).not.toMatch(/4111|"737"/)
    })

    it('stays with a link of many payers when one of them is erased', async () => {
      const metadata = { campaign: 'november' }
      const { code } = await make({ metadata, usage: 'many' })
      await test.room.paymentPage.pay(code, orderOf('pix'))
      const codes = (await paymentsOf(code)).map((payment) => payment.code)
      expect(codes).toHaveLength(1)
      await test.database.transact((trx) => eraseLinkMetadata(trx, codes))
      expect(await answer(code)).toMatchObject({ metadata })
    })

    it('is refused with the code of links', async () => {
      const body = linkRequest('link-bad', { metadata: { 'secret key': 'x' } })
      const refused = await test.send('POST', '/payment-links', { body })
      expect(refused).toMatchObject({ status: 400, codes: [90501] })
      expect(refused.text).toContain('"metadata"')
      expect(refused.text).not.toContain('secret')
    })
  })
