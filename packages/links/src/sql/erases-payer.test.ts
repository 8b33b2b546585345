import { minorUnits } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import { MERCHANT, type TestGateway } from '../../../gateway/src/gateway.fixture.js'
import {
  PAYER_NAME,
  describeErasesPayer,
} from '../../../gateway/src/ledger/transaction/erases-payer.conformance.js'
import { withLinks } from '../links.fixture.js'
import type { PaymentLink } from '../model/payment-link.js'
import { eraseLinkMetadata } from './link-payer-sql.js'
import { type RoomTables, storedLink, storedTry } from './link-tables.js'

const linkOf = (code: number): PaymentLink => ({
  id: `link-of-${code}`,
  storeId: MERCHANT.id,
  reference: `link-${code}`,
  amountMinor: minorUnits(100),
  description: 'Café',
  methods: ['pix'],
  isCapturedLater: false,
  usage: 'once',
  installments: 1,
  language: 'pt-BR',
  successUrl: undefined,
  notificationUrl: 'https://shop.example/notifications',
  metadata: { buyer: PAYER_NAME },
  createdBy: 'api',
  createdAtMs: 0,
  expiresAtMs: undefined,
  revokedAtMs: undefined,
  revokedBy: undefined,
})

/** A link for one payment, and its try. */
async function keep(test: TestGateway, code: number): Promise<void> {
  const link = linkOf(code)
  await withLinks(test).own.transact(async (trx) => {
    await trx.insertInto('payment_links').values(storedLink.rowOf(link)).execute()
    const linkTry = storedTry.rowOf({
      id: `try-of-${code}`,
      linkId: link.id,
      number: 1,
      formId: 'form',
      method: 'pix',
      reference: `${link.reference}-1`,
      transactionCode: code as never,
      open: false,
      createdAtMs: 0,
      pollAtMs: 0,
    })
    await trx
      .insertInto('payment_link_tries')
      .values({ ...linkTry, held_link: null, address: null })
      .execute()
  })
}

describeErasesPayer('metadata of links', {
  erase: eraseLinkMetadata,
  keep,
  kept: (db: Connection<RoomTables>, code) =>
    db
      .selectFrom('payment_links')
      .innerJoin('payment_link_tries', 'payment_link_tries.link_id', 'payment_links.id')
      .select('metadata')
      .where('payment_link_tries.transaction_code', '=', code)
      .execute(),
})
