import { ENVIRONMENTS, type Environment } from '@cofre/contracts'
import { Option } from 'commander'

/** What a command that looks into a gateway was told. */
export interface EnvironmentOption {
  readonly environment: Environment
}

/** How commands take the environment that they look at. */
export function environmentOption(): Option {
  return new Option('--environment <environment>', 'Where')
    .choices(ENVIRONMENTS)
    .default('production')
}
