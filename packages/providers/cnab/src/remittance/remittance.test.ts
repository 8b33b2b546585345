import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isValidBoleto } from '@brazilian-utils/brazilian-utils'
import type { MinorUnits } from '@cofre/contracts'
import {
  type BoletoInstruction,
  type BoletoName,
  boletoBarcode,
  digitableLine,
  printedLine,
} from '@cofre/provider-kit/bank'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CnabBank, type CnabContract, remittanceFile } from './remittance.js'
import { BRADESCO } from './remittance-bradesco.js'
import { SICOOB } from './remittance-sicoob.js'

const require = createRequire(import.meta.url)
const stranger = require('@banco-br/nodejs-cnab/dist/lib/utils.js') as Judge
const layouts = fileURLToPath(
  new URL('.', `file://${require.resolve('@banco-br/cnab_yaml/package.json')}`),
)

/** A third-party reader and writer of records, with its own tables. */
interface Judge {
  readonly readYaml: (path: string) => unknown
  readonly makeLine: (layout: unknown, line: string) => Readonly<Record<string, string>>
  readonly readLine: (
    layout: unknown,
    values: Readonly<Record<string, string>>,
  ) => { readonly line: string }
}

function judgedBy(bank: CnabBank, name: string) {
  const layout = stranger.readYaml(`${layouts}cnab400/${bank.code}/remessa/${name}.yml`)
  return {
    read: (line: string) => stranger.makeLine(layout, line),
    write: (values: Readonly<Record<string, string>>) => stranger.readLine(layout, values).line,
  }
}

const CONTRACTS: Record<'bradesco' | 'sicoob', CnabContract> = {
  bradesco: {
    agency: '1172',
    agencyDigit: '0',
    account: '0403005',
    accountDigit: '2',
    agreement: '4954321',
    wallet: '09',
    receiver: { name: 'Café & Cia. Comércio de Açaí Limitada ME', document: '11222333000181' },
  },
  sicoob: {
    agency: '3166',
    agencyDigit: '1',
    account: '84725',
    accountDigit: '6',
    agreement: '67261',
    wallet: '1',
    receiver: { name: 'Café & Cia.', document: '11222333000181' },
  },
}

const INSTRUCTION: BoletoInstruction = {
  kind: 'register',
  number: 274_551,
  name: 'ABCDEFGHIJKLMNO' as BoletoName,
  amountMinor: 12_345 as MinorUnits,
  dueDate: '2026-12-07',
  issuedOn: '2026-11-30',
  payer: {
    name: 'João d’Ávila Conceição',
    document: '52998224725',
    email: 'joao@example.com',
    address: {
      street: 'Praça da Sé',
      number: '10',
      complement: 'nº 3, 1º andar',
      district: 'Sé',
      city: 'São Paulo',
      state: 'SP',
      postalCode: '01001000',
    },
  },
}

const BANKS = [
  { bank: BRADESCO, contract: CONTRACTS.bradesco },
  { bank: SICOOB, contract: CONTRACTS.sicoob },
]

function linesOf({ bank, contract }: (typeof BANKS)[number], ...instructions: BoletoInstruction[]) {
  const file = remittanceFile(bank, contract, {
    sequence: 7,
    writtenOn: '2026-12-01',
    instructions,
  })
  const [header = '', ...others] = file.split('\r\n').slice(0, -1)
  return { file, header, details: others.slice(0, -1), trailer: others.at(-1) ?? '' }
}

/** Values for the third-party writer, which supports capitals, and dates of eight digits. */
function valuesOf(bank: CnabBank, contract: CnabContract, one: BoletoInstruction) {
  const { amountMinor, dueDate, issuedOn, kind, name, number, payer } = one
  const { address } = payer
  const day = (date: string) => date.split('-').reverse().join('')
  const street = [address.street, address.number, address.complement ?? '']
  const common = {
    conta_dv: contract.accountDigit,
    conta: contract.account,
    agencia: contract.agency,
    numero_carteira: contract.wallet,
    uso_empresa: name,
    numero_documento: String(number).padStart(10, '0'),
    valor_titulo: (amountMinor / 100).toFixed(2),
    data_emissao: day(issuedOn),
    sacado_codigo_inscricao: payer.document.length === 14 ? '2' : '1',
    sacado_numero_inscricao: payer.document,
    nome: payer.name.trim(),
    logradouro: street.filter((part) => part !== '').join(' '),
    cep: address.postalCode,
  }
  const ourNumber = bank.ourNumber(contract, number)
  const command = kind === 'register' ? '01' : '02'
  if (bank === BRADESCO)
    return {
      ...common,
      nosso_numero: ourNumber.slice(0, -1),
      digito_nosso_numero: ourNumber.slice(-1),
      codigo_ocorrencia: command,
      // Its table has no format for this date.
      vencimento: day(dueDate).slice(0, 4) + dueDate.slice(2, 4),
      instrucao1: '00',
      instrucao2: '00',
    }
  return {
    ...common,
    codigo_inscricao: contract.receiver.document.length === 14 ? '2' : '1',
    numero_inscricao: contract.receiver.document,
    agencia_dv: contract.agencyDigit,
    nosso_numero: ourNumber,
    comando_movimento: command,
    vencimento: day(dueDate),
    agencia_cobradora: contract.agency + contract.agencyDigit,
    especie: '1',
    bairro: address.district,
    cidade: address.city,
    estado: address.state,
    prazo: '00',
  }
}

