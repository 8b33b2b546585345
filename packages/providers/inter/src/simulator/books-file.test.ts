import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startInter } from './start-inter.js'
import {
  ACCOUNT,
  type TestInter,
  openInterReceiver,
  openTestInter,
} from '../../test/simulated-inter.js'
import {
  createRepeatableBytes,
  folderOfEachTest,
} from '../../../../provider-kit/test/simulator-parts.js'

describe("Inter's books", () => {
  const folder = folderOfEachTest('inter')
  let inter: TestInter
  beforeEach(async () => {
    inter = await openTestInter({ folder: folder() })
  })
  afterEach(() => inter.close())

  it('hold boletos, payments and addresses when the process is gone', async () => {
    const receiver = await openInterReceiver(inter)
    await receiver.close()
    const [paid, cancelled] = [await inter.take('A'), await inter.take('B')]
    inter.inter.controls.pay(paid, { way: 'pix' })
    inter.inter.controls.cancel(cancelled)
    inter.inter.conditions.issue = 1000
    const waiting = await inter.take('C')
    const { boletos, callbacks, payments } = inter.inter.book
    const again = await startInter({
      folder: folder(),
      clock: inter.clock,
      randomBytes: createRepeatableBytes('again'),
    })
    const credentials = await again.openAccount(ACCOUNT)
    expect(again.inter.book).toMatchObject({ boletos, callbacks, payments })
    expect(credentials.clientId).toBe(inter.credentials.clientId)
    inter.clock.advance(1000)
    expect(again.inter.controls.boletoOf(waiting).situation).toBe('A_RECEBER')
    const numbers = [...again.inter.book.boletos.values()].map(({ codes }) => codes?.ourNumber)
    expect(new Set(numbers).size).toBe(3)
    await again.stop()
  })

  it('have the notices that no receiver accepted, and send them to the next address', async () => {
    const receiver = await openInterReceiver(inter, 503)
    const code = await inter.take('A')
    inter.inter.controls.pay(code, { way: 'line' })
    await inter.inter.callbacks.settled()
    await receiver.close()
    await inter.close()
    inter = await openTestInter({ folder: folder(), keepsBooks: true })
    const next = await openInterReceiver(inter)
    expect(await next.items()).toMatchObject([{ codigoSolicitacao: code, situacao: 'RECEBIDO' }])
    await next.close()
    const last = await openInterReceiver(inter)
    expect(await last.items()).toEqual([])
    await last.close()
  })
})
