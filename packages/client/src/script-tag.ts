import { PaymentMethod } from './payment-method.js'
import { vaultOfScript } from './script-url.js'

// Only known while the script runs for the first time.
PaymentMethod.baseUrl = vaultOfScript()

/** What becomes the global. */
const library: { readonly PaymentMethod: typeof PaymentMethod } = { PaymentMethod }

export default library
