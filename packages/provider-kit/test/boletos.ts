import { minorUnits } from '@cofre/contracts'
import type { BoletoOrder } from '../src/bank/index.js'

/** The terms of a test's boleto; each test adds a name. */
export const BOLETO_TERMS: Omit<BoletoOrder, 'name'> = {
  amountMinor: minorUnits(12_990),
  dueDate: '2026-12-01',
  payableDays: 8,
  payer: {
    name: 'Ana Souza',
    document: '52998224725',
    email: 'ana@example.com',
    address: {
      street: 'Rua Augusta',
      number: '1200',
      complement: undefined,
      district: 'Consolação',
      city: 'São Paulo',
      state: 'SP',
      postalCode: '01304001',
    },
  },
  description: 'Pedido 1042',
}
