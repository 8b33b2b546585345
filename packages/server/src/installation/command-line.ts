import path from 'node:path'
import process from 'node:process'
import type { Config } from '../config/config.js'

/**
 * The command line that runs a command on this data folder, from this process's working directory.
 */
export function commandLine(command: string, { dataDir }: Pick<Config, 'dataDir'>): string {
  const isDefault = dataDir === path.resolve('.cofre')
  const folder = isDefault ? '' : `COFRE_DATA_DIR=${dataDir} `
  const script = process.argv[1] ?? ''
  const inFolder = path.relative('.', script)
  const isHere = script.endsWith('.js') && !inFolder.startsWith('..')
  return `${folder}${isHere ? `node ${inFolder}` : 'cofre'} ${command}`
}
