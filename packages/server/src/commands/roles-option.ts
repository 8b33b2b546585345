import { InvalidArgumentError, Option } from 'commander'
import { type Role, ROLES } from '../config/config.js'
import { ALL_IN_ONE } from '../zone.js'

/** What a process may be asked for: the demo shop is for development alone. */
const SERVED_ROLES = ROLES.filter((role) => role !== 'demo')

/** How commands take the roles of a process. */
export function rolesOption(): Option {
  return option(ALL_IN_ONE.join(','))
}

/** The same, where the variables say which roles this zone has. */
export function zoneRolesOption(): Option {
  return option('those of the zone that the variables describe')
}

function option(otherwise: string): Option {
  const described = `Roles, separated by commas: ${SERVED_ROLES.join(', ')}`
  return new Option('--roles <list>', `${described} (default: ${otherwise})`).argParser(readRoles)
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
