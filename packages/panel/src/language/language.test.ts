import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openPanelForTest } from '../developer.fixture.js'
import { formatDuration, formatMoney } from './format.js'
import { type Language, preferredLanguage } from './language.js'
import { minorUnits } from '@cofre/contracts'

describe('the language', () => {
  it.each([
    ['en-US', 'en'],
    ['fr, EN;q=0.5', 'en'],
    ['pt;q=0.5, en;q=0.8', 'en'],
    ['en, pt;q=0', 'en'],
    ['pt-PT, en', 'pt-BR'],
    ['fr-CA', 'pt-BR'],
    ['', 'pt-BR'],
  ])('with %j is %s', (accepted, language) => {
    expect(preferredLanguage(accepted)).toBe(language)
  })

  it('is changed by a link that leads back, and remembered', async () => {
    const developer = openPanelForTest().newDeveloper({ 'Accept-Language': 'en' })
    expect((await developer.get('/sign-in?to=%2Fclock')).html).toContain('<html lang="en">')
    const changed = await developer.get('/language/pt-BR?to=%2Fsign-in%3Fto%3D%252Fclock')
    expect(changed).toMatchObject({ status: 303, location: '/sign-in?to=%2Fclock' })
    expect((await developer.get('/sign-in')).html).toContain('<html lang="pt-BR">')
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

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
const messageFiles = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('-messages.ts'),
)

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

describe('the texts', () => {
  it.each(messageFiles)('of %s are all there, in both languages', async (name) => {
    const tables = (await import(path.join(SOURCES, name))) as Record<
      string,
      Record<Language, unknown>
    >
    for (const table of Object.values(tables)) {
      const [portuguese, english] = [textsOf(table['pt-BR']), textsOf(table.en)]
      expect(portuguese).toHaveLength(english.length)
      for (const text of [...portuguese, ...english]) expect(text.trim()).not.toBe('')
    }
  })
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
