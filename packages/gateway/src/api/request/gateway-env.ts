import type { InterfaceVersion } from '@cofre/contracts'
import type { Merchant } from '../../model/merchant/merchant.js'

/** What travels with a request through the gateway's routes. */
export interface GatewayEnv {
  Variables: {
    /** The store that signed the request. */
    merchant: Merchant
    /** Version of the interface that answers; sets the media type of answers and errors. */
    version: InterfaceVersion
    /** An earlier request with the same Idempotency-Key died unanswered. */
    isRetry: boolean
    /** Vendor segment of the media type. */
    mediaVendor: string
  }
  /** Given by the Node server; empty when the app is called directly. */
  Bindings: {
    incoming?: { url?: string; complete?: boolean; destroyed?: boolean }
    /** Hears the body of a request whose store has signed it, as it was received. */
    hearSignedBody?: (body: Uint8Array) => void
    /** Hears which store has signed, before anything else is done for it. @throws ApiError to refuse the store */
    admitStore?: (storeId: string) => Promise<void>
  }
}