const text = fc
  .stringMatching(/^[0-9A-Z][0-9A-Z .,&/-]{0,50}[0-9A-Z]$/)
  .map((one) => one.replaceAll(/ +/g, ' '))
const digitsOf = (length: number) =>
  fc.stringMatching(new RegExp(`^\\d{${length}}$`)).filter((one) => Number(one) > 0)
const day = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2049-10-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const instructions = (numberMax: number): fc.Arbitrary<BoletoInstruction> =>
  fc.record({
    kind: fc.constantFrom('register', 'cancel'),
    number: fc.integer({ min: 1, max: numberMax }),
    name: fc.stringMatching(/^[A-Z2-7]{15}$/) as fc.Arbitrary<BoletoName>,
    amountMinor: fc.integer({ min: 1, max: 9_999_999_999 }) as fc.Arbitrary<MinorUnits>,
    dueDate: day,
    issuedOn: day,
    payer: fc.record({
      name: text,
      document: fc.oneof(digitsOf(11), digitsOf(14), fc.constant('12ABC34501DE35')),
      email: fc.constant('a@example.com'),
      address: fc.record({
        street: text,
        number: digitsOf(3),
        complement: fc.option(text, { nil: undefined }),
        district: text,
        city: text,
        state: fc.constantFrom('SP', 'AC'),
        postalCode: digitsOf(8),
      }),
    }),
  })

describe.each(BANKS)('a remittance file of bank $bank.code', ({ bank, contract }) => {
  const judge = {
    header: judgedBy(bank, 'header_arquivo'),
    detail: judgedBy(bank, 'detalhe'),
    trailer: judgedBy(bank, 'trailer_arquivo'),
  }

  it('is what a third-party writer makes of the same values, byte for byte, and what it reads', () => {
    fc.assert(
      fc.property(instructions(bank.numberMax), (one) => {
        const { details, file } = linesOf({ bank, contract }, one)
        const values = valuesOf(bank, contract, one)
        const expected = judge.detail.write({ ...values, numero_sequencial: '2' })
        expect(details).toEqual([expected])
        expect(details[0]).toHaveLength(400)
        expect(file).toMatch(/^[\x20-\x7e\r\n]+$/)
        const read = judge.detail.read(details[0] ?? '')
        expect(Number(read.valor_titulo)).toBe(one.amountMinor)
        expect(read.uso_empresa?.trim()).toBe(one.name)
        expect(read.sacado_numero_inscricao).toBe(one.payer.document.padStart(14, '0'))
        expect(read.vencimento).toBe(
          one.dueDate.slice(8) + one.dueDate.slice(5, 7) + one.dueDate.slice(2, 4),
        )
      }),
    )
  })

  it('begins and ends as others begin and end it, and counts its records', () => {
    const cancel = { ...INSTRUCTION, kind: 'cancel' as const, number: 3 }
    const { file, header, details, trailer } = linesOf({ bank, contract }, INSTRUCTION, cancel)
    const name = contract === CONTRACTS.bradesco ? 'CAFE & CIA. COMERCIO DE ACAI L' : 'CAFE & CIA.'
    const own =
      bank === BRADESCO
        ? {
            codigo_cedente: contract.agreement,
            razao_social: name,
            nome_banco: 'BRADESCO',
          }
        : {
            agencia: contract.agency,
            agencia_dv: contract.agencyDigit,
            codigo_cliente: '6726',
            codigo_cliente_dv: '1',
            nome_empresa: name,
            literal_servico: 'COBRANCA',
          }
    expect(header).toBe(
      judge.header.write({ ...own, data_geracao: '01122026', sequencial_remessa: '7' }),
    )
    expect(trailer).toBe(judge.trailer.write({ numero_sequencial: '4' }))
    expect(details.map((line) => line.slice(394))).toEqual(['000002', '000003'])
    expect(details.map((line) => line.slice(108, 110))).toEqual(['01', '02'])
    expect(file.split('\r\n').map((line) => line.length)).toEqual([400, 400, 400, 400, 0])
  })

  it('writes any payer in ASCII capitals, without losing letters', () => {
    const { details } = linesOf({ bank, contract }, INSTRUCTION)
    const read = judge.detail.read(details[0] ?? '')
    expect(read.nome?.trim()).toBe("JOAO D'AVILA CONCEICAO")
    expect(read.logradouro?.trim()).toBe('PRACA DA SE 10 NO 3, 1O ANDAR')
    const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })
    fc.assert(
      fc.property(anyText, anyText, (name, street) => {
        const payer = {
          ...INSTRUCTION.payer,
          name,
          address: { ...INSTRUCTION.payer.address, street, district: name, city: street },
        }
        const written = linesOf({ bank, contract }, { ...INSTRUCTION, payer }).file
        expect(written).toMatch(/^(?:[\x20-\x60\x7b-\x7e]{400}\r\n){3}$/)
      }),
    )
  })

  it('is not written with a value that does not fit its columns', () => {
    const wrong: readonly Partial<BoletoInstruction>[] = [
      { number: bank.numberMax + 1 },
      { amountMinor: 1e13 as MinorUnits },
      { payer: { ...INSTRUCTION.payer, document: '123456789012345' } },
      { payer: { ...INSTRUCTION.payer, document: '529.982.247' } },
    ]
    for (const change of wrong)
      expect(() => linesOf({ bank, contract }, { ...INSTRUCTION, ...change })).toThrow(RangeError)
  })
})

