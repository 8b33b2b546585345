import { InvalidArgumentError, Option } from 'commander'
import { type Role, ROLES } from '../config/config.js'

/** What a process may be asked for: the demo shop is for development alone. */
const SERVED_ROLES = ROLES.filter((role) => role !== 'demo')
const DEFAULT_ROLES: readonly Role[] = ['api', 'sandbox', 'vault', 'worker']

/** How commands take the roles of a process. */
export function rolesOption(): Option {
  return new Option('--roles <list>', `Roles, separated by commas: ${SERVED_ROLES.join(', ')}`)
    .argParser(readRoles)
    .default(DEFAULT_ROLES, DEFAULT_ROLES.join(','))
}

function readRoles(list: string): readonly Role[] {
  return list.split(',').map((text) => {
    const role = SERVED_ROLES.find((known) => known === text.trim())
    if (role !== undefined) return role
    throw new InvalidArgumentError(
      `${text.trim() === '' ? 'A role is missing' : `There is no role ${text}`}: one or more of ${SERVED_ROLES.join(', ')}.`,
    )
  })
}
