import { PaymentMethod } from './payment-method.js'
import { vaultOfScript } from './script-url.js'

// Only known while the script runs for the first time.
PaymentMethod.baseUrl = vaultOfScript()

export { PaymentMethod }
