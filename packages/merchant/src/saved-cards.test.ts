import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type SavedCardBody,
  type SavedCardCheckBody,
  type SavedCardListBody,
  savedCardBodySchema,
  savedCardCheckSchema,
  savedCardCreationTable,
  savedCardListSchema,
} from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { createMerchantClient } from './merchant-client.js'
import type { SaveCardRequest } from './request.js'

interface Vectors {
  readonly savedCards: {
    readonly request: SaveCardRequest
    readonly saved: SavedCardCheckBody
    readonly declined: SavedCardCheckBody
    readonly pages: readonly SavedCardListBody[]
    readonly found: SavedCardBody
  }
}

const FILE = path.join(import.meta.dirname, '../../../sdks/vectors.json')
const { savedCards: vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors
const BASE_URL = 'https://api.shop.example'
const CODE = vectors.found['saved-card'].code

/** A client that gets these answers, or none at an error; and the requests that it has sent. */
function clientOf(...answers: readonly object[]) {
  const asked: { readonly target: string; readonly body: unknown; readonly key: string | null }[] =
    []
  const client = createMerchantClient({
    baseUrl: BASE_URL,
    storeId: 'store-1',
    secret: 'a secret',
    machine: {
      nowMs: () => 1_790_000_000_000,
      elapsedMs: () => 0,
      sleep: () => Promise.resolve(),
      randomBytes: (length) => new Uint8Array(length),
    },
    fetch(url: unknown, { body, headers }: RequestInit = {}) {
      const target = String(url).replace(BASE_URL, '')
      const key = new Headers(headers).get('Idempotency-Key')
      asked.push({ target, body: body == null ? undefined : JSON.parse(body as string), key })
      const answer = answers[asked.length - 1]
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve(Response.json(answer))
    },
  })
  return { client, asked }
}

it('the vectors of saved cards are requests and answers of the API', () => {
  expect(savedCardCreationTable.validate(vectors.request, undefined)).toMatchObject({ ok: true })
  for (const body of [vectors.saved, vectors.declined]) savedCardCheckSchema.parse(body)
  for (const body of vectors.pages) savedCardListSchema.parse(body)
  savedCardBodySchema.parse(vectors.found)
})

describe('saved cards', () => {
  it('are saved without a charge, under the same key again', async () => {
    const { client, asked } = clientOf(new Error('no answer'), vectors.saved)
    const options = { idempotencyKey: 'save-1' }
    expect(await client.saveCard(vectors.request, options)).toEqual(vectors.saved)
    const sent = { target: '/saved-cards', body: vectors.request, key: 'save-1' }
    expect(asked).toEqual([sent, sent])
  })

  it('are not there when they were declined', async () => {
    const { client } = clientOf(vectors.declined)
    expect(await client.saveCard(vectors.request)).toEqual(vectors.declined)
  })

  it('of a payer are searched by a body, page by page', async () => {
    const [first] = vectors.pages
    const { client, asked } = clientOf(...vectors.pages, first ?? {})
    const search = { 'payer-email': 'maria@example.com', limit: 1 }
    const found = []
    for await (const card of client.allSavedCardsOfPayer(search)) found.push(card)
    expect(found).toEqual(vectors.pages.flatMap((page) => page['saved-cards']))
    expect(await client.searchSavedCards(search)).toEqual(first)
    const bodies = [search, { ...search, cursor: first?.['next-cursor'] }, search]
    const target = '/saved-cards/searches'
    expect(asked).toEqual(bodies.map((body) => ({ target, body, key: null })))
  })

  it('are found and deleted by their code', async () => {
    const { client, asked } = clientOf(vectors.found, vectors.found)
    expect(await client.findSavedCard(CODE)).toEqual(vectors.found['saved-card'])
    expect(await client.deleteSavedCard(CODE)).toEqual(vectors.found['saved-card'])
    expect(asked.map(({ target }) => target)).toEqual([
      `/saved-cards/${CODE}`,
      `/saved-cards/${CODE}/deletion`,
    ])
  })
})
