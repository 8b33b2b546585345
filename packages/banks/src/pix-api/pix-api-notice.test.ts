import { describe, expect, it } from 'vitest'
import { namesInNotice } from './pix-api-notice.js'

const txid = 'a'.repeat(32)
const item = { endToEndId: 'E1', txid, valor: '1.00' }

describe('a notice', () => {
  it.each([
    ['names its charge', { pix: [item] }, [txid]],
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
