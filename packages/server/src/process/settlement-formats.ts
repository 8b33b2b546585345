import { ACQUIRER_FORMATS } from '@cofre/acquirers/settlement'
import { RETURN_FORMAT } from '@cofre/banks/settlement'
import { type SettlementFormats, createSettlementFormats } from '@cofre/gateway'

/** The settlement files that can be uploaded. Their readers are loaded with the first upload. */
export const SETTLEMENT_FORMATS: SettlementFormats = createSettlementFormats([
  ...ACQUIRER_FORMATS,
  RETURN_FORMAT,
])
