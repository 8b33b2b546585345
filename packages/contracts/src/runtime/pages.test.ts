import { describe, expect, it } from 'vitest'
import { pageOf, pages } from './pages.js'

const PAGES = [['a', 'b'], [], ['c']] as const

/** A list of these pages by number, with the cursors of its calls. */
function listed() {
  const asked: (number | undefined)[] = []
  const list = (after: number | undefined) => {
    asked.push(after)
    const page = after === undefined ? 0 : after + 1
    const next = page + 1 < PAGES.length ? page : undefined
    return Promise.resolve({ items: PAGES[page] ?? [], next })
  }
  return { asked, list }
}

describe('all items of a list', () => {
  it('come in order, past a page that is empty and a cursor that is zero', async () => {
    const { asked, list } = listed()
    const items: string[] = []
    for await (const item of pages(list)) items.push(item)
    expect(items).toEqual(['a', 'b', 'c'])
    expect(asked).toEqual([undefined, 0, 1])
  })

  it('begin where they are wanted', async () => {
    const { asked, list } = listed()
    const items: string[] = []
    for await (const item of pages(list, 1)) items.push(item)
    expect(items).toEqual(['c'])
    expect(asked).toEqual([1])
  })

  it('are read no further than they are taken', async () => {
    const { asked, list } = listed()
    for await (const item of pages(list)) if (item === 'b') break
    expect(asked).toEqual([undefined])
  })

  it('end with the error of a page, after the items before it', async () => {
    const items: string[] = []
    const failing = pages((after: number | undefined) =>
      after === undefined
        ? Promise.resolve({ items: ['a'], next: 1 })
        : Promise.reject(new Error('gone')),
    )
    const readAll = async () => {
      for await (const item of failing) items.push(item)
    }
    await expect(readAll()).rejects.toThrow('gone')
    expect(items).toEqual(['a'])
  })
})

describe('a page of a list', () => {
  it.each([
    [[], undefined],
    [['a', 'b'], undefined],
    [['a', 'b', 'c'], 'behind b'],
    [['', '', 'c'], 'behind '],
  ])('of two leads on from %j to %j', (found, next) => {
    const items = found.slice(0, 2)
    expect(pageOf(found, 2, (last) => `behind ${last}`)).toEqual({ items, next })
  })
})
