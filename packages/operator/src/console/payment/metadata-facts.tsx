import type { Metadata } from '@cofre/contracts'
import { Facts, shownText, useView } from '@cofre/panel/page'

/** The store's own names and texts, as it sent them. */
export function MetadataFacts({ metadata }: { readonly metadata: Metadata }) {
  const view = useView()
  return (
    <Facts
      facts={Object.entries(metadata).map(
        ([key, value]) => [shownText(key, view), shownText(value, view)] as const,
      )}
    />
  )
}
