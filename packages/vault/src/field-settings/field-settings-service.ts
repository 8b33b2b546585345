import type { Clock, FieldSettings } from '@cofre/contracts'
import { auditEntry } from '../audit/audit-entry.js'
import { appendEntry } from '../audit/audit-sql.js'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { ShownFields } from '../model/vault.js'
import { findFieldSettings, lockFieldSettings, storeFieldSettings } from './field-settings-sql.js'

interface FieldSettingsDeps {
  readonly clock: Clock
  readonly database: VaultDatabase
}

/**
 * See `CardFields`. A gateway sends the settings again and again, so most calls find them stored.
 */
export async function setFieldSettings(
  { clock, database }: FieldSettingsDeps,
  announced: FieldSettings,
): Promise<number> {
  const kept = await currentSettings(database.reader, announced)
  if (kept !== undefined && kept.revision >= announced.revision) return kept.revision
  return await database.transact(async (trx) => {
    await lockFieldSettings(trx, announced)
    const before = await currentSettings(trx, announced)
    if (before !== undefined && before.revision >= announced.revision) return before.revision
    await storeFieldSettings(trx, announced)
    const outcome = outcomeOf(announced)
    if (outcome !== outcomeOf(before)) {
      const { environment, storeId } = announced
      const what = { actor: 'gateway', action: 'card_fields.set', environment } as const
      const event = { ...what, merchantId: storeId, record: storeId, outcome }
      await appendEntry(trx, auditEntry(event, clock.now()))
    }
    return announced.revision
  })
}

/** See `Vault.fieldSettingsOf`. */
export async function fieldSettingsOf(
  { database }: FieldSettingsDeps,
  storeId: string,
): Promise<ShownFields> {
  const all = await findFieldSettings(database.reader, storeId)
  const registered = all.filter(({ origins }) => origins.length > 0)
  return {
    origins: [...new Set(registered.flatMap(({ origins }) => origins))],
    showsBin: registered.length > 0 && registered.every(({ showsBin }) => showsBin),
  }
}

async function currentSettings(
  db: VaultConnection,
  { environment, storeId }: FieldSettings,
): Promise<FieldSettings | undefined> {
  const all = await findFieldSettings(db, storeId)
  return all.find((settings) => settings.environment === environment)
}

/** The settings as an auditor reads them; a store without settings has no origins. */
function outcomeOf(settings: Pick<FieldSettings, 'origins' | 'showsBin'> | undefined): string {
  const { origins = [], showsBin = false } = settings ?? {}
  if (origins.length === 0) return 'no origins'
  return showsBin ? `${origins.join(' ')}, with the BIN` : origins.join(' ')
}
