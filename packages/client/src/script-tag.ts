import { PaymentMethod } from './payment-method.js'
import { vaultOfScript } from './script-url.js'

// Known only while the script first runs.
PaymentMethod.baseUrl = vaultOfScript()

/** The value of the global. */
const library: { readonly PaymentMethod: typeof PaymentMethod } = { PaymentMethod }

export default library
