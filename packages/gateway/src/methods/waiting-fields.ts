import type { PayerFields } from '../method/payment-method.js'
import { boletoPath, qrPath } from '../model/payer-page/payer-paths.js'
import type { BoletoDetails } from '../model/transaction/payment-details.js'
import type { Transaction } from '../model/transaction/transaction.js'

/** Fields that the payer of a waiting payment needs to pay it. */
export function waitingFields(
  { publicId, paymentDetails: details }: Transaction,
  publicUrl: string,
): PayerFields {
  switch (details?.kind) {
    case 'boleto':
      return boletoFields(publicId, details, publicUrl)
    case 'pix':
      return pixFields(publicId, details.code, publicUrl)
    case 'wallet':
      return { 'payment-url': details.paymentUrl }
    case 'card':
    case undefined:
      return {}
  }
}

/** The fields that its bank has supplied so far; the boleto's page exists from the beginning. */
function boletoFields(
  publicId: string,
  { barcode, digitableLine, pixCode }: BoletoDetails,
  publicUrl: string,
): PayerFields {
  return {
    'barcode-number': barcode,
    'digitable-line': digitableLine,
    'payment-url': publicUrl + boletoPath(publicId),
    ...(pixCode !== undefined && pixFields(publicId, pixCode, publicUrl)),
  }
}

function pixFields(publicId: string, code: string, publicUrl: string): PayerFields {
  return { 'payment-code': code, 'qrcode-image': publicUrl + qrPath(publicId, 'png') }
}
