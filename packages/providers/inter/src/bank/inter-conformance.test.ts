import { minorUnits } from '@cofre/contracts'
import { drawBoletoName } from '@cofre/provider-kit/bank'
import { describeBank } from '../../../../provider-kit/src/testing/bank.conformance.js'
import { BOLETO_TERMS } from '../../../../provider-kit/test/boletos.js'
import { openReceiver } from '../../../pix-api/test/simulated-bank.js'
import { storedInter } from '../../test/judging-inter.js'
import { type TestInter, openTestInter } from '../../test/simulated-inter.js'
import { readInterAccount } from './inter-account.js'
import { connectInter } from './inter-provider.js'

const silent = () => undefined

function connectionTo({ apiPort, authority, clock, credentials }: TestInter) {
  const { clientId, clientSecret = '', certificate, privateKey } = credentials
  const file = Buffer.from(certificate + privateKey.reveal())
  const answers = { clientId, clientSecret, certificate: file, accountNumber: '13525622' }
  const place = { origin: `https://127.0.0.1:${apiPort}`, caPem: authority }
  return connectInter(readInterAccount(storedInter('simulator', answers), place), {
    clock,
    log: { info: silent, warn: silent, error: silent },
    randomBelow: () => 3,
    wait: () => Promise.resolve(),
    limits: { totalMs: 5000 },
  })
}

describeBank({
  name: 'Inter',
  async open() {
    const opened = await openTestInter()
    const { inter } = opened
    const connection = connectionTo(opened)
    const { boleto, notices } = connection
    const dueDate = opened.order('').dataVencimento
    const nameOf = (number: number) => drawBoletoName(() => number)
    const referenceOf = (number: number) => ({
      name: nameOf(number),
      dueDate,
      bankId: undefined,
    })
    const codeOf = (number: number) =>
      [...inter.book.boletos.values()].find(({ terms }) => terms.seuNumero === nameOf(number))
        ?.code ?? ''
    return {
      disturbances: inter.disturbances,
      open: (number) =>
        boleto.issue({
          ...BOLETO_TERMS,
          name: nameOf(number),
          amountMinor: minorUnits(12_990),
          dueDate,
        }),
      find: (number) => boleto.find(referenceOf(number), 'payer-waits'),
      remove: (number) => boleto.cancel(referenceOf(number)),
      nameOf,
      pay: (number) => {
        inter.controls.pay(codeOf(number), { way: 'pix' })
      },
      refund: (order) => boleto.refund(order),
      notices,
      async noticeOf(number) {
        const receiver = await openReceiver(opened, { certificates: 'ignored' })
        const address = { others: 'replace', bankCertificate: 'checked' } as const
        await notices.register({ ...address, url: receiver.url })
        inter.controls.notify([codeOf(number)])
        await inter.callbacks.settled()
        await receiver.close()
        return receiver.received.at(-1)?.body
      },
      charges: () => inter.book.boletos.size,
      refunds: () =>
        [...inter.book.payments.values()].flatMap(({ refunds }) =>
          refunds.map(({ amountMinor }) => amountMinor),
        ),
      async close() {
        await connection.close()
        await opened.close()
      },
    }
  },
  isOpening: ({ method, path }) => method === 'POST' && path.endsWith('/cobrancas'),
  isRefund: ({ method, path }) => method === 'PUT' && path.includes('/devolucao/'),
})
