import { minorUnits } from '@cofre/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { CHARGE, DATED, type TestBank, openTestBank, txidOf } from '../../../test/simulated-bank.js'
import { dayAfter, endOf, lastDayOf, owedOn, totalOf } from './dated-terms.js'
import { type DatedTerms, readDatedCharge } from './dated-wire.js'

const ERROR = 'https://pix.bcb.gov.br/api/v2/error/'
const TXID = txidOf(1)

describe('charges with a due date', () => {
  let bank: TestBank
  const opened = async () => {
    bank = await openTestBank()
    return bank
  }
  afterEach(() => bank.close())

  it('are created under the txid of the receiver, revised, read, listed and removed', async () => {
    const { get, patch, put } = await opened()
    const created = await put(`/cobv/${TXID}`, DATED)
    expect(created).toMatchObject({ status: 201, body: { ...DATED, txid: TXID, revisao: 0 } })
    expect(created.body.pixCopiaECola).toContain(created.body.location)
    expect(await put(`/cobv/${TXID}`, DATED)).toMatchObject({ body: created.body })
    const changed = await patch(`/cobv/${TXID}`, { valor: { original: '50.00' } })
    expect(changed.body).toMatchObject({ revisao: 1, valor: { ...DATED.valor, original: '50.00' } })
    const first = await get(`/cobv/${TXID}?revisao=0`)
    expect(first.body).toMatchObject({ revisao: 0, valor: DATED.valor })
    await put(`/cob/${txidOf(2)}`, CHARGE)
    const range = 'inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z'
    expect((await get(`/cobv?${range}`)).body.cobs).toMatchObject([{ txid: TXID }])
    expect((await get(`/cob?${range}`)).body.cobs).toMatchObject([{ txid: txidOf(2) }])
    const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }
    expect((await patch(`/cobv/${TXID}`, removal)).body).toMatchObject(removal)
    expect(await put(`/cobv/${TXID}`, DATED)).toMatchObject({ status: 400 })
  })

  it('share txids with immediate charges, and are found by their kind', async () => {
    const { get, patch, put } = await opened()
    await put(`/cob/${TXID}`, CHARGE)
    expect(await put(`/cobv/${TXID}`, DATED)).toMatchObject({ status: 400 })
    await put(`/cobv/${txidOf(2)}`, DATED)
    expect(await put(`/cob/${txidOf(2)}`, CHARGE)).toMatchObject({ status: 400 })
    const absent = { status: 404, body: { type: `${ERROR}CobVNaoEncontrada` } }
    expect(await get(`/cobv/${TXID}`)).toMatchObject(absent)
    expect(await patch(`/cobv/${TXID}`, { solicitacaoPagador: 'x' })).toMatchObject(absent)
  })

  it.each<[string, object]>([
    ['no payer', { devedor: undefined }],
    ['no due date', { calendario: {} }],
    ['a due date that is over', { calendario: { dataDeVencimento: '2020-01-01' } }],
    [
      'a discount after it',
      {
        valor: {
          original: '1.00',
          desconto: {
            modalidade: 2,
            descontoDataFixa: [{ data: '2090-02-01', valorPerc: '1.00' }],
          },
        },
      },
    ],
    ['a fine of no kind', { valor: { original: '1.00', multa: { modalidade: 3 } } }],
    ['another’s key', { chave: 'other@cofre.example' }],
    ['nothing to pay', { valor: { original: '0.00' } }],
  ])('are refused with %s', async (_, changes) => {
    const { put } = await opened()
    const answer = await put(`/cobv/${TXID}`, { ...DATED, ...changes }, { isWrong: true })
    expect(answer).toMatchObject({ status: 400, body: { type: `${ERROR}CobVOperacaoInvalida` } })
  })

  it('are paid with the owed amount of the day, in its parts, or with another amount', async () => {
    const { bank: pixBank, get, put } = await opened()
    await put(`/cobv/${TXID}`, DATED)
    pixBank.controls.payLate(TXID, 30)
    pixBank.controls.pay(TXID, minorUnits(500))
    const { body } = await get(`/cobv/${TXID}`)
    const parts = { original: '100.00', multa: '2.00', juros: '1.00' }
    const componentesValor = Object.fromEntries(
      Object.entries(parts).map(([name, valor]) => [name, { valor }]),
    )
    expect(body.pix).toMatchObject([{ valor: '103.00', componentesValor }, { valor: '5.00' }])
    expect(body.pix[1]).not.toHaveProperty('componentesValor')
  })
})

describe('what is owed', () => {
  /** A Tuesday. */
  const DUE = '2090-01-03'
  const terms = (valor: object = {}, calendario: object = {}): DatedTerms =>
    readDatedCharge({
      ...DATED,
      calendario: { ...DATED.calendario, ...calendario },
      valor: { original: '100.00', ...valor },
    })
  const until = (modalidade: number, valorPerc: string) => ({
    desconto: { modalidade, descontoDataFixa: [{ data: '2090-01-02', valorPerc }] },
  })

  it.each<[string, object, string, number]>([
    ['nothing more on time', { multa: { modalidade: 2, valorPerc: '2.00' } }, DUE, 10_000],
    ['a fine in percent', { multa: { modalidade: 2, valorPerc: '2.00' } }, '2090-01-04', 10_200],
    ['a fine of an amount', { multa: { modalidade: 1, valorPerc: '7.00' } }, '2090-01-04', 10_700],
    ['interest a day', { juros: { modalidade: 1, valorPerc: '0.10' } }, '2090-01-13', 10_100],
    ['percent a day', { juros: { modalidade: 2, valorPerc: '0.10' } }, '2090-01-13', 10_100],
    ['percent a month', { juros: { modalidade: 3, valorPerc: '3.00' } }, '2090-01-13', 10_100],
    ['percent a year', { juros: { modalidade: 4, valorPerc: '36.50' } }, '2090-01-13', 10_100],
    ['a reduction', { abatimento: { modalidade: 1, valorPerc: '30.00' } }, DUE, 7000],
    ['a discount in percent', until(2, '5.00'), '2090-01-02', 9500],
    ['a discount of an amount', until(1, '5.00'), '2090-01-01', 9500],
    ['no discount after its day', until(2, '5.00'), DUE, 10_000],
  ])('is %s', (_, valor, day, total) => {
    expect(totalOf(owedOn(day, terms(valor)))).toBe(total)
  })

  it('is late only after the Monday that follows a weekend', () => {
    const saturday = terms(
      { multa: { modalidade: 2, valorPerc: '2.00' } },
      { dataDeVencimento: '2090-01-07', validadeAposVencimento: 5 },
    )
    expect(totalOf(owedOn('2090-01-09', saturday))).toBe(10_000)
    expect(totalOf(owedOn('2090-01-10', saturday))).toBe(10_200)
    expect(lastDayOf(saturday)).toBe('2090-01-16')
    expect(endOf(saturday)).toBe(Date.parse('2090-01-17T00:00:00-03:00'))
    expect(dayAfter('2090-02-28', 1)).toBe('2090-03-01')
  })
})
