import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { openPanelForTest } from '../testing/developer.js'
import { formatDuration, formatMoney } from './format.js'

describe('the language', () => {
  it('is changed by a link that leads back, and remembered', async () => {
    const developer = openPanelForTest().newDeveloper({ 'Accept-Language': 'en' })
    expect((await developer.get('/sign-in/sandbox?to=%2Fclock')).html).toContain('<html lang="en">')
    const changed = await developer.get('/language/pt-BR?to=%2Fsign-in%2Fsandbox%3Fto%3D%252Fclock')
    expect(changed).toMatchObject({ status: 303, location: '/sign-in/sandbox?to=%2Fclock' })
    expect((await developer.get('/sign-in/sandbox')).html).toContain('<html lang="pt-BR">')
  })

  it.each([
    ['https://evil.example/x', '/x'],
    ['//evil.example/x', '/x'],
    ['/\\evil.example', '/'],
    ['https://evil.example//evil.example', '/evil.example'],
  ])('never leads from %s elsewhere', async (to, location) => {
    const page = await openPanelForTest()
      .newDeveloper()
      .get(`/language/en?to=${encodeURIComponent(to)}`)
    expect(page.location).toBe(location)
  })
})

/** The paths of all texts, with the placeholders of each. */
function shapeOf(value: unknown, at = ''): string[] {
  if (typeof value === 'string') {
    expect(value.trim(), at).not.toBe('')
    const placeholders = [...value.matchAll(/\{\w+\}/g)].map(([name]) => name)
    return [`${at} ${placeholders.toSorted().join(' ')}`]
  }
  return Object.entries(value as object).flatMap(([name, inner]) => shapeOf(inner, `${at}/${name}`))
}

/** Includes the pages of rooms. */
const SOURCES = path.join(import.meta.dirname, '../../..')
const AREAS = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(?:panel[/]src|[^/]+[/]src[/]console)[/].*\ben[.]json$/.test(file))
  .map((file) => path.dirname(file))

it.each(AREAS)('%s has every text in both languages, with the same placeholders', (area) => {
  const [portuguese, english] = ['pt-BR', 'en'].map((language) =>
    shapeOf(JSON.parse(readFileSync(path.join(SOURCES, area, `${language}.json`), 'utf8')))
      // Two examples of a shop's own language.
      .filter((line) => !line.startsWith('/checklist/steps/search-after-notification/hint')),
  )
  expect(portuguese).toEqual(english)
})

describe('amounts and durations', () => {
  it.each([
    [0, 'R$ 0,00', 'BRL 0.00'],
    [5, 'R$ 0,05', 'BRL 0.05'],
    [123_456, 'R$ 1.234,56', 'BRL 1,234.56'],
    [9_007_199_254_740_991, 'R$ 90.071.992.547.409,91', 'BRL 90,071,992,547,409.91'],
  ])('%i centavos are %s, %s', (cents, portuguese, english) => {
    expect(formatMoney(minorUnits(cents), 'pt-BR')).toBe(portuguese)
    expect(formatMoney(minorUnits(cents), 'en')).toBe(english)
  })

  it.each([
    [0, '0 seconds'],
    [61_000, '1 minute, 1 second'],
    [2_592_000_000, '30 days'],
    [90_061_000, '1 day, 1 hour'],
  ])('%i ms are %s', (durationMs, text) => {
    expect(formatDuration(durationMs, 'en')).toBe(text)
  })
})
