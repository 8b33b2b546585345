import { TEST_ENGINES } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import { openLinks } from './links.fixture.js'
import { tryStateOf } from './model/link-try.js'
import { linkRequest, makeLink, orderOf } from './payment-link.fixture.js'

it('an undecided order of a payment link is one that its try still asks for', async () => {
  const [sqlite] = TEST_ENGINES
  const test = await openLinks(sqlite!)
  onTestFinished(() => test.close())
  const { code } = await makeLink(test, linkRequest('link-1', { methods: ['credit-card'] }))
  test.answerCards(() => new Promise(() => undefined))
  void test.room.paymentPage.pay(code, orderOf('credit-card'))
  await expect.poll(() => test.orders.length).toBe(1)
  const { json } = await test.send('GET', `/payment-links/${code}`)
  expect(json['payment-link']).toMatchObject({ tries: [] })
  const [tried] = (await test.room.paymentLinks.find(MERCHANT.id, code))!.tries
  expect(tried!.transaction).toBeUndefined()
  expect(tryStateOf(tried!)).toBe('asking')
})
