// The vault's card fields in a frame: the card's data never enters this page.
import { classOf, dataset, ensureClass, tokenInTime } from './card-library.js'

/**
 * The look of the shop's own inputs. The fields have their own light and dark colours and follow
 * the page's scheme at any time: a colour set here must suit both.
 */
export const STYLE = {
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

/** Puts the fields into the page if their script has loaded. */
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
  // Enter in a field submits the form, as in the shop's own inputs.
  fields.on('submit', () => document.getElementById('checkout').requestSubmit())
}

/** The checkout's interface to a card that is typed into the fields. */
export const hostedCard = {
  open,

  /** Shows that the vault's script failed to load, in place of the fields. */
  missed() {
    document.getElementById('no-card-fields').hidden = fields !== undefined
  },

  /** Resolves once the fields can be opened. Destroys fields that never became ready. */
  async ready() {
    await ensureClass('CardFields')
    if (fields === undefined || isReady) return
    fields.destroy()
    fields = undefined
  },

  brand: () => typedBrand,

  /** Fields that aren't ready report their error when the page requests a token. */
  wrongInputs: () => (isReady && !isComplete ? ['card-fields'] : []),

  /** Makes the fields mark their errors and focuses the first. */
  async showWrong() {
    fields.focus()
    await fields.getDirectToken().catch(() => undefined)
  },

  focus: () => fields?.focus(),

  /** As `ownCard.token`: the same errors, and only the last four digits of the card. */
  async token() {
    const token = await tokenInTime(fields.getDirectToken())
    return { token, lastFour: fields.card.lastFour }
  },
}
