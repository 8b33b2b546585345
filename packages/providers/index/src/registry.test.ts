import { expect, it } from 'vitest'
import { PROVIDERS, loadAcquirerTerms, loadAcquirers, loadBanks } from './index.js'

it('names each provider once, by its own name, and has the terms of each acquirer', async () => {
  const names = PROVIDERS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const [acquirers, banks, terms] = await Promise.all([
    loadAcquirers(),
    loadBanks(),
    loadAcquirerTerms(),
  ])
  expect([...acquirers, ...banks].map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(terms.map(({ name, company }) => `${name} ${company}`)).toEqual(
    acquirers.map(({ name, profiles }) => `${name} ${profiles[0]?.company ?? ''}`),
  )
})

it('simulates each provider for one zone, with books of its own', async () => {
  const simulated = PROVIDERS.filter(({ simulator }) => simulator !== undefined)
  expect(simulated.filter(({ card, bank }) => card !== undefined && bank !== undefined)).toEqual([])
  const folders = await Promise.all(
    simulated.map(async ({ name, simulator }) => (await simulator?.())?.folder ?? name),
  )
  expect(new Set(folders).size).toBe(folders.length)
})
