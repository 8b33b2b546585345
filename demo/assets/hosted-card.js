// The vault's card fields in a frame: what is typed into them never comes into this page.
import { classOf, dataset, ensureClass, tokenInTime } from './card-library.js'

/**
 * As the shop's own inputs look. The fields have light and dark colours of their own, and follow
 * the page into the dark at any time: a colour set here must be good in both.
 */
const STYLE = {
  fontFamily: 'system',
  fontSize: '16px',
  labelWeight: '600',
  padding: '10px',
  borderRadius: '8px',
  spacing: '18px',
  colorFocus: '#c2640c',
}

let fields
let isReady = false
let isComplete = false
let typedBrand = ''

/** Puts the fields into the page, as soon as their script is there. */
function open(brandChanged) {
  const CardFields = classOf('CardFields')
  if (fields !== undefined || CardFields === undefined) return
  document.getElementById('no-card-fields').hidden = true
  fields = new CardFields(document.getElementById('card-fields'), {
    store: dataset.storeId,
    style: STYLE,
  })
  fields.on('ready', () => {
    isReady = true
  })
  fields.on('change', ({ brand, complete }) => {
    isComplete = complete
    typedBrand = brand ?? ''
    brandChanged()
  })
  // Enter in a field pays, as in the shop's own inputs.
  fields.on('submit', () => document.getElementById('checkout').requestSubmit())
}

/** What the checkout asks of a card that is typed into the fields. */
export const hostedCard = {
  open,

  /** Says that the vault's script has not come, in place of the fields. */
  missed() {
    document.getElementById('no-card-fields').hidden = fields !== undefined
  },

  /** Resolves once the fields can be opened. Those that the vault did not answer are shut. */
  async ready() {
    await ensureClass('CardFields')
    if (fields === undefined || isReady) return
    fields.destroy()
    fields = undefined
  },

  brand: () => typedBrand,

  /** Fields that do not answer say so when they are asked for a token. */
  wrongInputs: () => (isReady && !isComplete ? ['card-fields'] : []),

  /** Has the fields say in place what is wrong, and puts the cursor there. */
  async showWrong() {
    fields.focus()
    await fields.getDirectToken().catch(() => undefined)
  },

  focus: () => fields?.focus(),

  /** As of the shop's own inputs: the same errors, and of the card the last four digits alone. */
  async token() {
    const token = await tokenInTime(fields.getDirectToken())
    return { token, lastFour: fields.card.lastFour }
  },
}
