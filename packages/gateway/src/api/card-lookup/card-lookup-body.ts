import type { BinBody, InstallmentBody } from '@cofre/contracts'
import { jsonAmount } from '../request/json-amount.js'
import type { BinFacts } from '../../model/card/card-lookup.js'
import type { Installment } from '../../model/card/installment-plan.js'

export function binBody({ digits, brand }: BinFacts): BinBody {
  return {
    number: Number(digits),
    brand: brand.name,
    cvvSize: brand.cvvSize,
    expirable: true,
    validationAlgorithm: brand.luhn ? 'LUHN' : 'NONE',
    installment: true,
  }
}

export function installmentBody(installment: Installment): InstallmentBody {
  return {
    quantity: installment.quantity,
    totalAmount: jsonAmount(installment.totalMinor),
    installmentAmount: jsonAmount(installment.installmentMinor),
    interestFree: installment.interestFree,
  }
}
