import type { SettlementFormat } from '@cofre/contracts'

/** The source of an account's list at its bank; no file has it. */
export const BANK_LIST = 'pix'

/** The kinds of files that this installation reads. */
export interface SettlementFormats {
  /** In the order in which people choose from them. */
  readonly all: readonly SettlementFormat[]
  /** Undefined for an unknown name: another release may have stored a file with its own format. */
  find(name: string): SettlementFormat | undefined
}

/** @throws Error when two formats have one name, or one has a name that cannot be stored */
export function createSettlementFormats(all: readonly SettlementFormat[]): SettlementFormats {
  const byName = new Map(all.map((format) => [format.name, format]))
  const bad = all.find(({ name }) => !/^[a-z][a-z0-9-]{0,31}$/.test(name) || name === BANK_LIST)
  if (bad !== undefined) throw new Error(`no format of settlement files may be called ${bad.name}`)
  if (byName.size < all.length) throw new Error('two formats of settlement files have one name')
  return { all, find: (name) => byName.get(name) }
}

/** The format of a file to import is unknown. */
export class UnknownFormatError extends Error {
  override readonly name = 'UnknownFormatError'

  constructor(format: string, { all }: SettlementFormats) {
    const known = all.map(({ name }) => name).join(', ')
    super(`No reader knows settlement files of the format ${JSON.stringify(format)}: use ${known}.`)
  }
}
