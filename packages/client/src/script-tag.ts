import { PaymentMethod } from './payment-method.js'
import { scriptDirectory } from './script-url.js'

// Only known while the script runs for the first time.
PaymentMethod.baseUrl = scriptDirectory()

export { PaymentMethod }
