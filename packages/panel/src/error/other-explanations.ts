import type { ErrorName } from '@cofre/contracts'
import type { BilingualText } from '@cofre/sandbox'
import { businessExplanations } from './business-explanations.js'
import { headerExplanations } from './header-explanations.js'
import { searchExplanations } from './search-explanations.js'
import { serviceExplanations } from './service-explanations.js'

/** Errors whose meaning is not that of a field that is missing or invalid. */
export const otherExplanations = {
  ...headerExplanations,
  ...businessExplanations,
  ...searchExplanations,
  ...serviceExplanations,
} satisfies Record<Exclude<ErrorName, `${string}_missing` | `${string}_invalid`>, BilingualText>

export type OtherErrorName = keyof typeof otherExplanations
