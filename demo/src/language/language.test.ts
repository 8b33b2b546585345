import { describe, expect, it } from 'vitest'
import { openShopForTest } from '../shopper.fixture.js'
import { LANGUAGES, preferredLanguage } from './language.js'
import { messagesIn } from './translation.js'

function keysOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null
      ? keysOf(entry, `${path}${key}.`)
      : [`${path}${key}`],
  )
}

function textsOf(value: object): string[] {
  return Object.values(value).flatMap((entry: unknown) => {
    if (typeof entry === 'object' && entry !== null) return textsOf(entry)
    return typeof entry === 'string' ? [entry] : []
  })
}

describe('the languages', () => {
  it('say the same things', () => {
    const [first, ...others] = LANGUAGES.map((language) => keysOf(messagesIn(language)).toSorted())
    for (const keys of others) expect(keys).toEqual(first)
  })

  it('leave nothing empty', () => {
    const texts = LANGUAGES.flatMap((language) => textsOf(messagesIn(language)))
    expect(texts.filter((text) => text.trim() === '')).toEqual([])
  })
})

describe('the language switch', () => {
  it('is Portuguese until it is changed, and remembered', async () => {
    const shopper = openShopForTest().newShopper()
    expect((await shopper.get('/cart')).html).toContain('<html lang="pt-BR">')
    const changed = await shopper.get('/language/en-US?to=%2Fcart')
    expect(changed).toMatchObject({ status: 303, location: '/cart' })
    expect((await shopper.get('/cart')).html).toContain('<html lang="en-US">')
    expect((await shopper.get('/')).html).toContain('Add Ceramic mug to the cart')
  })

  it.each([
    ['https://evil.example/x', '/x'],
    ['//evil.example/x', '/x'],
    ['/\\evil.example', '/'],
    ['https://evil.example//evil.example', '/evil.example'],
    ['javascript:alert(1)', '/alert(1)'],
    ['foo:/\\evil.example', '/evil.example'],
    ['foo:\\/\\evil.example', '/evil.example'],
  ])('never leads from %s to another shop', async (to, location) => {
    const page = await openShopForTest()
      .newShopper()
      .get(`/language/en-US?to=${encodeURIComponent(to)}`)
    expect(page.location).toBe(location)
  })

  it('does not know other languages', async () => {
    expect((await openShopForTest().newShopper().get('/language/xx')).status).toBe(404)
  })
})

describe('the language of a first visit', () => {
  it.each([
    ['en-US', 'en-US'],
    ['en-US,en;q=0.9,pt;q=0.8', 'en-US'],
    ['fr, EN;q=0.5', 'en-US'],
    ['pt;q=0.5, en;q=0.8', 'en-US'],
    ['en, pt;q=0', 'en-US'],
    ['pt-BR,pt;q=0.9,en-US;q=0.8', 'pt-BR'],
    ['pt-PT, en', 'pt-BR'],
    ['en;q=0.5, *', 'pt-BR'],
    ['en;q=0', 'pt-BR'],
    ['fr-CA', 'pt-BR'],
    ['*', 'pt-BR'],
    ['', 'pt-BR'],
    ['e n;;q=x,,', 'pt-BR'],
  ])('with %j is %s', (accepted, language) => {
    expect(preferredLanguage(accepted)).toBe(language)
  })

  it('is the browser’s, until the customer chooses', async () => {
    const shopper = openShopForTest().newShopper({ 'Accept-Language': 'en-US,en;q=0.9' })
    expect((await shopper.get('/')).html).toContain('<html lang="en-US">')
    await shopper.get('/language/pt-BR')
    expect((await shopper.get('/')).html).toContain('<html lang="pt-BR">')
  })
})
