import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { oncePerTurn } from './once-per-turn.js'

describe('oncePerTurn', () => {
  it('asks once for each key, however many ask in a turn', async () => {
    const asked: string[] = []
    const find = oncePerTurn((key: string) => {
      asked.push(key)
      return Promise.resolve(`${key}!`)
    })
    const both = find('a').then(() => find('b'))
    expect(await Promise.all([find('a'), find('b'), both])).toEqual(['a!', 'b!', 'b!'])
    expect(asked).toEqual(['a', 'b'])
  })

  it('asks again in the next turn, although the answer is still awaited', async () => {
    let asked = 0
    const find = oncePerTurn(async () => {
      const answer = ++asked
      await turn()
      return answer
    })
    const first = find('a')
    await turn()
    expect(await Promise.all([first, find('a')])).toEqual([1, 2])
  })

  it('gives a failure to all callers of that turn, and to no other', async () => {
    let fails = true
    const find = oncePerTurn(() => (fails ? Promise.reject(new Error('gone')) : Promise.resolve(1)))
    const failed = await Promise.allSettled([find('a'), find('a')])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    await turn()
    expect(await find('a')).toBe(1)
  })
})
