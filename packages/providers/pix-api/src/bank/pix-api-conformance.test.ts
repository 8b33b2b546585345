import path from 'node:path'
import { minorUnits } from '@cofre/contracts'
import { describeBank } from '../../../../provider-kit/src/testing/bank.conformance.js'
import { SHARED_FOLDER } from '../../../../provider-kit/test/simulator-parts.js'
import { txidOf } from '../../test/accounts.js'
import { openReceiver } from '../../test/simulated-bank.js'
import { openSimulatedBank } from './simulated-bank.fixture.js'

const TERMS = {
  amountMinor: minorUnits(12_990),
  lifetimeSeconds: 1800,
  payerName: 'Ana Souza',
  payerDocument: '52998224725',
  description: 'Pedido 1042',
}

describeBank({
  name: 'The API Pix, at Efí',
  async open() {
    const folder = path.join(SHARED_FOLDER, 'pix-api')
    const opened = await openSimulatedBank('efi', { folder })
    const { bank, connection, running } = opened
    const { notices, pix } = connection
    return {
      disturbances: bank.disturbances,
      open: (number) => pix.openCharge({ ...TERMS, txid: txidOf(number) }),
      find: (number) => pix.findCharge(txidOf(number), 'background'),
      remove: (number) => pix.removeCharge(txidOf(number)),
      nameOf: txidOf,
      pay: (number) => {
        bank.controls.pay(txidOf(number))
      },
      refund: (order) => pix.refund(order),
      notices,
      async noticeOf() {
        const receiver = await openReceiver(running, { certificates: 'ignored' })
        const address = { others: 'keep', bankCertificate: 'unchecked' } as const
        await notices.register({ ...address, url: receiver.url })
        bank.controls.notify([...bank.book.payments.keys()])
        await bank.notices.settled()
        await receiver.close()
        return receiver.received.at(-1)?.body
      },
      charges: () => bank.book.charges.size,
      refunds: () =>
        [...bank.book.payments.values()].flatMap(({ refunds }) =>
          refunds.map(({ amountMinor }) => amountMinor),
        ),
      close: () => opened.close(),
    }
  },
  isOpening: ({ method, path: at }) => method === 'PUT' && at.includes('/cob/'),
  isRefund: ({ method, path: at }) => method === 'PUT' && at.includes('/devolucao/'),
})