describe('our number and its barcode', () => {
  const of = (contract: CnabContract, change: Partial<CnabContract>) => ({ ...contract, ...change })

  // Lines written by other programs and a bank.
  it.each([
    {
      bank: BRADESCO,
      contract: of(CONTRACTS.bradesco, { wallet: '06' }),
      number: 75_896_452,
      amount: 295_295,
      dueDate: '2009-04-30',
      line: '23791.17209 60007.589645 52040.300502 5 42230000295295',
    },
    {
      bank: BRADESCO,
      contract: of(CONTRACTS.bradesco, { wallet: '03', agency: '4042', account: '61900' }),
      number: 777_700_168,
      amount: 13_500,
      dueDate: '2008-02-02',
      line: '23794.04201 30077.770011 68006.190000 1 37700000013500',
    },
    {
      bank: SICOOB,
      contract: CONTRACTS.sicoob,
      number: 274_551,
      amount: 1000,
      dueDate: '2018-07-10',
      line: '75691.31662 01006.726101 27455.100019 6 75810000001000',
    },
  ])('is the line $line', ({ bank, contract, number, amount, dueDate, line }) => {
    const freeField = bank.freeField(contract, number)
    const fields = { bank: bank.code, dueDate, amountMinor: amount as MinorUnits, freeField }
    const ours = digitableLine(boletoBarcode(fields))
    expect(printedLine(ours)).toBe(line)
    expect(isValidBoleto(ours)).toBe(true)
  })

  it.each([
    { bank: BRADESCO, contract: { wallet: '06' }, number: 525, expected: '00000000525P' },
    { bank: BRADESCO, contract: { wallet: '09' }, number: 1, expected: '000000000011' },
    { bank: BRADESCO, contract: { wallet: '19' }, number: 2, expected: '000000000028' },
    { bank: BRADESCO, contract: { wallet: '19' }, number: 6, expected: '000000000060' },
    { bank: BRADESCO, contract: { wallet: '19' }, number: 1, expected: '00000000001P' },
    { bank: SICOOB, contract: {}, number: 274_551, expected: '02745510' },
    // The example in the bank's own rule.
    {
      bank: SICOOB,
      contract: { agency: '0001', agreement: '19' },
      number: 21,
      expected: '00000218',
    },
  ])('is $expected with its check digit', ({ bank, contract, number, expected }) => {
    const whole = bank === BRADESCO ? CONTRACTS.bradesco : CONTRACTS.sicoob
    expect(bank.ourNumber(of(whole, contract), number)).toBe(expected)
  })
})
