import type { Language } from '@cofre/pages'
import type { ConsolePages } from './console-pages.js'
import type { PanelParts, PeopleParts, SandboxParts } from './panel-parts.js'
import type { PageTexts, ShownPage } from './shown-page.js'

/** What adds addresses; loaded where the console has them. */
type LoadPages<Parts> = () => Promise<(pages: ConsolePages, parts: Parts) => void>

/** A page of the console: outside its own folder a row of the registry names it. */
export interface ConsolePage<Parts = PanelParts> extends ShownPage {
  readonly load: LoadPages<Parts>
}

/** Pages that stand below another folder's page of the navigation, and say their own titles. */
export interface PagesBelow<Parts = PanelParts> extends Pick<ShownPage, 'permission'> {
  /** The path of that page: `/payments`. */
  readonly below: string
  readonly load: LoadPages<Parts>
}

/** What a room brings. */
export type RoomPages = ConsolePage | PagesBelow

/** A page of a console with people. */
export type PeoplePage = ConsolePage<PeopleParts>

/** A page of the sandbox alone. */
export type SandboxPage = ConsolePage<SandboxParts>

/** What the sandbox alone has below a page of both environments. */
export type SandboxPagesBelow = PagesBelow<SandboxParts>

/** What the frame says of a page, of the texts beside it. */
export function textsOfPage<Name extends string>(
  texts: Readonly<Record<Language, Readonly<Record<Name, PageTexts>>>>,
  name: Name,
): Readonly<Record<Language, PageTexts>> {
  return { 'pt-BR': texts['pt-BR'][name], en: texts.en[name] }
}
