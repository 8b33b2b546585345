import { type Language, messages } from '@cofre/pages'
import enDoor from './door/en.json' with { type: 'json' }
import ptDoor from './door/pt-BR.json' with { type: 'json' }
import enExport from './export/en.json' with { type: 'json' }
import ptExport from './export/pt-BR.json' with { type: 'json' }
import enFigures from './figures/en.json' with { type: 'json' }
import ptFigures from './figures/pt-BR.json' with { type: 'json' }
import enFrame from './frame/en.json' with { type: 'json' }
import ptFrame from './frame/pt-BR.json' with { type: 'json' }
import enMe from './me/en.json' with { type: 'json' }
import ptMe from './me/pt-BR.json' with { type: 'json' }
import enNotification from './notification/en.json' with { type: 'json' }
import ptNotification from './notification/pt-BR.json' with { type: 'json' }
import enPayment from './payment/en.json' with { type: 'json' }
import ptPayment from './payment/pt-BR.json' with { type: 'json' }
import enPaymentActs from './payment-acts/en.json' with { type: 'json' }
import ptPaymentActs from './payment-acts/pt-BR.json' with { type: 'json' }
import enPaymentLink from './payment-link/en.json' with { type: 'json' }
import ptPaymentLink from './payment-link/pt-BR.json' with { type: 'json' }
import enSandbox from './sandbox/en.json' with { type: 'json' }
import ptSandbox from './sandbox/pt-BR.json' with { type: 'json' }
import enSandboxSignIn from './sandbox-sign-in/en.json' with { type: 'json' }
import ptSandboxSignIn from './sandbox-sign-in/pt-BR.json' with { type: 'json' }
import enSettlement from './settlement/en.json' with { type: 'json' }
import ptSettlement from './settlement/pt-BR.json' with { type: 'json' }
import enStaff from './staff/en.json' with { type: 'json' }
import ptStaff from './staff/pt-BR.json' with { type: 'json' }
import enStore from './store/en.json' with { type: 'json' }
import ptStore from './store/pt-BR.json' with { type: 'json' }

const en = {
  ...enDoor,
  ...enExport,
  ...enFigures,
  ...enFrame,
  ...enMe,
  ...enNotification,
  ...enPayment,
  ...enPaymentActs,
  ...enPaymentLink,
  ...enSandbox,
  ...enSandboxSignIn,
  ...enSettlement,
  ...enStaff,
  ...enStore,
}
const pt = {
  ...ptDoor,
  ...ptExport,
  ...ptFigures,
  ...ptFrame,
  ...ptMe,
  ...ptNotification,
  ...ptPayment,
  ...ptPaymentActs,
  ...ptPaymentLink,
  ...ptSandbox,
  ...ptSandboxSignIn,
  ...ptSettlement,
  ...ptStaff,
  ...ptStore,
}

export type Texts = typeof en

/** Every text of the panel; an area of pages has a file of its own in each language. */
export const TEXTS: Readonly<Record<Language, Texts>> = messages({ 'pt-BR': pt, en })

/** A page that the navigation leads to. */
export type PageName = keyof Texts['frame']['pages']
