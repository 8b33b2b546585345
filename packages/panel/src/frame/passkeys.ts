import { isIP } from 'node:net'
import type { ChallengeFor, NewPasskey, Passkey, PasskeyUse } from '@cofre/people'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { ConsolePeople, PanelParts } from '../visit/panel-parts.js'
import type { PanelContext } from '../visit/visit.js'

const RP_NAME = 'Cofre'

/** The site that passkeys belong to: they work only there. */
interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Undefined if browsers allow no passkeys: under an IP address, and without https except on this
 * machine (Web Authentication Level 3, section 5.1.3).
 */
export function relyingPartyOf({ publicUrl }: Pick<PanelParts, 'publicUrl'>) {
  const { hostname, origin, protocol } = new URL(publicUrl)
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  return isAddress || !isSafe ? undefined : { id: hostname, origin }
}

/** The parts that check passkeys. */
export interface PasskeyParts {
  readonly people: ConsolePeople
  readonly party: RelyingParty
}

/** Undefined if the console has no passkeys. */
export function passkeyPartsOf(parts: PanelParts): PasskeyParts | undefined {
  const party = relyingPartyOf(parts)
  return parts.people && party && { people: parts.people, party }
}

/** The purpose, browser and person that a challenge is bound to. */
export function boundTo(c: PanelContext, purpose: ChallengeFor['purpose']): ChallengeFor {
  const { signedIn, visitId } = c.var
  const personId = signedIn?.kind === 'person' ? signedIn.session.personId : undefined
  return { purpose, visitId, personId }
}

interface NewUser {
  /** The passkey's name in the browser's list. */
  readonly name: string
  readonly held: readonly Passkey[]
}

/** Options of a new passkey that needs no e-mail to be found, and that verifies its holder. */
export async function creationOptions(
  { people, party }: PasskeyParts,
  bound: ChallengeFor,
  { name, held }: NewUser,
) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: party.id,
    userName: name,
    challenge: bytesOf(await people.challenges.create(bound)),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: held.map(({ id }) => ({ id })),
  })
}

/** @param held - The accepted passkeys; if empty, any that the browser has. */
export async function requestOptions(
  { people, party }: PasskeyParts,
  bound: ChallengeFor,
  held: readonly Passkey[] = [],
) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(await people.challenges.create(bound)),
    userVerification: 'required',
    allowCredentials: held.map(({ id }) => ({ id })),
  })
}

/** The new passkey; undefined if the browser's answer doesn't match the challenge. */
export async function newPasskeyOf(
  { people, party }: PasskeyParts,
  bound: ChallengeFor,
  { json, label }: { readonly json: string; readonly label: string },
): Promise<NewPasskey | undefined> {
  const answer = read<RegistrationResponseJSON>(json)
  if (answer === undefined) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const found = await verifyRegistrationResponse({
    response: answer.response,
    expectedChallenge: answer.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(refused)
  if (found?.registrationInfo === undefined) return undefined
  if (!(await people.challenges.consume(answer.challenge, bound))) return undefined
  const { credential, credentialBackedUp } = found.registrationInfo
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    backedUp: credentialBackedUp,
    label,
  }
}

/**
 * The passkey's use; undefined if the passkey is unknown or the answer doesn't match the challenge.
 */
export async function passkeyUseOf(
  { people, party }: PasskeyParts,
  bound: ChallengeFor,
  json: string,
): Promise<PasskeyUse | undefined> {
  const answer = read<AuthenticationResponseJSON>(json)
  if (answer === undefined) return undefined
  const held = await people.own.findPasskey(answer.response.id)
  if (held === undefined) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const found = await verifyAuthenticationResponse({
    response: answer.response,
    expectedChallenge: answer.challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: held.id, counter: held.counter, publicKey: bytesOf(held.publicKey) },
    requireUserVerification: true,
  }).catch(refused)
  if (found?.verified !== true) return undefined
  if (!(await people.challenges.consume(answer.challenge, bound))) return undefined
  const { credentialBackedUp, newCounter } = found.authenticationInfo
  return { passkeyId: held.id, counter: newCounter, backedUp: credentialBackedUp }
}

interface Answer<Response> {
  readonly response: Response
  readonly challenge: string
}

/** Parses the answer of a browser, which may be hostile; the library checks the rest of it. */
function read<Response extends { readonly id: string }>(
  json: string,
): Answer<Response> | undefined {
  try {
    const response = JSON.parse(json) as Response & {
      readonly response: { readonly clientDataJSON: string }
    }
    const text = Buffer.from(response.response.clientDataJSON, 'base64url').toString()
    const { challenge } = JSON.parse(text) as { readonly challenge: unknown }
    const isRead = typeof challenge === 'string' && typeof response.id === 'string'
    return isRead ? { response, challenge } : undefined
  } catch {
    return undefined
  }
}

/** The library throws on any flaw in an answer. */
function refused(): undefined {
  return undefined
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'))
}
