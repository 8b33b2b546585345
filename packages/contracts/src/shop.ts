// What a shop's server needs of the wire, without the schemas: importing it loads no zod.
export { MINUTE_MS, SECOND_MS } from './clock.js'
export { type InterfaceVersion, mediaType } from './media-type.js'
export { digestFormOf, signedMessage, spellBodyDigest } from './signing.js'
