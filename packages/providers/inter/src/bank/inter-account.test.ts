import { Secret } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { authority } from '../../../../provider-kit/test/https-server.js'
import { storedInter } from '../../test/judging-inter.js'
import { readInterAccount } from './inter-account.js'

const simulator = { origin: 'https://127.0.0.1:4433', caPem: authority.certificatePem }

describe('an account of Inter', () => {
  it.each([
    ['live', 'https://cdpj.partners.bancointer.com.br', 120],
    ['test', 'https://cdpj-sandbox.partners.uatinter.co', 10],
    ['simulator', simulator.origin, 120],
  ] as const)('that is %s calls its bank there, as often as it may', (kind, origin, calls) => {
    expect(readInterAccount(storedInter(kind), simulator)).toMatchObject({
      boletosApi: `${origin}/cobranca/v3`,
      hosts: { api: `${origin}/pix/v2`, token: `${origin}/oauth/v2/token` },
      callsPerMinute: calls,
    })
  })

  it('of another provider is not read, and the error names no value', () => {
    const stored = storedInter()
    const broken = (changes: object) => () => readInterAccount({ ...stored, ...changes }, simulator)
    expect(broken({ provider: 'pix-api' })).toThrow('its provider is not inter')
    expect(broken({ settings: { ...stored.settings, receiver: 's3cr3t' } })).toThrow(
      /^account acc_4 cannot be used: settings: receiver$/,
    )
    const secrets = { ...stored.secrets, credentials: new Secret('{"clientId":"s3 cr3t"}') }
    expect(broken({ secrets })).toThrow(/credentials: clientId, certificatePem, keyPem$/)
  })
})
