// A console over fakes, with the pages of the rooms about payments.
import type { Environment } from '@cofre/contracts'
import { operatorPages } from '../../../operator/src/console/page.js'
import {
  type FakeDeskData,
  fakeActs,
  fakeBackOffice,
  fakeWaiting,
  noPayments,
} from '../../../operator/src/testing.js'
import { searchPages } from '../../../search/src/console/page.js'
import {
  type HeldPayments,
  fakeFigures,
  fakeFinder,
  nothingFound,
} from '../../../search/src/testing.js'
import type { RoomPages } from '../frame/console-page.js'
import type { PanelDeps } from '../visit/panel-parts.js'
import { type OpenConsole as OpenConsoleAlone, openConsoleOver } from './console.js'
import { type OpenPanel as OpenPanelAlone, openPanelOver, withDeveloper } from './developer.js'
import { NotificationCard } from '../notification/notification-card.js'
import { type FakeSandbox, STORE_ID, createFakeSandbox } from './sandbox.js'

export { CODE } from './console.js'
export * from './console.js'
export * from './developer.js'
export * from './sandbox.js'
export * from './shown-records.js'

export {
  AUTHORIZED_CARD,
  PIX_PAID_TWICE,
  WAITING_REFUND,
  pixTransaction,
} from '../../../operator/src/testing.js'

type HeldByAll = FakeSandbox['held'] & FakeDeskData & HeldPayments

/** An environment in memory, with the data of the rooms' pages. */
interface WholeSandbox extends FakeSandbox {
  readonly held: HeldByAll
  readonly backOffice: ReturnType<typeof fakeBackOffice>
  readonly paymentActs: ReturnType<typeof fakeActs>
  readonly waitingCaptures: ReturnType<typeof fakeWaiting>
  readonly payments: ReturnType<typeof fakeFinder>
  readonly figures: ReturnType<typeof fakeFigures>
}

function createWholeSandbox(): WholeSandbox {
  const sandbox = createFakeSandbox()
  const held: HeldByAll = Object.assign(sandbox.held, noPayments(), nothingFound())
  const backOffice = fakeBackOffice(held)
  return {
    ...sandbox,
    held,
    backOffice,
    desk: backOffice,
    paymentActs: fakeActs(held),
    waitingCaptures: fakeWaiting(held),
    payments: fakeFinder(held),
    figures: fakeFigures(held),
  }
}

/** The rooms' pages, as the server adds them to the console. */
export function pagesOfRooms(
  of: Partial<Readonly<Record<Environment, WholeSandbox>>>,
): readonly RoomPages[] {
  const each = <Port>(portOf: (one: WholeSandbox) => Port) => ({
    ...(of.production !== undefined && { production: portOf(of.production) }),
    ...(of.sandbox !== undefined && { sandbox: portOf(of.sandbox) }),
  })
  return [
    ...searchPages({
      payments: each((one) => one.payments),
      figures: each((one) => one.figures),
    }),
    ...operatorPages({
      desks: each((one) => one.backOffice),
      paymentActs: each((one) => one.paymentActs),
      waitingCaptures: each((one) => one.waitingCaptures),
      linkOf: each(
        ({ held }) =>
          (storeId: string, code: string) =>
            Promise.resolve(storeId === STORE_ID ? held.links.get(code) : undefined),
      ),
      NotificationCard,
    }),
  ]
}

export type OpenPanel = OpenPanelAlone & WholeSandbox

export function openPanelForTest(extra: Partial<PanelDeps> = {}): OpenPanel {
  const sandbox = createWholeSandbox()
  return openPanelOver(sandbox, extra, pagesOfRooms({ sandbox }))
}

/** A panel, and a signed-in developer who reads English. */
export async function signedIn(extra: Partial<PanelDeps> = {}) {
  return await withDeveloper(openPanelForTest(extra))
}

export type OpenConsole = OpenConsoleAlone & WholeSandbox & { readonly production: WholeSandbox }

export function openConsole(
  extra: Partial<PanelDeps> = {},
  more: readonly RoomPages[] = [],
): OpenConsole {
  const fakes = { production: createWholeSandbox(), sandbox: createWholeSandbox() }
  return openConsoleOver(fakes, extra, [...pagesOfRooms(fakes), ...more])
}
