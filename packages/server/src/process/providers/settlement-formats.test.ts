import { Readable } from 'node:stream'
import { SettlementFileError } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { loadSettlementFormats } from './settlement-formats.js'

const { all } = await loadSettlementFormats()

describe('the settlement files of an installation', () => {
  it('are offered in this order, with the days that they may speak ahead', () => {
    expect(all.map(({ name, daysAhead }) => `${name} ${daysAhead}`)).toEqual([
      'adyen 2',
      'cielo 2',
      'cnab 60',
      'cofre 2',
    ])
  })

  it.each(all)(
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
