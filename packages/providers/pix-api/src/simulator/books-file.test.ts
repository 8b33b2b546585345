import { appendFile, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHARGE, RECEIVER, openTestBank, txidOf } from '../../test/simulated-bank.js'
import {
  createRepeatableBytes,
  createTestClock,
  folderOfEachTest,
  temporaryFolder,
} from '../../../../provider-kit/test/simulator-parts.js'
import type { Change } from './book.js'
import { openBankBooks } from './books-file.js'
import { needs } from '../../../../../test/needs.js'

const RECEIVED = { taxId: RECEIVER.taxId, name: RECEIVER.name, city: RECEIVER.city }

function chargeOf(number: number): Required<Pick<Change, 'charge'>> {
  const { calendario, valor, chave } = CHARGE
  const terms = { calendario, valor, chave, solicitacaoPagador: 'São João' }
  const location = { id: number, address: `bank.invalid/qr/v2/${number}` }
  return {
    charge: {
      receiver: RECEIVED,
      txid: txidOf(number),
      createdMs: number,
      location,
      revisions: [{ terms, status: 'ATIVA' }],
      payments: [],
    },
  }
}

describe("the bank's books", () => {
  let folder: string
  let remove: () => Promise<void>
  let file: string
  beforeEach(async () => {
    ;({ folder, remove } = await temporaryFolder())
    file = path.join(folder, 'books.jsonl')
  })
  afterEach(() => remove())

  const txids = () =>
    [...openBankBooks(file).records.charges.values()].map(({ txid }) => Number(txid.slice(-1)))

  it('are only for their owner', needs('a system with file modes'), () => {
    openBankBooks(file)
    return expect(stat(file).then(({ mode }) => mode & 0o777)).resolves.toBe(0o600)
  })

  it('lose at most the line that was being written when the process was killed', async () => {
    const books = openBankBooks(file)
    books.append(chargeOf(1))
    const before = await readFile(file)
    books.append(chargeOf(2))
    const after = await readFile(file)
    for (let length = before.length; length < after.length; length++) {
      await writeFile(file, after.subarray(0, length))
      openBankBooks(file).append(chargeOf(3))
      expect(txids()).toEqual([1, 3])
    }
  })

  it('start again if their first line was not finished', async () => {
    openBankBooks(file)
    const head = await readFile(file)
    for (let length = 0; length < head.length; length++) {
      await writeFile(file, head.subarray(0, length))
      openBankBooks(file).append(chargeOf(1))
      expect(txids()).toEqual([1])
    }
  })

  it.each([
    ['a later release', '{"books":"cofre-pix-bank","version":2}\n{}\n{', 'version 2'],
    ['something else', '{"pages":12}\n', 'not known'],
    ['nobody', 'hello\n', 'not known'],
  ])('of %s are refused, with what to do', async (_, text, reason) => {
    await writeFile(file, text)
    expect(() => openBankBooks(file)).toThrow(new RegExp(`${reason}.*Move the file away`, 's'))
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it.each([
    ['no JSON', '{"charge":\n'],
    ['no change', '{"charge":{"txid":1}}\n'],
  ])('with a line that is %s are refused by its number', async (_, line) => {
    openBankBooks(file).append(chargeOf(1))
    await appendFile(file, line)
    expect(() => openBankBooks(file)).toThrow('line 3 is damaged')
  })

  it('with a charge whose payment is missing are refused', async () => {
    const { charge } = chargeOf(1)
    openBankBooks(file)
    await appendFile(file, `${JSON.stringify({ charge: { ...charge, payments: ['E1'] } })}\n`)
    expect(() => openBankBooks(file)).toThrow('payment E1 is missing')
  })
})

describe('a bank that starts again', () => {
  const folder = folderOfEachTest()

  const start = (seed: string) =>
    openTestBank({
      folder: folder(),
      clock: createTestClock(),
      randomBytes: createRepeatableBytes(seed),
    })

  it('knows its charges, payments, refunds and webhooks', async () => {
    const first = await start('first')
    first.bank.conditions.refunds = 'held'
    const { controls } = first.bank
    for (const number of [1, 2, 3]) await first.put(`/cob/${txidOf(number)}`, CHARGE)
    const { endToEndId } = controls.pay(txidOf(1))
    controls.pay(txidOf(1))
    await first.put(`/pix/${endToEndId}/devolucao/r1`, { valor: '1.00', descricao: 'Troca' })
    await first.put(`/pix/${endToEndId}/devolucao/r2`, { valor: '2.00' })
    controls.endRefund(endToEndId, 'r1', 'NAO_REALIZADO')
    controls.removeCharge(txidOf(2))
    controls.receive({
      pixKey: CHARGE.chave,
      amountMinor: controls.paymentOf(endToEndId).amountMinor,
    })
    await first.put(`/webhook/${CHARGE.chave}`, { webhookUrl: 'https://127.0.0.1/notices' })
    const questions = [
      ...[1, 2, 3].map((number) => `/cob/${txidOf(number)}`),
      '/pix?inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z',
      `/webhook/${CHARGE.chave}`,
    ]
    const before = await Promise.all(questions.map(async (at) => (await first.get(at)).json))
    await first.close()

    const second = await start('second')
    const after = await Promise.all(questions.map(async (at) => (await second.get(at)).json))
    expect(after).toEqual(before)
    await second.bank.notices.settled()
    // Open work continues: an equal request does not revise the charge, and the refund ends.
    expect((await second.put(`/cob/${txidOf(3)}`, CHARGE)).body).toMatchObject({ revisao: 0 })
    second.bank.controls.endRefund(endToEndId, 'r2', 'DEVOLVIDO')
    expect((await second.get(`/pix/${endToEndId}/devolucao/r2`)).body.status).toBe('DEVOLVIDO')
    const known = await second.get(`/cob/${txidOf(1)}`)
    expect(known.body.pix[0]).toMatchObject({ devolucoes: [{}, { status: 'DEVOLVIDO' }] })
    expect(await second.call({ method: 'DELETE', path: `/webhook/${CHARGE.chave}` })).toMatchObject(
      { status: 204 },
    )
    await second.close()

    const third = await start('third')
    expect((await third.get(`/webhook/${CHARGE.chave}`)).status).toBe(404)
    await third.close()
  })
})
