import { MERCHANT, NOW_MS } from '../../gateway/src/gateway.fixture.js'
import { describeIntentPart } from '../../gateway/src/method/intent-part.conformance.js'
import { expect } from 'vitest'
import { withLinks } from './links.fixture.js'
import { linkRequest } from './payment-link.fixture.js'

describeIntentPart('of a try at a link', {
  writes: 1,
  refusal: 'link_try_ended',
  isForOne: {},
  async open(test) {
    const { linkParts, own, room } = withLinks(test)
    const { linkTries } = linkParts
    const order = { body: linkRequest('link-1'), actor: 'api' }
    const made = await room.paymentLinks.create(MERCHANT.id, order)
    const linkId = 'link' in made ? made.link.id : ''
    const id = 'A'.repeat(22)
    const opened = await linkTries.open(
      {
        id,
        linkId,
        formId: 'form-1',
        method: 'credit-card',
        address: '203.0.113.8',
        createdAtMs: NOW_MS,
        pollAtMs: NOW_MS,
      },
      [],
    )
    expect(opened.kind).toBe('opened')
    return {
      of: () => linkTries.intentPart(id),
      async writtenFor(code) {
        const rows = await own.reader
          .selectFrom('payment_link_tries')
          .select('id')
          .where('transaction_code', '=', code)
          .execute()
        return rows.length
      },
      refuse: () => linkTries.close(id),
    }
  },
})
