import { describe, expect, it } from 'vitest'
import { readConfig } from './config.js'
import { misspeltSentence } from './misspelt-variables.js'

const told = (environ: Record<string, string>): string[] =>
  readConfig(environ, 'dev').misspelt.map(misspeltSentence)

describe('A variable that nothing reads', () => {
  it.each([
    ['COFRE_VALUT_PORT', ': is COFRE_VAULT_PORT meant?'],
    ['COFRE_SESSION_PER_MINUTE', ': is COFRE_SESSIONS_PER_MINUTE meant?'],
    ['COFRE_PUBLIC_API', ': is COFRE_PUBLIC_API_URL meant?'],
    ['COFRE_SOMETHING_ELSE_ENTIRELY', ''],
  ])('is named, with the one that is near: %s', (name, meant) => {
    expect(told({ [name]: '1' })).toEqual([`nothing reads the variable ${name}${meant}`])
  })

  it('is none of ours without our prefix, or when it is of the tests', () => {
    expect(told({ VALUT_PORT: '1', COFRE_TEST_POSTGRES_URL: 'x', COFRE_KILLS: '2' })).toEqual([])
  })
})
