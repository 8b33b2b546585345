import path from 'node:path'
import process from 'node:process'
import type { Config } from '../config/config.js'

/**
 * How a person runs a command of this program on this data folder, from the folder in which this
 * process runs.
 */
export function commandLine(command: string, { dataDir }: Pick<Config, 'dataDir'>): string {
  const isDefault = dataDir === path.resolve('.cofre')
  const folder = isDefault ? '' : `COFRE_DATA_DIR=${dataDir} `
  const script = process.argv[1] ?? ''
  const inFolder = path.relative('.', script)
  const isHere = script.endsWith('.js') && !inFolder.startsWith('..')
  return `${folder}${isHere ? `node ${inFolder}` : 'cofre'} ${command}`
}
