import { TEST_ENGINES } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import {
  LATER_MS,
  archiveAll,
  finish,
  openAgingGateway,
} from '../../gateway/src/ledger/archive/archive.fixture.js'
import { servesLinks, withLinks } from './links.fixture.js'
import { pollLinkTries } from './open-tries.js'
import { linkRequest, makeLink, orderOf } from './payment-link.fixture.js'

it.each(TEST_ENGINES)(
  'an archived payment on $name keeps its payment link paid',
  async (engine) => {
    const old = withLinks(await openAgingGateway(engine, servesLinks))
    onTestFinished(old.close)
    const { database, linkParts, room } = old
    const { code: link } = await makeLink(old.test, linkRequest('link-1'))
    expect((await room.paymentPage.pay(link, orderOf('credit-card'))).kind).toBe('try')
    await finish(old)
    old.time.nowMs = LATER_MS
    const seen = async () => [
      await room.paymentLinks.find(MERCHANT.id, link),
      await room.paymentPage.find(link),
      (await room.paymentPage.pay(link, orderOf('credit-card'))).kind,
      (await old.send('GET', '/payment-links?status=PAID')).json,
    ]
    // A payment that a worker still reads stays.
    expect(await archiveAll(database)).toEqual({ archived: 0, kept: 1 })
    await pollLinkTries(linkParts)
    const before = await seen()
    expect(await archiveAll(database)).toEqual({ archived: 1, kept: 0 })
    expect(await seen()).toEqual(before)
  },
)
