import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const [USER_PRESENT, USER_VERIFIED, ATTESTED] = [0x01, 0x04, 0x40]
/** COSE (RFC 9053): key type EC2, algorithm ES256, curve P-256. */
const [KTY, EC2, ALG, ES256, CRV, P256, X, Y] = [1, 2, 3, -7, -1, 1, -2, -3]

export interface Faults {
  readonly origin?: string
  readonly rpId?: string
  /** The authenticator verified neither a finger nor a PIN. */
  readonly unverified?: true
  readonly counter?: number
}

interface Asked {
  readonly challenge: string
}

/** A browser with an authenticator that has its own key. */
export function softwareAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      [KTY, EC2],
      [ALG, ES256],
      [CRV, P256],
      [X, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [Y, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]),
  )
  let count = 0

  const clientData = (type: string, { challenge }: Asked, faults: Faults) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: faults.origin ?? origin }))
  const authenticatorData = (faults: Faults, attested: readonly Uint8Array[] = []) => {
    count += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(faults.counter ?? count)
    const verified = faults.unverified === true ? 0 : USER_VERIFIED
    const flags = USER_PRESENT | verified | (attested.length > 0 ? ATTESTED : 0)
    const rpHash = sha256(Buffer.from(faults.rpId ?? new URL(origin).hostname))
    return Buffer.concat([rpHash, Buffer.of(flags), counter, ...attested])
  }
  const answer = (response: Readonly<Record<string, unknown>>) => {
    const credentialId = id.toString('base64url')
    const named = { id: credentialId, rawId: credentialId, type: 'public-key' }
    return JSON.stringify({ ...named, response, clientExtensionResults: {} })
  }

  return {
    id: id.toString('base64url'),

    create(asked: Asked, faults: Faults = {}) {
      const aaguid = Buffer.alloc(16)
      const length = Buffer.of(0, id.length)
      const authData = Uint8Array.from(authenticatorData(faults, [aaguid, length, id, key]))
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array<ArrayBuffer> | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', authData],
        ]),
      )
      return answer({
        clientDataJSON: clientData('webauthn.create', asked, faults).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal'],
      })
    },

    get(asked: Asked, faults: Faults = {}) {
      const data = clientData('webauthn.get', asked, faults)
      const authData = authenticatorData(faults)
      const signed = createSign('sha256').update(Buffer.concat([authData, sha256(data)]))
      return answer({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signed.sign(privateKey).toString('base64url'),
      })
    },
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
