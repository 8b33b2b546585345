import { Secret } from '@cofre/contracts'
import { createVaultAdministration, openVaultDatabase, parseKeyRing } from '@cofre/vault'
import type { AccountAnswers } from '@cofre/provider-kit/account'
import { loadAcquirers } from '../src/index.js'

interface VaultStore {
  readonly url: string
  readonly keys: string
}

/** Stores an account at each named acquirer, each for the store with the acquirer's name. */
export async function storeAccounts(
  { url, keys }: VaultStore,
  answersOf: Readonly<Record<string, AccountAnswers>>,
): Promise<void> {
  const database = await openVaultDatabase(url)
  const ring = parseKeyRing(keys)
  const administration = createVaultAdministration({ database, keys: ring, clock: Date })
  for (const [name, answers] of Object.entries(answersOf)) {
    const provider = (await loadAcquirers()).find((one) => one.name === name)
    if (provider === undefined) throw new Error(`no ${name}`)
    const entry = { profile: '', kind: 'simulator', answers, nowMs: 0 } as const
    const { settings, credentials } = provider.readAccount(entry)
    const account = {
      id: name,
      merchantId: name,
      provider: name,
      kind: 'simulator',
      label: name,
      settings,
      secrets: { credentials, noticeSecret: new Secret('AAAAAAAAAAAAAAAAAAAAAA') },
      certificateUntilMs: undefined,
      lastTest: undefined,
      disabledAtMs: undefined,
      createdAtMs: 0,
    } as const
    await administration.accounts('production').create(account, ['card'], 'start')
  }
  await database.close()
}
