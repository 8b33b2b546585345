import { CardFields } from './card-fields.js'
import { vaultOfScript } from './script-url.js'
import { shareGlobal } from './shared-global.js'

/** The global's name, as in the library. The build sets it. */
declare const VENDOR_GLOBAL: string

// Known only while the script first runs.
CardFields.baseUrl = vaultOfScript()
shareGlobal(VENDOR_GLOBAL, { CardFields })
