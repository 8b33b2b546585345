import { createConfig, lintFromString } from '@redocly/openapi-core'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { expect, it } from 'vitest'
import { withoutDescription } from '../../../../gateway/src/api/openapi/contract.fixture.js'
import { openApiDocument } from '../../../../gateway/src/api/openapi/openapi-document.js'
import { Hono } from 'hono'
import { addStoreRoutes } from '../api/store-routes.js'
import { openStoresApi } from '../stores-api.fixture.js'
import { OPERATOR_API } from './operations.js'

const options = {
  mediaVendor: 'cofre',
  publicUrl: 'https://operator.cofre.test',
  api: OPERATOR_API,
}

it('the document of the API of operators is clean to an independent linter', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const source = JSON.stringify(openApiDocument(options))
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

it('the document of the API of operators describes everything', () => {
  expect(withoutDescription(openApiDocument(options))).toEqual([])
})

it('the document of the API of operators has each route, and no other', () => {
  const app: Parameters<typeof addStoreRoutes>[0] = new Hono()
  addStoreRoutes(app, {} as Parameters<typeof addStoreRoutes>[1])
  const served = app.routes.map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  const documented = OPERATOR_API.operations.map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  )
  expect(documented.toSorted()).toEqual(served.toSorted())
})

it('the document of the API of operators is served to anyone', async () => {
  const test = await openStoresApi(TEST_SQLITE)
  const headers = { signature: undefined, 'signature-input': undefined }
  const { status, json } = await test.ask('GET', '/openapi.json', { headers })
  expect([status, json.openapi]).toEqual([200, '3.1.0'])
  await test.close()
})
