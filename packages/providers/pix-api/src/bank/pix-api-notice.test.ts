import { describe, expect, it } from 'vitest'
import { drawBoletoName, drawTxid } from '@cofre/provider-kit/bank'
import fc from 'fast-check'
import { nameOfTxid, txidOfBoleto } from './pix-api-names.js'
import { namesInNotice } from './pix-api-notice.js'

const txid = 'a'.repeat(32)
const NAME = drawBoletoName(() => 3)
const item = { endToEndId: 'E1', txid, valor: '1.00' }

describe('a notice', () => {
  it.each([
    ['names its charge', { pix: [item] }, [txid]],
    [
      'names a boleto as we do',
      { pix: [item, { ...item, txid: txidOfBoleto(NAME) }] },
      [txid, NAME],
    ],
    ['names a charge once', { pix: [item, item] }, [txid]],
    ['has fields that are new', { pix: [{ ...item, novo: 1 }], parametros: {} }, [txid]],
    ['leaves out what is no charge of ours', { pix: [{ txid: '../x' }, 7, null, item] }, [txid]],
    ['is empty when the address is tried', { pix: [] }, []],
    ['is no longer than a thousand', { pix: Array.from({ length: 9999 }, () => item) }, [txid]],
  ])('%s', (_, body, txids) => {
    expect(namesInNotice(body)).toEqual(txids)
  })

  it.each([undefined, null, 7, 'pix', [], {}, { pix: 'x' }, { rec: [] }])('is not %j', (body) => {
    expect(namesInNotice(body)).toBeUndefined()
  })
})

describe('the txid of a boleto', () => {
  const below = (seeds: readonly number[]) => {
    let drawn = 0
    return (limit: number): number => (seeds[drawn++ % seeds.length] ?? 0) % limit
  }
  const seeds = fc.array(fc.nat(), { minLength: 1, maxLength: 40 })

  it('is one that banks take, and leads back to its name', () => {
    fc.assert(
      fc.property(seeds, (drawn) => {
        const name = drawBoletoName(below(drawn))
        expect(txidOfBoleto(name)).toMatch(/^[a-zA-Z0-9]{26,35}$/)
        expect(nameOfTxid(txidOfBoleto(name))).toBe(name)
      }),
    )
  })

  it('is never that of a charge at once', () => {
    fc.assert(
      fc.property(seeds, (drawn) => {
        const charge = drawTxid(below(drawn))
        expect(nameOfTxid(charge)).toBe(charge)
      }),
    )
  })
})
