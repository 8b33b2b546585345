import { DECLINE_REASONS } from '@cofre/contracts'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it } from 'vitest'
import type { GatewayApi } from '../gateway-api.js'
import { createGatewayRoutes } from '../gateway-routes.js'
import type { AddRoomRoutes } from '../room-routes.js'
import { openTestGateway } from '../../gateway.fixture.js'
import { type PaymentCalls, paymentRoutes } from '../../../../operator/src/api/payment-routes.js'
import {
  type PaymentListCalls,
  paymentListRoutes,
} from '../../../../search/src/api/payment-list-routes.js'
import {
  type EndpointRouteDeps,
  endpointRoutes,
} from '../../../../events/src/api/endpoint-routes.js'
import { eventRoutes } from '../../../../events/src/api/event-routes.js'
import type { EventActs } from '../../../../events/src/acts/event-acts.js'
import { savedCardRoutes } from '../../../../saved-cards/src/saved-card-routes.js'
import type { SaveCard } from '../../../../saved-cards/src/card-saving.js'
import type { SavedCardActs } from '../../../../saved-cards/src/saved-cards.js'
import { type LinkCalls, addPaymentLinkRoutes } from '../../../../links/src/payment-link-routes.js'
import { withoutDescription } from './contract.fixture.js'
import { OPERATIONS, openApiDocument } from './openapi-document.js'

const options = { mediaVendor: 'cofre', publicUrl: 'https://api.cofre.test' }

/** The document itself, and the pages of payers. */
const OF_NO_STORE = [
  '/openapi.json',
  '/b/:boleto',
  '/q/:image',
  '/a/:publicId',
  '/a/:publicId/return',
]

describe('the OpenAPI document', () => {
  it('is clean to an independent linter', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(openApiDocument(options))
    const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  it('has the codes of a field that is missing or wrong', () => {
    expect(openApiDocument(options)).toMatchObject({
      components: {
        schemas: {
          TransactionRequest: {
            properties: {
              payer: {
                properties: { name: { 'x-error-missing': 210303, 'x-error-invalid': 210304 } },
              },
            },
          },
        },
      },
    })
  })

  it.each([
    ['TransactionRequest', 'charge.[].amount', { minimum: 0.01 }],
    ['TransactionRequest', 'charge.[].payment-info.installments', { minimum: 1, maximum: 12 }],
    ['TransactionRequest', 'shipping.cost', { minimum: 0 }],
    ['TransactionRequest', 'cart.[].unit-price', { minimum: 0.01 }],
    ['TransactionRequest', 'cart.[].quantity', { minimum: 1 }],
    ['TransactionRequest', 'payer.birth-date', { type: 'string', format: 'date' }],
    ['TransactionRequest', 'payer.document.type', { enum: ['CPF', 'CNPJ', 'cpf', 'cnpj'] }],
    ['RefundRequest', 'amount', { minimum: 0.01 }],
    ['RefundRequest', 'notify-url', { maxLength: 200 }],
    ['PaymentLinkRequest', 'amount', { minimum: 0.01 }],
  ])('says of %s: %s what it is held to', (name, path, bounds) => {
    const { components } = openApiDocument(options) as unknown as {
      components: { schemas: Record<string, object> }
    }
    const at = path.split('.').reduce<object>((json, part) => {
      const { items = {}, properties = {} } = json as { items?: object; properties?: object }
      return part === '[]' ? items : (Reflect.get(properties, part) as object)
    }, components.schemas[name] ?? {})
    expect(at).toMatchObject(bounds)
  })

  it('has no bound that only JavaScript has', () => {
    expect(JSON.stringify(openApiDocument(options))).not.toContain(`${Number.MAX_SAFE_INTEGER}`)
  })

  it('describes every property, parameter, header and operation', () => {
    expect(withoutDescription(openApiDocument(options))).toEqual([])
  })

  it('explains each reason of a decline', () => {
    expect(openApiDocument(options)).toMatchObject({
      'x-decline-reasons': DECLINE_REASONS.map((reason) => ({
        reason,
        meaning: expect.stringMatching(/\.$/) as string,
        advice: expect.stringMatching(/\.$/) as string,
      })),
    })
  })

  it('has each route of the API, and no other', () => {
    const rooms: AddRoomRoutes[] = [
      paymentRoutes({} as PaymentCalls),
      savedCardRoutes({} as SavedCardActs, {} as SaveCard),
      eventRoutes({} as EventActs),
      endpointRoutes({} as EndpointRouteDeps),
      paymentListRoutes({} as PaymentListCalls),
      (app, serving) => {
        addPaymentLinkRoutes(app, serving, {} as LinkCalls)
      },
    ]
    const { routes } = createGatewayRoutes({ api: {} as GatewayApi }, { ...options, rooms })
    const served = routes
      .filter(({ method, path }) => method !== 'ALL' && !OF_NO_STORE.includes(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+\??/g, '{}')}`)
    // A fixed part beside a parameter is one of its values (fixed-path.ts).
    const documented = OPERATIONS.map(
      ({ method, path }) =>
        `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}|(?<=^.(?:payments|saved-cards).)searches$/g, '{}')}`,
    )
    expect(documented.toSorted()).toEqual([...new Set(served)].toSorted())
  })

  it('lists every operation with its media type', () => {
    expect(openApiDocument({ ...options, mediaVendor: 'acme.com' })).toMatchObject({
      paths: {
        '/transactions': {
          post: {
            responses: {
              201: { content: { 'application/vnd.acme.com.v2+json; charset=UTF-8': {} } },
            },
          },
          get: {},
        },
        '/transactions/{transactionCode}': { get: {} },
        '/refunds': { post: {} },
        '/card': { get: {} },
        '/card/bin/{bin}': { get: {} },
        '/card/installments': { get: {} },
      },
    })
  })

  it('is served to anyone', async () => {
    const [sqlite] = TEST_ENGINES
    const test = await openTestGateway(sqlite!)
    const answer = await test.send('GET', '/openapi.json', {
      headers: { authorization: undefined },
    })
    expect(answer).toMatchObject({ status: 200, json: { openapi: '3.1.0' } })
    await test.close()
  })
})
