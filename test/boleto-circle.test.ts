import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { BANK_PROVIDERS, readReturnFile } from '@cofre/banks'
import { minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRemittances } from '../packages/gateway/src/create-remittances.js'
import { MERCHANT } from '../packages/gateway/src/gateway.fixture.js'
import type {
  BoletoName,
  BoletoOrder,
} from '../packages/gateway/src/model/payment-rail/boleto-bank.js'
import { boletosByFile } from '../packages/gateway/src/payment/boleto-file-bank-service.js'
import { accountOf, openPixGateway } from '../packages/gateway/src/payment/pix-bank.fixture.js'
import { takeReturnFile } from '../packages/gateway/src/payment/return-file-service.js'

type Values = Readonly<Record<string, string>>
/** Others' reader and writer of records, by others' tables of Sicoob. */
interface Stranger {
  readonly readYaml: (path: string) => unknown
  readonly makeLine: (layout: unknown, line: string) => Values
  readonly readLine: (layout: unknown, values: Values) => { readonly line: string }
}
const require = createRequire(import.meta.url)
const stranger = require('@banco-br/nodejs-cnab/dist/lib/utils.js') as Stranger
const tables = new URL(
  'cnab400/756/',
  `file://${require.resolve('@banco-br/cnab_yaml/package.json')}`,
)
const layout = (name: string) => stranger.readYaml(fileURLToPath(new URL(`${name}.yml`, tables)))

/** What a bank that is not ours makes of a remittance file: each title, and what became of it. */
function answerTo(remittance: string, codes: Readonly<Record<string, readonly string[]>>): Buffer {
  const titles = remittance
    .split('\r\n')
    .slice(1, -2)
    .map((line) => stranger.makeLine(layout('remessa/detalhe'), line))
  const occurrences = titles.flatMap((title) =>
    (codes[title.uso_empresa?.trim() ?? ''] ?? []).map((code) => ({ title, code })),
  )
  const write = (name: string, values: Values): string =>
    stranger.readLine(layout(`retorno/${name}`), values).line
  const lines = [
    write('header_arquivo', {
      agencia: '3166',
      codigo_cliente: '6726',
      codigo_cliente_dv: '1',
      literal_de_servico: 'COBRANCA',
      data_geracao: '23112026',
    }),
    ...occurrences.map(({ title, code }, index) =>
      write('detalhe', {
        numero_controle_participante: title.uso_empresa ?? '',
        nosso_numero: title.nosso_numero?.slice(0, -1) ?? '',
        nosso_numero_dv: title.nosso_numero?.slice(-1) ?? '',
        comando_movimento: code,
        data_liquidacao: '231126',
        vencimento: '241126',
        valor_titulo: '100.00',
        valor_recebido: code === '06' ? '100.00' : '0',
        data_credito: '24112026',
        numero_sequencial: String(index + 2),
      }),
    ),
    write('trailer_arquivo', {
      qtde_registros_detalhe: String(occurrences.length),
      numero_sequencial: String(occurrences.length + 2),
    }),
  ]
  return Buffer.from(lines.map((line) => `${line.padEnd(400)}\r\n`).join(''), 'latin1')
}

const ORDERS = { paid: 'A'.repeat(15), rejected: 'B'.repeat(15), cancelled: 'C'.repeat(15) }

function orderOf(name: string): BoletoOrder {
  const address = {
    street: 'Praça da Sé',
    number: '1',
    complement: undefined,
    district: 'Sé',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '01001000',
  }
  return {
    name: name as BoletoName,
    amountMinor: minorUnits(10_000),
    dueDate: '2026-11-24',
    payableDays: 8,
    description: 'Pedido',
    payer: {
      name: 'Maria da Silva',
      document: '52998224725',
      email: 'maria@example.com',
      address,
    },
  }
}

/** Sicoob, by files, and three orders whose boletos it is to be told of. */
async function openShop(engine: (typeof TEST_ENGINES)[number]) {
  const pix = await openPixGateway(engine)
  onTestFinished(() => pix.close())
  const provider = BANK_PROVIDERS.find(({ name }) => name === 'cnab')!
  const { settings } = provider.readAccount({
    profile: 'sicoob',
    kind: 'live',
    nowMs: 0,
    answers: {
      agency: '3166-1',
      accountNumber: '84725-6',
      agreement: '67261',
      receiverName: 'Loja Um Ltda.',
      receiverDocument: '11222333000181',
    },
  })
  const account = { ...accountOf('bank-1'), provider: 'cnab', settings }
  const { clock, log } = pix.parts
  const connection = provider.connect(account, { clock, log, randomBelow: () => 0 })
  const bank = (await boletosByFile(() => connection, pix.parts)(account)).boleto!
  const remittances = createRemittances({
    ...pix.parts,
    accountId: 'bank-1',
    bank: connection.boletoFiles!,
  })
  for (const [reference, name] of Object.entries(ORDERS)) {
    await pix.create(reference)
    const { code } = (await pix.find(reference))!
    await bank.issue(orderOf(name))
    const details = { kind: 'boleto', accountId: 'bank-1', dueDate: '2026-11-24', payerName: 'M' }
    await pix.parts.database.transact(async (trx) => {
      await trx
        .updateTable('transactions')
        .set({ payment_details: JSON.stringify(details) })
        .where('code', '=', code)
        .execute()
      for (const table of ['pix_txids', 'pix_charges'] as const)
        await trx
          .updateTable(table)
          .set({ txid: name as never })
          .where('transaction_code', '=', code)
          .execute()
    })
  }
  const remit = async (): Promise<string> => {
    const file = await remittances.make()
    if (file === undefined || file === 'changed') throw new Error('there is no file')
    await remittances.saved(file.sequence)
    return file.text
  }
  const take = (content: Buffer) =>
    takeReturnFile(pix.parts, {
      storeId: MERCHANT.id,
      accountId: 'bank-1',
      isBankByFile: true,
      name: 'CB.RET',
      actor: 'operator:ana',
      file: readReturnFile(content),
      sha256: String(content.length).padStart(64, '0'),
      bytes: content.length,
    })
  const status = async (reference: keyof typeof ORDERS) => (await pix.find(reference))?.status
  return { bank, remit, take, status }
}

describe.each(TEST_ENGINES)('boletos by files of a bank on $name', (engine) => {
  it('are paid, rejected and cancelled by what the bank answers to our files', async () => {
    const { bank, remit, take, status } = await openShop(engine)
    const first = await remit()
    const { paid, rejected, cancelled } = ORDERS
    const taken = await take(
      answerTo(first, { [paid]: ['02', '06'], [rejected]: ['03'], [cancelled]: ['02'] }),
    )
    expect(taken.lines.every(({ transactionCode }) => transactionCode !== undefined)).toBe(true)
    expect(await status('paid')).toBe('COMPLETE')
    expect(await status('rejected')).toBe('CANCELLED')
    await bank.cancel({ name: cancelled as BoletoName, bankId: undefined, dueDate: '2026-11-24' })
    expect(await status('cancelled')).toBe('PENDING')
    await take(answerTo(await remit(), { [cancelled]: ['09'] }))
    expect(await status('cancelled')).toBe('CANCELLED')
  })
})
