// Charges with a due date (`cobv`) of the API Pix 2.9.0.
import { DAY_MS, HOUR_MS, beginningOf, latin1Spelling } from '@cofre/contracts'
import type { BankBoleto, BoletoOrder, BoletoPayer } from '@cofre/provider-kit/bank'
import { z } from 'zod'
import type { PixApiAccount } from './pix-api-account.js'
import {
  type PixApiCharge,
  chargeFields,
  debtor,
  chargeOfFields,
  requestOf,
} from './pix-api-wire.js'

/** A boleto with the properties that it is compared by. */
export type PixApiDatedCharge = BankBoleto & Pick<PixApiCharge, 'txid' | 'pixKey'>

/** Some banks append a time. */
const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/)
  .transform((text) => text.slice(0, 'YYYY-MM-DD'.length))

export const datedChargeSchema = z
  .looseObject({
    ...chargeFields,
    calendario: z.looseObject({ dataDeVencimento: date }),
  })
  .transform(({ calendario, ...fields }): PixApiDatedCharge => {
    const { code, location, payments, ...held } = chargeOfFields(fields)
    return {
      ...held,
      bankId: held.txid,
      dueDate: calendario.dataDeVencimento,
      codes: { pixCode: code, pixLocation: location },
      payments: payments.map((payment) => ({ ...payment, way: 'pix' })),
    }
  })

/** Modalities of the document: for a fine, interest and a discount. */
const PERCENT = 2
const PERCENT_A_MONTH = 3
const PERCENT_UNTIL_DATE = 2
/** Behind UTC all year. */
const BRASILIA_OFFSET_MS = 3 * HOUR_MS

/** The account's fine, interest and discount, which depend on the day of payment. */
type DatedTerms = Pick<PixApiAccount, 'fine' | 'interest' | 'discount' | 'discountDays' | 'pixKey'>

/**
 * @param nowMs - A discount whose last day is over is left out.
 * @throws RangeError for an amount or a payer that the API Pix can't represent
 */
export function datedChargeRequest(order: BoletoOrder, terms: DatedTerms, nowMs: number): object {
  const { amountMinor, description, dueDate, payableDays, payer } = order
  const { valor, ...rest } = requestOf({ amountMinor, description, pixKey: terms.pixKey })
  const { fine, interest } = terms
  const until = discountDate(dueDate, terms)
  const isStill = until >= dateInBrasilia(nowMs)
  return {
    ...rest,
    calendario: { dataDeVencimento: dueDate, validadeAposVencimento: payableDays },
    devedor: { ...debtor(payer.name, payer.document), ...addressOf(payer) },
    valor: {
      ...valor,
      ...(fine !== undefined && { multa: { modalidade: PERCENT, valorPerc: fine } }),
      ...(interest !== undefined && {
        juros: { modalidade: PERCENT_A_MONTH, valorPerc: interest },
      }),
      ...(terms.discount !== undefined &&
        isStill && {
          desconto: {
            modalidade: PERCENT_UNTIL_DATE,
            descontoDataFixa: [{ data: until, valorPerc: terms.discount }],
          },
        }),
    },
  }
}

function discountDate(dueDate: string, { discountDays = 0 }: DatedTerms): string {
  return dateOf(Date.parse(dueDate) - discountDays * DAY_MS)
}

/** `YYYY-MM-DD`: a bank's day. */
export function dateInBrasilia(atMs: number): string {
  return dateOf(atMs - BRASILIA_OFFSET_MS)
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

const FIELD_LENGTH_MAX = 200

function addressOf({ address }: BoletoPayer): object {
  const { city, complement, district, number, postalCode, state, street } = address
  const line = [street, number, complement, district]
    .filter((part) => part !== undefined && part !== '')
    .join(', ')
  return {
    logradouro: beginningOf(latin1Spelling(line), FIELD_LENGTH_MAX),
    cidade: beginningOf(latin1Spelling(city), FIELD_LENGTH_MAX),
    uf: state,
    cep: postalCode,
  }
}
