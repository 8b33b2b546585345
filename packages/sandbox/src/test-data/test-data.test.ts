import { isCnpj, isCpf } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { railRequest } from '../../../gateway/src/gateway.fixture.js'
import { createPayerBlocklist } from '../../../operator/src/index.js'
import { type TestSandbox, openTestSandbox } from '../sandbox.fixture.js'

import { type BilingualText, TEST_DATA, TEST_PAYERS, blockTestPayers } from './test-data.js'

const INTRODUCTION: BilingualText = {
  en: `# Test data

Everything that chooses an outcome in the sandbox, from \`packages/sandbox/src/test-data/\`. "After" is by the sandbox's
[clock](sandbox.md#the-clock).

[Em português](pt-BR/test-data.md)
`,
  'pt-BR': `# Dados de teste

Tudo o que escolhe um resultado no sandbox, de \`packages/sandbox/src/test-data/\`. "Após" segue o
[relógio](sandbox.md#o-relógio) do sandbox.

[In English](../test-data.md)
`,
}
const HEADINGS = {
  en: ['Send', 'Kind', 'Outcome'],
  'pt-BR': ['Envie', 'Tipo', 'Resultado'],
} as const

function pageIn(language: keyof BilingualText): string {
  const tables = TEST_DATA.map(({ title, note, rows }) => {
    const lines = rows.map(
      ({ value, kind, meaning }) => `| \`${value}\` | ${kind} | ${meaning[language]} |`,
    )
    const head = `| ${HEADINGS[language].join(' | ')} |\n|---|---|---|`
    return `## ${title[language]}\n\n${note[language]}\n\n${head}\n${lines.join('\n')}\n`
  })
  return [INTRODUCTION[language], ...tables].join('\n')
}

describe('the pages of test data', () => {
  it.each([
    ['en', '../../../../docs/test-data.md'],
    ['pt-BR', '../../../../docs/pt-BR/test-data.md'],
  ] as const)('say in %s what the code does', async (language, file) => {
    await expect(pageIn(language)).toMatchFileSnapshot(file)
  })
})

describe('the test payers', () => {
  it.each(TEST_PAYERS)('have valid documents: $document', ({ type, document }) => {
    expect(type === 'cpf' ? isCpf(document) : isCnpj(document)).toBe(true)
  })

  describe.each(TEST_ENGINES)('in a sandbox on $name', (engine) => {
    let test: TestSandbox
    beforeEach(async () => {
      test = await openTestSandbox(engine)
      await blockTestPayers(createPayerBlocklist(test.gatewayDatabase))
    })
    afterEach(() => test.close())

    it.each(TEST_PAYERS)(
      'are answered as in the table: $document',
      async ({ type, document, errorCode }) => {
        const body = railRequest('order-1', 'pix')
        body.payer.document = { type: type.toUpperCase(), number: document }
        const { codes } = await test.send('POST', '/transactions', { body })
        expect(codes).toEqual(errorCode === undefined ? [] : [errorCode])
      },
    )
  })
})
