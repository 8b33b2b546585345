import type { Page } from '@cofre/sandbox'
import { formatCount } from '../language/format.js'
import type { View } from '../panel-context.js'
import { pageMessages } from './page-messages.js'

interface PaginationProps {
  readonly view: View
  readonly of: Page<unknown>
}

/** Leads through the pages of a list, keeping its filter. */
export function Pagination({ view, of: { page, pages } }: PaginationProps) {
  if (pages <= 1) return null
  const texts = pageMessages[view.language]
  const at = (number: number): string => formatCount(number, view.language)
  return (
    <nav class="pagination" aria-label={texts.pagination}>
      {page > 1 && (
        <a class="button" rel="prev" href={pageAddress(view.here, page - 1)}>
          {texts.previous}
        </a>
      )}
      <span>{texts.pageOf(at(page), at(pages))}</span>
      {page < pages && (
        <a class="button" rel="next" href={pageAddress(view.here, page + 1)}>
          {texts.next}
        </a>
      )}
    </nav>
  )
}

function pageAddress(here: string, page: number): string {
  const { pathname, searchParams } = new URL(here, 'http://panel.invalid')
  searchParams.set('page', String(page))
  return `${pathname}?${searchParams.toString()}`
}

const PAGE_MAX = 100_000

/** The page that an address asks for: the first when it asks for none. */
export function readPage(text: string | undefined): number {
  const page = Number(text ?? '1')
  return Number.isSafeInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1
}
