import {
  type ListPage,
  type SavedCardBody,
  type SavedCardCheckBody,
  type SavedCardElement,
  type SavedCardListBody,
  dropAbsent,
  savedCardCreationTable,
  savedCardSearchTable,
} from '@cofre/contracts'
import {
  type AddRoomRoutes,
  type Merchant,
  accepted,
  declineBodyOf,
  fixedPath,
  formatTimestamp,
  jsonResponse,
  readJson,
  refusedFields,
  timestampOrNull,
} from '@cofre/gateway/room'
import type { CheckedForStore, SaveCard } from './card-saving.js'
import { type SavedCardActs, type ShownCard, isCursor } from './saved-cards.js'

/** `/saved-cards`, as the API of a store serves them. */
export function savedCardRoutes(acts: SavedCardActs, save: SaveCard): AddRoomRoutes {
  return (app, { signed }) => {
    const lookUp = { scope: 'read', version: 'v2', checks: ['accept-language'] } as const
    const creation = signed({
      scope: 'pay',
      version: 'v2',
      checks: ['content-type'],
      body: savedCardCreationTable,
    })
    app.post('/saved-cards', creation, async (context) => {
      const merchant = context.get('merchant')
      const json = await readJson(context, 'saved_card_invalid')
      const checked = await save(merchant, readCreation(merchant, json), context.get('deadline'))
      return jsonResponse(context, checkBody(checked), { status: 201 })
    })

    const search = signed({
      scope: 'read',
      version: 'v2',
      checks: ['content-type'],
      body: savedCardSearchTable,
      isRepeatable: true,
    })
    const searches = fixedPath('searches', ['GET', 'DELETE'])
    app.post('/saved-cards/:code', searches, search, async (context) => {
      const merchant = context.get('merchant')
      const json = await readJson(context, 'saved_card_search_invalid')
      const found = await acts.ofPayer(merchant.id, readSearch(merchant, json))
      return jsonResponse(context, listBody(found))
    })

    app.get('/saved-cards/:code', signed(lookUp), async (context) => {
      const card = await acts.find(context.get('merchant').id, context.req.param('code'))
      return jsonResponse(context, cardBody(card))
    })

    // By a signature of RFC 9421: that of the specification does not cover the method, and a signed
    // look-up could be sent again as a deletion.
    const removal = signed({ ...lookUp, scope: 'configure' })
    app.delete('/saved-cards/:code', removal, async (context) => {
      const card = await acts.delete(context.get('merchant').id, context.req.param('code'))
      return jsonResponse(context, cardBody(card))
    })

    // For stores that sign as the specification does.
    const deletion = signed({
      scope: 'configure',
      version: 'v2',
      checks: [],
      isRepeatable: true,
    })
    app.post('/saved-cards/:code/deletion', deletion, async (context) => {
      const card = await acts.delete(context.get('merchant').id, context.req.param('code'))
      return jsonResponse(context, cardBody(card))
    })
  }
}

function readCreation(merchant: Merchant, json: unknown) {
  const body = dropAbsent(json)
  const judged = savedCardCreationTable.validate(body, undefined)
  return accepted(judged, refusedFields(savedCardCreationTable, merchant, body))
}

function checkBody({ card, decline, atMs }: CheckedForStore): SavedCardCheckBody {
  return {
    'saved-card': card === undefined ? null : cardElement(card),
    ...(decline !== undefined && { decline: declineBodyOf(decline, atMs) }),
  }
}

function readSearch(merchant: Merchant, json: unknown) {
  const body = dropAbsent(json)
  const judged = savedCardSearchTable.validate(body, { isCursor })
  return accepted(judged, refusedFields(savedCardSearchTable, merchant, body))
}

function listBody({ items, next }: ListPage<ShownCard>): SavedCardListBody {
  return { 'saved-cards': items.map(cardElement), 'next-cursor': next ?? null }
}

function cardBody(card: ShownCard): SavedCardBody {
  return { 'saved-card': cardElement(card) }
}

function cardElement(card: ShownCard): SavedCardElement {
  const { lastUsedAtMs } = card
  return {
    code: card.code,
    brand: card.brand,
    'last-four': card.lastFour,
    'expiration-date': card.expirationDate,
    'date-created': formatTimestamp(card.createdAtMs),
    'date-last-used': timestampOrNull(lastUsedAtMs),
    chargeable: card.isChargeable,
  }
}
