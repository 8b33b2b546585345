import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { withoutDescription } from '../../../gateway/src/api/openapi/contract.fixture.js'
import { openApiDocument } from '../../../gateway/src/api/openapi/openapi-document.js'
import { createControlRoutes } from '../control/control-routes.js'
import { createInboxRoutes } from '../inbox/inbox-routes.js'
import { createStreamRoutes } from '../stream/stream-routes.js'
import { SANDBOX_OPERATIONS } from './sandbox-operations.js'

const options = { mediaVendor: 'cofre', publicUrl: 'https://sandbox.cofre.test' }

describe('the sandbox’s API document', () => {
  it('has each of its routes, and no other', () => {
    const nothing = {} as never
    const apps = [createControlRoutes, createInboxRoutes, createStreamRoutes].map((create) =>
      create(nothing, nothing),
    )
    const served = apps
      .flatMap(({ routes }) => routes)
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const documented = SANDBOX_OPERATIONS.map(
      ({ method, path }) => `${method.toUpperCase()} ${path}`,
    )
    expect(documented.toSorted()).toEqual([...new Set(served)].toSorted())
  })

  it('is clean to an independent linter, and describes each property', async () => {
    const document = openApiDocument({ ...options, operations: SANDBOX_OPERATIONS })
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(document)
    const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
    expect(withoutDescription(document)).toEqual([])
  })

  it('is the sandbox’s alone', () => {
    const { paths } = openApiDocument(options) as { readonly paths: object }
    expect(Object.keys(paths).filter((path) => path.startsWith('/sandbox/'))).toEqual([])
  })
})
