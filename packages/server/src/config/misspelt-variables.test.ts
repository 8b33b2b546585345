import { describe, expect, it } from 'vitest'
import { readConfig } from './config.js'

const reported = (environ: Record<string, string>): string[] => [
  ...readConfig(environ, 'dev').misspelt,
]

describe('A variable that nothing reads', () => {
  it.each([
    ['COFRE_VALUT_PORT', ': is COFRE_VAULT_PORT meant?'],
    ['COFRE_SESSION_PER_MINUTE', ': is COFRE_SESSIONS_PER_MINUTE meant?'],
    ['COFRE_PUBLIC_API', ': is COFRE_PUBLIC_API_URL meant?'],
    ['COFRE_SOMETHING_ELSE_ENTIRELY', ''],
    ['COFRE_TYPO', ''],
    ['COFRE_FOO', ''],
    ['COFRE_STORE', ''],
    ['COFRE_VAULT', ''],
    ['COFRE_PANEL_PROT', ': is COFRE_PANEL_PORT meant?'],
  ])('is named, with the one that is near: %s', (name, meant) => {
    expect(reported({ [name]: '1' })).toEqual([`nothing reads the variable ${name}${meant}`])
  })

  it('is not what the examples of the documentation sign with, usable or not', () => {
    const examples = {
      COFRE_API: 'http://127.0.0.1:8081',
      COFRE_STORE_ID: 'a b',
      COFRE_SECRET: 'x',
    }
    expect(reported(examples)).toEqual([])
  })

  it('is ignored without our prefix, or if it is for tests', () => {
    expect(
      reported({
        VALUT_PORT: '1',
        COFRE_TEST_POSTGRES_URL: 'x',
        COFRE_KILLS: '2',
        COFRE_TESTS: 'long',
      }),
    ).toEqual([])
  })
})
