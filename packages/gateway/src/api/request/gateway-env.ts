import type { InterfaceVersion } from '@cofre/contracts'
import type { Merchant } from '../../model/merchant/merchant.js'

/** What the gateway's routes know of a request. */
export interface GatewayEnv {
  Variables: {
    /** The store that signed the request. */
    merchant: Merchant
    /** Version of the interface; sets the media type of responses and errors. */
    version: InterfaceVersion
    /** An earlier request with the same Idempotency-Key died unanswered. */
    isRetry: boolean
    /** Vendor segment of the media type. */
    mediaVendor: string
  }
  /** Given by the Node server; empty when the app is called directly. */
  Bindings: {
    incoming?: { url?: string; complete?: boolean; destroyed?: boolean }
    /** Called with the body as it was received, once its store's signature is right. */
    hearSignedBody?: (body: Uint8Array) => void
    /** Called with the store that signed, before anything else. @throws ApiError to refuse it */
    admitStore?: (storeId: string) => Promise<void>
  }
}
