import { Readable } from 'node:stream'
import { SettlementFileError } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { SETTLEMENT_FORMATS } from './settlement-formats.js'

describe('the settlement files of an installation', () => {
  it('are offered in this order, with the days that they may speak ahead', () => {
    expect(SETTLEMENT_FORMATS.all.map(({ name, daysAhead }) => `${name} ${daysAhead}`)).toEqual([
      'adyen 2',
      'cielo 2',
      'cofre 2',
      'cnab 60',
    ])
  })

  it.each(SETTLEMENT_FORMATS.all)(
    'are read by the reader of $name, which refuses what is none of its files',
    async ({ loadReader }) => {
      const read = await loadReader()
      const lines = read(Readable.from([Buffer.from('no such file\n')]), 'production')
      const readAll = async () => {
        for await (const line of lines) expect(line).toBeUndefined()
      }
      await expect(readAll()).rejects.toBeInstanceOf(SettlementFileError)
    },
  )
})
