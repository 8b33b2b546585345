import { CardFields } from './card-fields.js'
import { vaultOfScript } from './script-url.js'
import { shareGlobal } from './shared-global.js'

/** Written by the build: the global's name, as that of the library. */
declare const VENDOR_GLOBAL: string

// Only known while the script runs for the first time.
CardFields.baseUrl = vaultOfScript()
shareGlobal(VENDOR_GLOBAL, { CardFields })
