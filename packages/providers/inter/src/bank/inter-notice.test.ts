import { drawBoletoName } from '@cofre/provider-kit/bank'
import { describe, expect, it } from 'vitest'
import { namesInNotice } from './inter-notice.js'

const name = drawBoletoName(() => 4)
const item = { codigoSolicitacao: 'c', seuNumero: name, situacao: 'RECEBIDO', novo: 1 }

describe('the boletos of a notice', () => {
  it.each([
    ['one in a list', [item], [name]],
    ['one by itself', item, [name]],
    ['twice the same', [item, item], [name]],
    ['those of other systems', [{ ...item, seuNumero: '248_1007_82' }, item], [name]],
    ['without our name', [{ ...item, seuNumero: undefined }], []],
    ['of other shapes', [null, 1, 'x', [], item], [name]],
    ['none', [], []],
  ])('%s', (_, body, names) => {
    expect(namesInNotice(body)).toEqual(names)
  })

  it.each([[undefined], [null], [1], ['x'], [{}], [{ pix: [] }], [{ seuNumero: name }]])(
    'there are none in %j',
    (body) => {
      expect(namesInNotice(body)).toBeUndefined()
    },
  )
})
