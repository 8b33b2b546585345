import { hash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { KeyRingError } from './key-ring.js'
import { type SplitKey, combineKeyShares, generateSplitKey } from './key-share.js'
import { open, seal } from './sealed-value.js'

const CONTEXT = { purpose: 'data-key', recordId: 'a' } as const

describe('Key shares', () => {
  let split: SplitKey
  let texts: string[]

  beforeAll(async () => {
    split = await generateSplitKey({ shares: 5, threshold: 3 })
    texts = split.shares.map((share) => share.reveal())
  })

  const pick = (...numbers: number[]): string[] => numbers.map((number) => texts[number - 1] ?? '')

  it('give the key back to any custodians, as many as are needed or more, in any order', async () => {
    const [key] = await combineKeyShares(pick(1, 2, 3))
    if (key === undefined) throw new Error('no key')
    expect(key.id).toBe(split.id)
    const sealed = seal(key, 'data', CONTEXT)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 3 }), async (numbers) => {
        const [again] = await combineKeyShares(pick(...numbers))
        expect(again && open(again, sealed, CONTEXT).toString()).toBe('data')
      }),
      { numRuns: 30 },
    )
  })

  it('are distinguished by key, the first one current', async () => {
    const other = await generateSplitKey({ shares: 2, threshold: 2 })
    const both = [...other.shares.map((share) => share.reveal()), ...pick(5, 3, 1)]
    expect((await combineKeyShares(both)).map(({ id }) => id)).toEqual([other.id, split.id])
  })

  it('report how many are missing', async () => {
    await expect(combineKeyShares(pick(1, 5))).rejects.toThrow(
      `key ${split.id} needs the shares of 3 custodians, and 2 came`,
    )
  })

  it('are refused when one is given twice', async () => {
    await expect(combineKeyShares(pick(1, 2, 2))).rejects.toThrow('given twice')
  })

  it('report which one is mistyped, whichever letter it is', async () => {
    const [share = ''] = pick(4)
    for (let i = 0; i < share.length; i++) {
      const wrong = share.slice(0, i) + (share[i] === '7' ? '8' : '7') + share.slice(i + 1)
      await expect(combineKeyShares([...pick(1, 2), wrong])).rejects.toThrow(/^share 3 is mistyped/)
    }
    await expect(combineKeyShares([...pick(1, 2), share.slice(0, -1)])).rejects.toThrow(
      KeyRingError,
    )
  })

  it('are read in capitals as well', async () => {
    const loud = pick(1, 2, 3).map((text) => text.toUpperCase())
    expect((await combineKeyShares(loud))[0]?.id).toBe(split.id)
  })

  it('never make a wrong key, not even of shares that were forged to fit', async () => {
    const other = await generateSplitKey({ shares: 5, threshold: 3 })
    const bytesOf = (text: string) => text.split('-')[4] ?? ''
    const foreign = other.shares[0]?.reveal() ?? ''
    const forged = withBytes(pick(3)[0] ?? '', bytesOf(foreign))
    await expect(combineKeyShares([...pick(1, 2), forged])).rejects.toThrow(
      'do not belong together',
    )
  })

  it('reveal nothing of the key below the threshold: two reveal as much as none', async () => {
    // A wrong threshold gives another key, and the check value reveals it.
    const lying = pick(1, 2).map((text) => resign(text.replace(/^(share-[0-9a-f]+)-3-/, '$1-2-')))
    await expect(combineKeyShares(lying)).rejects.toThrow('do not belong together')
  })

  it('print no part of the key', () => {
    expect(JSON.stringify(split)).not.toMatch(/share-/)
  })

  it.each([
    [1, 1],
    [3, 1],
    [3, 4],
    [256, 3],
  ])('are not made of %d with a threshold of %d', async (shares, threshold) => {
    await expect(generateSplitKey({ shares, threshold })).rejects.toThrow(RangeError)
  })
})

function withBytes(share: string, bytes: string): string {
  const parts = share.split('-')
  return resign([...parts.slice(0, 4), bytes, parts[5]].join('-'))
}

/** Gives a forged share a correct checksum. */
function resign(share: string): string {
  const body = share.slice(0, share.lastIndexOf('-'))
  return `${body}-${hash('sha256', body).slice(0, 6)}`
}
