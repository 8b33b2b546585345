import { describe, expect, it } from 'vitest'
import { createLimited } from './limited.js'

describe('a limit of places', () => {
  it('gives a key as many places as it may have, and one more for each that comes back', () => {
    const limited = createLimited()
    const [first, second] = [limited('store', 2), limited('store', 2)]
    expect(limited('store', 2)).toBeUndefined()
    first!()
    expect(limited('store', 2)).toBeDefined()
    expect(limited('store', 2)).toBeUndefined()
    second!()
    expect(limited('store', 2)).toBeDefined()
  })

  it('gives each key places of its own', () => {
    const limited = createLimited()
    limited('one', 1)
    expect(limited('one', 1)).toBeUndefined()
    expect(limited('other', 1)).toBeDefined()
  })

  it('takes each place back once', () => {
    const limited = createLimited()
    const [first] = [limited('store', 2), limited('store', 2)]
    first!()
    first!()
    expect(limited('store', 2)).toBeDefined()
    expect(limited('store', 2)).toBeUndefined()
  })

  it('takes a place back once also where its key had none in between', () => {
    const limited = createLimited()
    const first = limited('store', 1)
    first!()
    limited('store', 1)
    first!()
    expect(limited('store', 1)).toBeUndefined()
  })

  it('gives no place where there are none', () => {
    expect(createLimited()('store', 0)).toBeUndefined()
  })
})
