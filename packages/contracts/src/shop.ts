// The part of the wire format that a shop's server needs, without schemas: importing it loads no
// zod.
export { MINUTE_MS, SECOND_MS } from './runtime/clock.js'
export {
  type InterfaceVersion,
  digestFormOf,
  mediaType,
  signedMessage,
  spellBodyDigest,
} from './wire/merchant-request.js'
export * from './wire/message-signature.js'
